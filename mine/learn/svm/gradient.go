package svm

import (
	"context"

	"fstore/index"
	"fstore/mine/learn/classes"
)

// Gradient is the weight vector w of one machine in the fragment space of the kernel, written as a sum over
// components (Pighin & Moschitti 2010, §2). The relevance of a fragment f is
//
//	w(f) = Σ over the components c of Weights[c] · φ(f, c)
//
// where φ(f, c) is the value of f in component c. Vector i has the weight α·y/‖xᵢ‖, or α·y without
// normalisation.
//
//   - If Merged is nil, the components are the vectors, and Weights has their weights.
//   - Otherwise the components are those of Merged, and φ counts the occurrences at the root of c.
//     Weights[c] sums the weights of the vectors, each times how often the vector has c.
type Gradient struct {
	Label, Other string // the labels of positive and of negative scores; "" stands for any other label
	Bias         float64

	Merged  index.Growable // nil if the components are the vectors
	Vectors []int          // the vectors of this machine, ascending; Merged has the vectors of the whole model
	Weights []float64
	Norm    float64 // ‖w‖² = Σ αᵢ yᵢ K(xᵢ, w), exact, over fragments only, without Offset
	Offset  float64 // the weight of the kernel's constant (index.Offset): Σ α·y/‖xᵢ‖ times the constant

	m     *Model
	alpha []float64 // α·y/‖xᵢ‖, by place in Vectors
}

// NewGradient returns the gradient of m's machine for a label. The trees of m must have symbols from s. The
// label "" stands for the only machine. The error is an *index.UsageError if m has no machine for the label,
// and ErrTooLarge if a kernel value is too large.
func NewGradient(ctx context.Context, m *Model, label string, s *index.Symbols, workers int, progress index.Progress) (*Gradient, error) {
	k, err := m.MachineOf(label)
	if err != nil {
		return nil, err
	}
	c, err := NewScorer(ctx, m, s, false, workers)
	if err != nil {
		return nil, err
	}
	if c.t.extreme {
		return nil, ErrTooLarge
	}
	g := &Gradient{Label: m.Labels[k], Bias: m.Machines[k].Bias, m: m}
	if m.binary() {
		g.Other = m.Labels[1]
	}
	for i := range m.Vectors {
		if w := m.Vectors[i].Weights[k]; w != 0 {
			g.Vectors, g.alpha = append(g.Vectors, i), append(g.alpha, float64(w*c.t.scale[i]))
		}
	}
	g.weigh(c, k)
	return g, g.measure(ctx, c, k, workers, progress)
}

// weigh sets the fields Merged and Weights to those of machine k.
func (g *Gradient) weigh(c *Scorer, k int) {
	var ok bool
	if g.Merged, ok = c.t.merged.(index.Growable); ok {
		machines := len(g.m.Machines)
		for i := range g.Merged.Components() {
			g.Weights = append(g.Weights, c.component[i*machines+k])
		}
		return
	}
	g.Weights = make([]float64, len(g.m.Vectors))
	for n, i := range g.Vectors {
		g.Weights[i] = g.alpha[n]
	}
}

// measure sets Offset and Norm from machine k.
func (g *Gradient) measure(ctx context.Context, c *Scorer, k, workers int, progress index.Progress) error {
	progress.Step("gradient", "vectors", int64(len(g.Vectors)))
	if x, ok := c.m.New(c.t.syms).(index.Offset); ok {
		for _, a := range g.alpha {
			g.Offset += float64(x.Offset() * a)
		}
	}
	norms := make([]float64, len(g.Vectors))
	err := parallel(ctx, len(g.Vectors), workers, func() func(int) error {
		w := c.NewWorker()
		scores := make([]float64, len(g.m.Machines))
		return func(n int) error {
			progress.Add(1)
			i := g.Vectors[n]
			err := w.score(scores, c.t.prepared[i], c.t.self[i])
			norms[n] = float64(g.m.Vectors[i].Weights[k] * (scores[k] - g.Bias))
			return err
		}
	})
	for n, a := range g.alpha {
		g.Norm += norms[n] - float64(a*g.Offset)
	}
	return err
}

// EachVector calls f for each vector of the machine, ascending by its index i in the model. The weight is
// α·y/‖xᵢ‖.
func (g *Gradient) EachVector(f func(i int, t *index.Tree, weight float64) error) error {
	for n, i := range g.Vectors {
		if err := f(i, &g.m.Vectors[i].Tree, g.alpha[n]); err != nil {
			return err
		}
	}
	return nil
}

// Items returns the samples for growth within the limits l, and counts their roots. The caller must call
// Seal. The symbols s must be those that NewGradient got.
func (g *Gradient) Items(s *index.Symbols, l index.Limits, tally *index.Tally) index.Items {
	if g.Merged != nil {
		return g.Merged.Items(s, l, tally)
	}
	items := g.m.Space.NewItems(s)
	for _, i := range g.Vectors {
		t := &g.m.Vectors[i].Tree
		g.m.Space.Tally(t, s, uint32(i), tally)
		items.Add(uint32(i), t, index.All, l)
	}
	return items
}

// MachineOf returns the index of the machine for a label, see classes.MachineOf.
func (m *Model) MachineOf(label string) (int, error) {
	return classes.MachineOf(label, m.Labels, len(m.Machines))
}
