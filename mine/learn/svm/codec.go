package svm

import (
	"encoding/binary"
	"fmt"
	"math"

	"fstore/index"
	"fstore/mine/learn/codec"
)

// The bytes of a model: integers are uvarints, floats eight little-endian bytes, strings
// and trees their length and bytes.
//
//	the kernel, see AppendKernel
//	number of labels, labels
//	number of machines; of each: bias, number of steps, steps (vector, 1 for −, votes)
//	number of vectors; of each: tree (index.AppendTree), a weight for each machine
const codecVersion = 1

// Append appends the bytes of m.
func (m *Model) Append(dst []byte) []byte {
	dst = AppendKernel(dst, codecVersion, &m.Kernel, m.Kind, m.OneAlphabet)
	dst = binary.AppendUvarint(dst, uint64(len(m.Labels)))
	for _, l := range m.Labels {
		dst = codec.AppendString(dst, l)
	}
	dst = binary.AppendUvarint(dst, uint64(len(m.Machines)))
	for _, x := range m.Machines {
		dst = codec.AppendFloat(dst, x.Bias)
		dst = binary.AppendUvarint(dst, uint64(len(x.Steps)))
		for _, s := range x.Steps {
			dst = binary.AppendUvarint(dst, uint64(s.Vector))
			dst = codec.AppendBool(dst, s.Sign < 0)
			dst = binary.AppendUvarint(dst, s.Votes)
		}
	}
	dst = binary.AppendUvarint(dst, uint64(len(m.Vectors)))
	var tree []byte
	for i := range m.Vectors {
		v := &m.Vectors[i]
		tree = index.AppendTree(tree[:0], &v.Tree)
		dst = codec.AppendString(dst, tree)
		for _, w := range v.Weights {
			dst = codec.AppendFloat(dst, w)
		}
	}
	return dst
}

// Decode reads the bytes of a model whose trees are over s. Whatever they are, it does
// not panic.
func Decode(b []byte, s *index.Symbols) (*Model, error) {
	d := codec.NewReader(b)
	if err := d.Version(codecVersion); err != nil {
		return nil, err
	}
	m := &Model{}
	m.Kernel, m.Kind, m.OneAlphabet = ReadKernel(d)
	for range d.Count(1) {
		m.Labels = append(m.Labels, d.Text())
	}
	for range d.Count(9) {
		x := Machine{Bias: d.Float()}
		for range d.Count(3) {
			st := Step{Vector: uint32(min(d.Uvarint(), math.MaxUint32)), Sign: 1}
			if d.Bool() {
				st.Sign = -1
			}
			st.Votes = d.Uvarint()
			x.Steps = append(x.Steps, st)
		}
		m.Machines = append(m.Machines, x)
	}
	for range d.Count(1 + 8*len(m.Machines)) {
		v := Vector{Tree: ReadTree(d, s)}
		for range m.Machines {
			v.Weights = append(v.Weights, d.Float())
		}
		if d.Err != nil {
			break
		}
		m.Vectors = append(m.Vectors, v)
	}
	d.End()
	if d.Err == nil {
		d.Err = m.check()
	}
	if d.Err != nil {
		return nil, fmt.Errorf("model: %w", d.Err)
	}
	return m, nil
}
