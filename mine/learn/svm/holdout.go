package svm

import (
	"context"
	"errors"

	"golang.org/x/sync/errgroup"

	"fstore/index"
	"fstore/mine/learn/classes"
	"fstore/mine/learn/crossval"
	"fstore/store"
)

// HoldOut predicts some of the labelled samples of a store by support vector machines trained on the other
// samples, any number of times.
//
// A sample is held out by giving it the price 0, so that it can have no weight. Its score is then part of the
// gradient of the dual. So kernels are evaluated only for training. Later calls use the kernel rows that
// earlier calls have computed.
type HoldOut struct {
	st     *store.Store
	o      Options
	s      *samples
	rows   *rows
	labels []string
	n      int // the number of machines
}

// NewHoldOut prepares the labelled samples of a store. The error is an *index.UsageError if the labels make
// no problem.
func NewHoldOut(ctx context.Context, st *store.Store, o Options) (*HoldOut, error) {
	o.setDefaults()
	h := &HoldOut{st: st, o: o}
	var err error
	if h.s, err = readSamples(ctx, st, o.Kernel, o.Workers, o.Progress); err != nil {
		return nil, err
	}
	if h.labels, h.n, err = classes.Plan(classes.Names(h.s.labels), o.Positive); err != nil {
		return nil, err
	}
	h.rows = newRows(h.s.trees, o.Workers, o.Memory)
	h.rows.progress = o.Progress
	return h, nil
}

// Gold returns the gold labels of each sample. If the only machine tells Options.Positive from all other
// labels, the other labels count as "".
func (h *HoldOut) Gold() [][]string {
	gold := make([][]string, len(h.s.labels))
	for i, own := range h.s.labels {
		gold[i] = classes.Gold(h.labels, own)
	}
	return gold
}

// Predict returns labels for the held-out samples, by machines of price c trained on all other samples. The
// parameter held has places among the labelled samples of the store.
func (h *HoldOut) Predict(ctx context.Context, held []int, c float64) ([]string, error) {
	scores, err := h.scores(ctx, held, c)
	if err != nil {
		return nil, err
	}
	predicted := make([]string, len(held))
	for i := range held {
		predicted[i] = classes.Predict(h.labels, scores[i])
	}
	return predicted, nil
}

// scores returns the scores of the held-out samples, by each machine trained on the others.
func (h *HoldOut) scores(ctx context.Context, held []int, c float64) ([][]float64, error) {
	scores := make([][]float64, len(held))
	for i := range scores {
		scores[i] = make([]float64, h.n)
	}
	err := h.machines(ctx, held, c, func(k int, p *problem, found *solution) {
		for i, t := range held {
			scores[i][k] = p.score(t, found)
		}
	})
	return scores, err
}

// model returns the machines of price Options.C trained on all samples that are not held out, and a report.
// The parameter held has places among the labelled samples of the store.
func (h *HoldOut) model(ctx context.Context, held []int) (*Model, *Report, error) {
	t := h.newTraining()
	err := h.machines(ctx, held, h.o.C, func(k int, p *problem, found *solution) {
		t.weights[k], t.machines[k] = found.weights(p.y), Machine{Bias: found.bias}
		t.report.Machines[k] = MachineReport{Primal: found.primal, Dual: found.dual, Iterations: found.iterations}
	})
	return t.end(err)
}

// machines trains the machines of price c on all samples that are not held out. It calls f for each machine,
// from several goroutines.
func (h *HoldOut) machines(ctx context.Context, held []int, c float64, f func(k int, p *problem, found *solution)) error {
	return h.each(ctx, func(ctx context.Context, k int, y []float64) error {
		p := &problem{rows: h.rows, y: y, c: classes.Prices(y, h.labels, k, c, h.o.ClassWeight), epsilon: h.o.Epsilon}
		for _, t := range held {
			p.c[t] = 0
		}
		found, err := p.solve(ctx)
		if err == nil {
			f(k, p, found)
		}
		return err
	})
}

// each calls f for each machine, with the signs of the samples. Several calls run at the same time and share
// the kernel rows.
func (h *HoldOut) each(ctx context.Context, f func(ctx context.Context, k int, y []float64) error) error {
	h.o.Progress.Step("train", "kernel rows", 0)
	pool, ctx := errgroup.WithContext(ctx)
	pool.SetLimit(min(h.o.Workers, max(h.rows.most/leastRows, 1)))
	for k := range h.n {
		pool.Go(func() error {
			if err := ctx.Err(); err != nil {
				return err
			}
			return f(ctx, k, classes.Signs(h.s.labels, h.labels[k]))
		})
	}
	return pool.Wait()
}

// CrossValidate predicts each fold of the labelled samples of a store by support vector machines trained on
// the other folds, once for each C. It returns the trials in the order of the prices. If the function
// fragments is not nil, it opens the fragments that the kernel runs over, which are chosen outside of the
// fold. It is called for one fold after another. The error is an *index.UsageError if the labels make no
// problem.
func CrossValidate(ctx context.Context, st *store.Store, folds crossval.Folds, fragments func(fold int) (index.Automaton, error), prices []float64, o Options) ([]crossval.Trial, error) {
	trials := make([]crossval.Trial, len(prices))
	var h *HoldOut
	for fold := range folds.Count() {
		var err error
		if fragments != nil {
			if o.Fragments, err = fragments(fold); err != nil {
				return nil, err
			}
		}
		if h == nil || fragments != nil {
			if h, err = NewHoldOut(ctx, st, o); err != nil {
				return nil, err
			}
		}
		gold := h.Gold()
		if len(folds) != len(gold) || folds.Count() < 2 {
			return nil, errors.New("cross-validation needs a fold for each sample, and two folds")
		}
		_, held := folds.Split(fold)
		for i, c := range prices {
			predicted, err := h.Predict(ctx, held, c)
			if err != nil {
				return nil, err
			}
			trials[i].C = c
			for n, sample := range held {
				trials[i].Outcomes.Add(predicted[n], gold[sample])
			}
		}
	}
	return trials, nil
}
