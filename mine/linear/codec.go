package linear

import (
	"encoding/binary"
	"errors"
	"fmt"
	"math"
)

// The bytes of a model: integers are uvarints, floats eight little-endian bytes, strings
// their length and bytes.
//
//	version
//	space, selection, weight, normalize, lambda
//	number of labels, labels
//	features
//	number of features with a weight; of each: id less the one before, a weight a score
const codecVersion = 1

// Append appends the bytes of m.
func (m *Model) Append(dst []byte) []byte {
	text := func(s string) { dst = append(binary.AppendUvarint(dst, uint64(len(s))), s...) }
	float := func(x float64) { dst = binary.LittleEndian.AppendUint64(dst, math.Float64bits(x)) }
	dst = append(dst, codecVersion)
	for _, s := range []string{m.Vectors.Space, m.Vectors.Selection, m.Vectors.Weight, m.Vectors.Normalize} {
		text(s)
	}
	float(m.Vectors.Lambda)
	dst = binary.AppendUvarint(dst, uint64(len(m.Labels)))
	for _, l := range m.Labels {
		text(l)
	}
	dst = binary.AppendUvarint(dst, uint64(m.Features))
	dst = binary.AppendUvarint(dst, uint64(len(m.ID)))
	last, n := uint32(0), m.Scores()
	for i, id := range m.ID {
		dst = binary.AppendUvarint(dst, uint64(id-last))
		last = id
		for _, w := range m.Weight[i*n : (i+1)*n] {
			float(w)
		}
	}
	return dst
}

// Decode reads the bytes of a model. Whatever they are, it does not panic.
func Decode(b []byte) (*Model, error) {
	d := &decoder{b: b}
	if v := d.take(1); v != nil && v[0] != codecVersion {
		return nil, fmt.Errorf("model of version %d, and this program reads %d", v[0], codecVersion)
	}
	m := &Model{}
	for _, s := range []*string{&m.Vectors.Space, &m.Vectors.Selection, &m.Vectors.Weight, &m.Vectors.Normalize} {
		*s = d.text()
	}
	m.Vectors.Lambda = d.float()
	for range d.count(1) {
		m.Labels = append(m.Labels, d.text())
	}
	m.Features = uint32(min(d.uvarint(), math.MaxUint32-1))
	scores := m.Scores()
	n := d.count(1 + 8*scores)
	m.ID, m.Weight = make([]uint32, 0, n), make([]float64, 0, n*scores)
	id := uint64(0)
	for range n {
		id = min(id+d.uvarint(), math.MaxUint32)
		m.ID = append(m.ID, uint32(id))
		for range scores {
			m.Weight = append(m.Weight, d.float())
		}
	}
	if d.err == nil && len(d.b) > 0 {
		d.err = fmt.Errorf("%d bytes after the end", len(d.b))
	}
	if d.err == nil {
		d.err = m.Check()
	}
	if d.err != nil {
		return nil, fmt.Errorf("linear model: %w", d.err)
	}
	return m, nil
}

var errShort = errors.New("its bytes end too early")

// decoder reads values off b, zeros after an error.
type decoder struct {
	b   []byte
	err error
}

func (d *decoder) take(n uint64) []byte {
	if d.err == nil && n > uint64(len(d.b)) {
		d.err = errShort
	}
	if d.err != nil {
		return nil
	}
	b := d.b[:n]
	d.b = d.b[n:]
	return b
}

func (d *decoder) float() float64 {
	if b := d.take(8); b != nil {
		return math.Float64frombits(binary.LittleEndian.Uint64(b))
	}
	return 0
}

func (d *decoder) uvarint() uint64 {
	v, n := binary.Uvarint(d.b)
	if n <= 0 && d.err == nil {
		d.err = errShort
	}
	if d.err != nil {
		return 0
	}
	d.b = d.b[n:]
	return v
}

func (d *decoder) text() string { return string(d.take(d.uvarint())) }

// count reads how many things follow, of at least this many bytes each.
func (d *decoder) count(each int) int {
	n := d.uvarint()
	if d.err == nil && n > uint64(len(d.b)/each) {
		d.err = errShort
	}
	if d.err != nil {
		return 0
	}
	return int(n)
}
