package svm

import (
	"context"
	"fmt"
	"math"

	"fstore/index"
)

// Scorer evaluates a model. Goroutines can share it, but each needs its own Worker.
type Scorer struct {
	m     *Model
	t     *trees
	voted bool
	// component[c*machines+k] is the weight of component c in machine k. It is nil if the kernel cannot merge
	// trees, or if machines vote.
	component []float64
}

// NewScorer returns the scorer of a model whose trees have symbols from s.
//   - voted is true: a score is the share of the votes for the label minus the share against it, from −1 to 1
//   - voted is false: a score is that of the mean machine
func NewScorer(ctx context.Context, m *Model, s *index.Symbols, voted bool, workers int) (*Scorer, error) {
	if voted {
		for _, x := range m.Machines {
			if x.Steps == nil {
				return nil, fmt.Errorf("the model is no voted perceptron: it has no votes")
			}
		}
	}
	prepared := make([]any, len(m.Vectors))
	kernel := m.New(s)
	for i := range m.Vectors {
		var err error
		if prepared[i], err = kernel.Prepare(&m.Vectors[i].Tree); err != nil {
			return nil, fmt.Errorf("vector %d: %w", i, err)
		}
	}
	t, err := newTrees(ctx, m.Config, s, prepared, workers)
	if err != nil {
		return nil, err
	}
	c := &Scorer{m: m, t: t, voted: voted}
	if t.merged != nil && !voted {
		c.fold()
	}
	return c, nil
}

// fold computes c.component from the weights of the vectors.
func (c *Scorer) fold() {
	k := len(c.m.Machines)
	c.component = make([]float64, c.t.merged.Components()*k)
	for i := range c.m.Vectors {
		components, counts := c.t.merged.Of(i)
		for machine, w := range c.m.Vectors[i].Weights {
			if w == 0 {
				continue
			}
			w *= c.t.scale[i]
			for n, x := range components {
				c.component[int(x)*k+machine] += float64(w * float64(counts[n]))
			}
		}
	}
}

// Worker scores one tree after another, for one goroutine.
type Worker struct {
	c   *Scorer
	e   *evaluator
	row []float64 // the kernel with each vector

	scale float64 // the scale of the tree scored last
}

// NewWorker returns a worker, which shares the prepared trees of c.
func (c *Scorer) NewWorker() *Worker { return &Worker{c: c, e: c.t.newEvaluator()} }

// Score writes the score of t by each machine to scores, in the order of Model.Machines. The symbols of t are
// from the scorer's symbols or from an Overlay of them. An error means that t is too large.
func (w *Worker) Score(scores []float64, t *index.Tree) error {
	x, err := w.e.kernel.Prepare(t)
	if err != nil {
		return err
	}
	return w.score(scores, x, w.e.kernel.Eval(x, x))
}

// Scale returns 1/‖t‖ for the tree t that was scored last, or 1 without normalisation.
func (w *Worker) Scale() float64 { return w.scale }

// EachVector calls f for each support vector of the model, with its index i, its tree t, and its weight in
// each machine. The scale is 1/‖t‖, or 1 without normalisation.
func (c *Scorer) EachVector(f func(i int, t *index.Tree, weights []float64, scale float64) error) error {
	for i := range c.m.Vectors {
		v := &c.m.Vectors[i]
		if err := f(i, &v.Tree, v.Weights, c.t.scale[i]); err != nil {
			return err
		}
	}
	return nil
}

// score does what Score does, given a prepared tree and the kernel of this tree with itself.
func (w *Worker) score(scores []float64, x any, self index.Number) error {
	machines := w.c.m.Machines
	w.scale, _ = w.c.t.ScaleOf(self)
	clear(scores[:len(machines)])
	if w.c.component != nil && w.e.against(x, self) {
		w.folded(scores, w.scale)
	} else {
		if w.row == nil {
			w.row = make([]float64, len(w.c.m.Vectors))
		}
		if err := w.e.row(w.row, x, self); err != nil {
			return err
		}
		w.byVector(scores)
	}
	for k := range machines {
		if !w.c.voted {
			scores[k] += machines[k].Bias
		}
		if math.IsInf(scores[k], 0) || math.IsNaN(scores[k]) {
			return ErrTooLarge
		}
	}
	return nil
}

// folded computes the scores as sums over components.
func (w *Worker) folded(scores []float64, scale float64) {
	k := len(scores)
	for c, s := range w.e.sums {
		if s == 0 {
			continue
		}
		for i, weight := range w.c.component[c*k : c*k+k] {
			scores[i] += float64(weight * s)
		}
	}
	for i := range scores {
		scores[i] = float64(scores[i] * scale) // rounded before the bias is added
	}
}

// byVector computes the scores as sums over vectors, or by the votes of the machines.
func (w *Worker) byVector(scores []float64) {
	if w.c.voted {
		for k := range scores {
			scores[k] = vote(w.c.m.Machines[k].Steps, w.row)
		}
		return
	}
	for i, v := range w.row {
		for k, weight := range w.c.m.Vectors[i].Weights {
			scores[k] += float64(weight * v)
		}
	}
}
