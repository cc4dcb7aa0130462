package linear

import (
	"encoding/binary"
	"fmt"
	"math"
	"math/bits"
	"slices"

	"fstore/index/spaces"
	"fstore/mine/learn/codec"
)

// The bytes of a model: integers are uvarints, floats eight little-endian bytes, strings
// their length and bytes.
//
//	version
//	space (spaces.RecordID), selection, weight, normalize, lambda
//	number of labels, labels
//	features
//	number of features with a weight; of each: id less the one before, a weight a score
const codecVersion = 1

// Append appends the bytes of m.
func (m *Model) Append(dst []byte) []byte {
	dst = m.appendHead(slices.Grow(dst, m.Size()))
	last, n := uint32(0), m.Scores()
	for i, id := range m.ID {
		dst = binary.AppendUvarint(dst, uint64(id-last))
		last = id
		for _, w := range m.Weight[i*n : (i+1)*n] {
			dst = codec.AppendFloat(dst, w)
		}
	}
	return dst
}

// Size is how many bytes Append appends.
func (m *Model) Size() int {
	n := len(m.appendHead(nil)) + 8*len(m.Weight)
	last := uint32(0)
	for _, id := range m.ID {
		n += (bits.Len32((id-last)|1) + 6) / 7
		last = id
	}
	return n
}

// appendHead appends what comes before the weights.
func (m *Model) appendHead(dst []byte) []byte {
	dst = append(dst, codecVersion)
	for _, s := range []string{spaces.RecordID(m.Vectors.Space), m.Vectors.Selection, m.Vectors.Weight, m.Vectors.Normalize} {
		dst = codec.AppendString(dst, s)
	}
	dst = codec.AppendFloat(dst, m.Vectors.Lambda)
	dst = binary.AppendUvarint(dst, uint64(len(m.Labels)))
	for _, l := range m.Labels {
		dst = codec.AppendString(dst, l)
	}
	dst = binary.AppendUvarint(dst, uint64(m.Features))
	return binary.AppendUvarint(dst, uint64(len(m.ID)))
}

// Decode reads the bytes of a model. Whatever they are, it does not panic.
func Decode(b []byte) (*Model, error) {
	d := codec.NewReader(b)
	if err := d.Version(codecVersion); err != nil {
		return nil, err
	}
	m := &Model{}
	for _, s := range []*string{&m.Vectors.Space, &m.Vectors.Selection, &m.Vectors.Weight, &m.Vectors.Normalize} {
		*s = d.Text()
	}
	m.Vectors.Space = spaces.Recorded(m.Vectors.Space)
	m.Vectors.Lambda = d.Float()
	for range d.Count(1) {
		m.Labels = append(m.Labels, d.Text())
	}
	m.Features = uint32(min(d.Uvarint(), math.MaxUint32-1))
	scores := m.Scores()
	n := d.Count(1 + 8*scores)
	m.ID, m.Weight = make([]uint32, 0, n), make([]float64, 0, n*scores)
	id := uint64(0)
	for range n {
		id = min(id+d.Uvarint(), math.MaxUint32)
		m.ID = append(m.ID, uint32(id))
		for range scores {
			m.Weight = append(m.Weight, d.Float())
		}
	}
	d.End()
	if d.Err == nil {
		d.Err = m.Check()
	}
	if d.Err != nil {
		return nil, fmt.Errorf("linear model: %w", d.Err)
	}
	return m, nil
}
