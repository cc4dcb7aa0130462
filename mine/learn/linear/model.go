package linear

import (
	"fmt"
	"math"
	"slices"
)

// Model is a linear model. Score k of a vector x is
//
//	w(0, k) + Σ over its features j of w(j, k)·x(j)
//
// where w(0, k) is the weight of the bias times the bias's value.
type Model struct {
	Vectors Vectors
	// Labels are as classes.Plan returns them. Two labels share one score. More labels have a score each.
	Labels []string
	// Features is the largest feature id of the training vectors, with or without a weight.
	Features uint32
	// ID has the ids of the features that have a weight, ascending. The id 0 is the bias.
	ID []uint32
	// Weight has a row for each feature of ID, with a weight for each score.
	Weight []float64
}

// Vectors says how trees become a model's vectors. Weight, Normalize and Lambda are options of
// decode/linearize.
type Vectors struct {
	Space     string // the ID of the space
	Selection string // the selection whose fragments are the features; "" stands for all stored fragments
	Weight    string // how a feature's value is weighted
	Normalize string
	Lambda    float64
}

// Scores returns the number of scores that a vector gets.
func (m *Model) Scores() int {
	if len(m.Labels) == 2 {
		return 1
	}
	return len(m.Labels)
}

// NewModel makes a model from dense weights, by score and feature id. Feature 0 has the value `bias` in every
// vector.
func NewModel(labels []string, weights [][]float64, bias float64) *Model {
	m := &Model{Labels: labels, Features: uint32(len(weights[0]) - 1)}
	used := func(j int) bool {
		return slices.ContainsFunc(weights, func(w []float64) bool { return w[j] != 0 })
	}
	n := 0
	for j := range weights[0] {
		if used(j) {
			n++
		}
	}
	m.ID, m.Weight = make([]uint32, 0, n), make([]float64, 0, n*len(weights))
	for j := range weights[0] {
		if !used(j) {
			continue
		}
		m.ID = append(m.ID, uint32(j))
		for _, w := range weights {
			if x := w[j]; j == 0 {
				m.Weight = append(m.Weight, x*bias)
			} else {
				m.Weight = append(m.Weight, x)
			}
		}
	}
	return m
}

// NonZero returns the number of features with a weight in score k. The bias is not counted.
func (m *Model) NonZero(k int) (n int) {
	for i, id := range m.ID {
		if id > 0 && m.Weight[i*m.Scores()+k] != 0 {
			n++
		}
	}
	return n
}

// Check returns an error if a model that was read is malformed.
func (m *Model) Check() error {
	switch n := m.Scores(); {
	case len(m.Labels) < 2 || len(m.Labels) > 2 && slices.Contains(m.Labels, ""):
		return fmt.Errorf("the labels %q", m.Labels)
	case len(m.Weight) != len(m.ID)*n:
		return fmt.Errorf("%d weights of %d features and %d scores", len(m.Weight), len(m.ID), n)
	}
	for i, id := range m.ID {
		if i > 0 && id <= m.ID[i-1] || id > m.Features {
			return fmt.Errorf("feature %d of %d is out of order", id, m.Features)
		}
	}
	for _, w := range m.Weight {
		if math.IsNaN(w) || math.IsInf(w, 0) {
			return fmt.Errorf("a weight is %v", w)
		}
	}
	return nil
}

// Scorer scores vectors. It is read-only, so goroutines can share it.
type Scorer struct {
	m      *Model
	scores int
	bias   []float64
	row    []uint32 // by feature: 1 + its place in Model.ID, or 0 if the feature has no weight
}

// NewScorer returns a scorer, which takes four bytes of memory for each feature up to m.Features.
func NewScorer(m *Model) *Scorer {
	s := &Scorer{m: m, scores: m.Scores(), row: make([]uint32, m.Features+1)}
	s.bias = make([]float64, s.scores)
	for i, id := range m.ID {
		s.row[id] = uint32(i + 1)
	}
	if w := s.Weights(0); w != nil {
		copy(s.bias, w)
	}
	return s
}

// Weights returns the weights of a feature, one for each score, or nil if the feature has no weights.
func (s *Scorer) Weights(id uint32) []float64 {
	if int64(id) >= int64(len(s.row)) || s.row[id] == 0 {
		return nil
	}
	i := int(s.row[id]-1) * s.scores
	return s.m.Weight[i : i+s.scores]
}

// Weight returns the weight of a feature in the first score, or 0 if the feature has no weight.
func (s *Scorer) Weight(id uint32) float64 {
	if w := s.Weights(id); w != nil {
		return w[0]
	}
	return 0
}

// Score writes the scores of a vector to the slice `scores`, which must have the length Model.Scores(). It
// adds the products in the order of the ids, the bias first.
func (s *Scorer) Score(scores []float64, ids []uint32, values []float64) {
	copy(scores, s.bias)
	for k, id := range ids {
		for c, w := range s.Weights(id) {
			scores[c] += float64(w * values[k])
		}
	}
}
