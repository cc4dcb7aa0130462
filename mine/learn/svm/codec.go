package svm

import (
	"fmt"
	"math"

	"fstore/index"
	"fstore/index/spaces"
	"fstore/mine/learn/codec"
)

const codecVersion = 1

// code writes or reads the bytes of a model whose trees have symbols from s, see package codec:
//
//	version, the kernel (CodeKernel)
//	number of labels, and the labels
//	number of machines; for each: bias, number of steps, and the steps (vector, 1 if negative, votes)
//	number of vectors; for each: tree (CodeTree), and a weight for each machine
//
// When it reads a model, code also checks that the model is valid.
func (m *Model) code(c *codec.Coder, s *index.Symbols) {
	c.Version(codecVersion)
	CodeKernel(c, &m.Config, &m.Kind, &m.OneAlphabet)
	codec.Slice(c, &m.Labels, 1, c.Text)
	codec.Slice(c, &m.Machines, 9, func(x *Machine) {
		c.Float(&x.Bias)
		codec.Slice(c, &x.Steps, 3, func(s *Step) {
			minus := s.Sign < 0
			c.Uint32(&s.Vector)
			c.Bool(&minus)
			c.Uvarint(&s.Votes)
			if c.Reading {
				if s.Sign = 1; minus {
					s.Sign = -1
				}
			}
		})
	})
	codec.Slice(c, &m.Vectors, 1+8*len(m.Machines), func(v *Vector) {
		CodeTree(c, &v.Tree, s)
		if c.Reading {
			v.Weights = make([]float64, len(m.Machines))
		}
		for k := range v.Weights {
			c.Float(&v.Weights[k])
		}
	})
	if c.Reading && c.Err == nil {
		c.Err = m.check()
	}
}

// Append appends the bytes that Decode reads.
func (m *Model) Append(dst []byte) []byte {
	return codec.Append(dst, func(c *codec.Coder) { m.code(c, nil) })
}

// Decode reads the bytes of a model, whose trees get symbols from s. It does not panic for any b.
func Decode(b []byte, s *index.Symbols) (*Model, error) {
	m := &Model{}
	if err := codec.Decode(b, func(c *codec.Coder) { m.code(c, s) }); err != nil {
		return nil, fmt.Errorf("model: %w", err)
	}
	return m, nil
}

// CodeKernel writes or reads the fields that every kernel model has after its version: the kind and alphabet
// of its trees, normalisation, lambda, and the space (spaces.RecordID).
func CodeKernel(c *codec.Coder, k *Config, kind *index.Kind, oneAlphabet *bool) {
	c.Byte((*byte)(kind))
	c.Bool(oneAlphabet)
	c.Bool(&k.Normalize)
	c.Float(&k.Lambda)
	id := ""
	if !c.Reading {
		id = spaces.RecordID(k.Space.ID())
	}
	c.Text(&id)
	if c.Reading && c.Err == nil && !(k.Lambda >= 0 && k.Lambda <= math.MaxFloat64) {
		c.Err = fmt.Errorf("a decay of %v", k.Lambda)
	}
	if c.Reading && c.Err == nil {
		var space spaces.Request
		space, c.Err = spaces.ParseRecorded(id)
		k.Space = space.Space
	}
}

// CodeTree writes or reads a tree with symbols from s: its length in bytes, and the bytes (index.AppendTree).
func CodeTree(c *codec.Coder, t *index.Tree, s *index.Symbols) {
	var b []byte
	if !c.Reading {
		b = index.AppendTree(nil, t)
	}
	if c.Bytes(&b); c.Reading && c.Err == nil {
		c.Err = index.DecodeTree(b, s, t)
	}
}
