package svm

import (
	"context"
	"fmt"

	"fstore/index"
	"fstore/mine/classes"
)

// Gradient is the weight vector w of one machine in the kernel's own space, by the
// components of its vectors (Pighin & Moschitti 2010, §2): the relevance of a fragment f
// is
//
//	w(f) = λ^(s/2) · Σ over the components c of Weights[c] · t(f, c)
//
// with s the order of f, t(f, c) its occurrences at the root of c, and Weights[c] = Σ over
// the vectors i of α·y/‖xᵢ‖ · how often i has c; without normalisation ‖xᵢ‖ is 1.
type Gradient struct {
	Label, Other string // positive, and negative: "" is any other
	Bias         float64

	Merged  index.Growable
	Vectors []int // the vectors of the machine; Merged has all of the model's
	Weights []float64
	Norm    float64 // ‖w‖² = Σ αᵢ yᵢ K(xᵢ, w), exact
	Nodes   int     // of all vectors, before they are merged
}

// GrowthError says that a space's fragments cannot be mined from a model.
type GrowthError struct{ Space string }

func (e *GrowthError) Error() string {
	return fmt.Sprintf("space %s: a fragment there can match less often than what extends it, or its value is not one of its order, so that nothing bounds relevance", e.Space)
}

// NewGradient prepares the machine of a label of m, whose trees are over s; of a model of
// two labels there is one machine, and "" names it. The error is a *classes.Error where
// there is no such machine, a *GrowthError where the space has no bound.
func NewGradient(ctx context.Context, m *Model, label string, s *index.Symbols, workers int) (*Gradient, error) {
	k, err := m.machine(label)
	if err != nil {
		return nil, err
	}
	c, err := NewScorer(ctx, m, s, false, workers)
	if err != nil {
		return nil, err
	}
	merged, ok := c.t.merged.(index.Growable)
	if !ok {
		return nil, &GrowthError{m.Space.ID()}
	}
	if c.t.extreme {
		return nil, ErrTooLarge
	}
	g := &Gradient{Label: m.Labels[k], Bias: m.Machines[k].Bias, Merged: merged}
	if m.Binary() {
		g.Other = m.Labels[1]
	}
	machines := len(m.Machines)
	for i := range merged.Components() {
		g.Weights = append(g.Weights, c.component[i*machines+k])
	}
	w := c.NewWorker()
	scores := make([]float64, machines)
	for i := range m.Vectors {
		_, counts := merged.Of(i)
		for _, n := range counts {
			g.Nodes += int(n)
		}
		a := m.Vectors[i].Weights[k]
		if a == 0 {
			continue
		}
		g.Vectors = append(g.Vectors, i)
		if err := w.score(scores, c.t.prepared[i], c.t.self[i]); err != nil {
			return nil, err
		}
		g.Norm += float64(a * (scores[k] - m.Machines[k].Bias))
	}
	return g, nil
}

// machine is the number of the machine of a label.
func (m *Model) machine(label string) (int, error) {
	if m.Binary() && (label == "" || label == m.Labels[0]) {
		return 0, nil
	}
	if label == "" {
		return 0, &classes.Error{Msg: fmt.Sprintf("the model has a machine for each of %d labels: name one", len(m.Labels))}
	}
	for i := range m.Machines {
		if m.Labels[i] == label {
			return i, nil
		}
	}
	return 0, &classes.Error{Msg: fmt.Sprintf("the model has no machine for the label %s", label)}
}
