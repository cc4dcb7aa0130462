package linear

import (
	"fmt"
	"math"
	"slices"
)

// Model is linear scores over features: score k of a vector x is
//
//	w(0, k) + Σ over its features j of w(j, k)·x(j)
//
// where w(0, k) is the weight of the bias times its value.
type Model struct {
	Vectors Vectors
	// Labels are those that are told apart, as classes.Plan has them: one score for two, or
	// a score each.
	Labels []string
	// Features is the largest feature id there is, not only of those with a weight.
	Features uint32
	// ID are the features that have a weight, ascending; 0 is the bias.
	ID []uint32
	// Weight has a row for each of ID, and in it a weight for each score.
	Weight []float64
}

// Vectors says what vectors a model is of: how trees become them, as package decode's
// Linearizer takes it.
type Vectors struct {
	Space     string // its ID
	Selection string // the selection whose fragments are the features; "": all that are stored
	Weight    string // of a feature's value
	Normalize string
	Lambda    float64
}

// Scores is the number of scores of a vector.
func (m *Model) Scores() int {
	if len(m.Labels) == 2 {
		return 1
	}
	return len(m.Labels)
}

// NewModel makes a model of dense weights by score and feature id, 0 being the bias, which
// has this value as a feature.
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

// NonZero is the number of features with a weight in score k, the bias not counted.
func (m *Model) NonZero(k int) (n int) {
	for i, id := range m.ID {
		if id > 0 && m.Weight[i*m.Scores()+k] != 0 {
			n++
		}
	}
	return n
}

// Check says what is wrong with a model that was read.
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

// Scorer scores vectors. It is read-only: goroutines share it.
type Scorer struct {
	m      *Model
	scores int
	bias   []float64
	row    []uint32 // of each feature: 1 + its place in Model.ID, 0 where it has no weight
}

// NewScorer returns the scorer of a model.
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

// Weights are those of a feature in each score, nil where it has none.
func (s *Scorer) Weights(id uint32) []float64 {
	if int64(id) >= int64(len(s.row)) || s.row[id] == 0 {
		return nil
	}
	i := int(s.row[id]-1) * s.scores
	return s.m.Weight[i : i+s.scores]
}

// Weight is that of a feature in the first score, 0 where it has none.
func (s *Scorer) Weight(id uint32) float64 {
	if w := s.Weights(id); w != nil {
		return w[0]
	}
	return 0
}

// Score sets the scores, of which there are Model.Scores, of a vector with these
// features; products are added in ascending id, the bias first.
func (s *Scorer) Score(scores []float64, ids []uint32, values []float64) {
	copy(scores, s.bias)
	for k, id := range ids {
		for c, w := range s.Weights(id) {
			scores[c] += float64(w * values[k])
		}
	}
}
