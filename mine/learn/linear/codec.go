package linear

import (
	"fmt"
	"math"

	"fstore/index/spaces"
	"fstore/mine/learn/codec"
)

const codecVersion = 1

// Code writes or reads the bytes of a model, see package codec:
//
//	version
//	space (spaces.RecordID), selection, weight, normalize, lambda
//	number of labels, labels
//	features
//	number of features with a weight; for each: its id minus the id before, and a weight for each score
//
// A model that was read is checked.
func (m *Model) Code(c *codec.Coder) {
	c.Version(codecVersion)
	space := ""
	if !c.Reading {
		space = spaces.RecordID(m.Vectors.Space)
	}
	for _, s := range []*string{&space, &m.Vectors.Selection, &m.Vectors.Weight, &m.Vectors.Normalize} {
		c.Text(s)
	}
	c.Float(&m.Vectors.Lambda)
	codec.Slice(c, &m.Labels, 1, c.Text)
	c.Uint32(&m.Features)
	n, scores := len(m.ID), m.Scores()
	c.Len(&n, 1+8*scores)
	if c.Reading {
		m.Vectors.Space = spaces.Recorded(space)
		m.Features = min(m.Features, math.MaxUint32-1)
		m.ID, m.Weight = make([]uint32, n), make([]float64, n*scores)
	} else {
		c.Grow(n * (5 + 8*scores))
	}
	last := uint32(0)
	for i := range m.ID {
		step := m.ID[i] - last
		if c.Uint32(&step); c.Reading {
			m.ID[i] = uint32(min(uint64(last)+uint64(step), math.MaxUint32))
		}
		last = m.ID[i]
		for k := range scores {
			c.Float(&m.Weight[i*scores+k])
		}
	}
	if c.Reading && c.Err == nil {
		c.Err = m.Check()
	}
}

// Append appends the bytes that Decode reads.
func (m *Model) Append(dst []byte) []byte { return codec.Append(dst, m.Code) }

// Decode reads the bytes of a model. It does not panic for any b.
func Decode(b []byte) (*Model, error) {
	m := &Model{}
	if err := codec.Decode(b, m.Code); err != nil {
		return nil, fmt.Errorf("linear model: %w", err)
	}
	return m, nil
}
