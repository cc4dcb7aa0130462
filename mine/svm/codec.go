package svm

import (
	"encoding/binary"
	"errors"
	"fmt"
	"math"

	"fstore/index"
	"fstore/index/spaces"
)

// The bytes of a model: integers are uvarints, floats eight little-endian bytes, strings
// and trees their length and bytes.
//
//	version, kind, 1 for one alphabet, 1 for normalised
//	lambda, space
//	number of labels, labels
//	number of machines; of each: bias, number of steps, steps (vector, 1 for −, votes)
//	number of vectors; of each: tree (index.AppendTree), a weight for each machine
const codecVersion = 1

// Append appends the bytes of m.
func (m *Model) Append(dst []byte) []byte {
	flag := func(b bool) byte {
		if b {
			return 1
		}
		return 0
	}
	dst = append(dst, codecVersion, byte(m.Kind), flag(m.OneAlphabet), flag(m.Normalize))
	dst = appendFloat(dst, m.Lambda)
	dst = appendBytes(dst, []byte(m.Space.ID()))
	dst = binary.AppendUvarint(dst, uint64(len(m.Labels)))
	for _, l := range m.Labels {
		dst = appendBytes(dst, []byte(l))
	}
	dst = binary.AppendUvarint(dst, uint64(len(m.Machines)))
	for _, x := range m.Machines {
		dst = appendFloat(dst, x.Bias)
		dst = binary.AppendUvarint(dst, uint64(len(x.Steps)))
		for _, s := range x.Steps {
			dst = binary.AppendUvarint(dst, uint64(s.Vector))
			dst = append(dst, flag(s.Sign < 0))
			dst = binary.AppendUvarint(dst, s.Votes)
		}
	}
	dst = binary.AppendUvarint(dst, uint64(len(m.Vectors)))
	var tree []byte
	for i := range m.Vectors {
		v := &m.Vectors[i]
		tree = index.AppendTree(tree[:0], &v.Tree)
		dst = appendBytes(dst, tree)
		for _, w := range v.Weights {
			dst = appendFloat(dst, w)
		}
	}
	return dst
}

func appendFloat(dst []byte, x float64) []byte {
	return binary.LittleEndian.AppendUint64(dst, math.Float64bits(x))
}

func appendBytes(dst, b []byte) []byte {
	return append(binary.AppendUvarint(dst, uint64(len(b))), b...)
}

// Decode reads the bytes of a model whose trees are over s. Whatever they are, it does
// not panic.
func Decode(b []byte, s *index.Symbols) (*Model, error) {
	d := decoder{b: b}
	m := &Model{}
	if v := d.byte(); v != codecVersion && d.err == nil {
		return nil, fmt.Errorf("model of version %d, and this program reads %d", v, codecVersion)
	}
	m.Kind, m.OneAlphabet, m.Normalize = index.Kind(d.byte()), d.byte() != 0, d.byte() != 0
	m.Lambda = d.float()
	id := string(d.bytes())
	for range d.count(1) {
		m.Labels = append(m.Labels, string(d.bytes()))
	}
	for range d.count(9) {
		x := Machine{Bias: d.float()}
		for range d.count(3) {
			st := Step{Vector: uint32(min(d.uvarint(), math.MaxUint32)), Sign: 1}
			if d.byte() != 0 {
				st.Sign = -1
			}
			st.Votes = d.uvarint()
			x.Steps = append(x.Steps, st)
		}
		m.Machines = append(m.Machines, x)
	}
	for range d.count(1 + 8*len(m.Machines)) {
		v := Vector{}
		if tree := d.bytes(); d.err == nil {
			d.err = index.DecodeTree(tree, s, &v.Tree)
		}
		for range m.Machines {
			v.Weights = append(v.Weights, d.float())
		}
		if d.err != nil {
			break
		}
		m.Vectors = append(m.Vectors, v)
	}
	if d.err == nil && len(d.b) > 0 {
		d.err = fmt.Errorf("model: %d bytes after its end", len(d.b))
	}
	if d.err != nil {
		return nil, d.err
	}
	space, err := spaces.Parse(id)
	if err != nil {
		return nil, fmt.Errorf("model: %w", err)
	}
	m.Space = space.Space
	if err := m.check(); err != nil {
		return nil, fmt.Errorf("model: %w", err)
	}
	return m, nil
}

var errShort = errors.New("model: its bytes end too early")

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

func (d *decoder) byte() byte {
	if b := d.take(1); b != nil {
		return b[0]
	}
	return 0
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

func (d *decoder) bytes() []byte { return d.take(d.uvarint()) }

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
