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

// HoldOut predicts some of the labelled samples of a store by support vector machines of
// the others, again and again.
//
// A sample that is held out is one that may have no weight: its price is 0, and its score
// is then part of the gradient of the dual. So no kernel is evaluated but for training, and
// what is held out next finds the rows of the kernel that were.
type HoldOut struct {
	st     *store.Store
	o      Options
	s      *samples
	rows   *rows
	labels []string
	n      int // machines
}

// NewHoldOut prepares the labelled samples of a store. Labels that make no problem are a
// *index.UsageError.
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

// Gold returns the labels of each sample, as they count where Options.Positive may be told
// from all others.
func (h *HoldOut) Gold() [][]string {
	gold := make([][]string, len(h.s.labels))
	for i, own := range h.s.labels {
		gold[i] = classes.Gold(h.labels, own)
	}
	return gold
}

// Predict returns the labels that machines of all other samples, of price c, give to the
// held-out ones, which are places among the labelled samples of the store.
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

// scores are those of held-out samples by each machine of the others.
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

// model returns the machines, of price Options.C, of all samples but the held-out ones, which
// are places among the labelled samples of the store; and how training went.
func (h *HoldOut) model(ctx context.Context, held []int) (*Model, *Report, error) {
	t := h.newTraining()
	err := h.machines(ctx, held, h.o.C, func(k int, p *problem, found *solution) {
		t.weights[k], t.machines[k] = found.weights(p.y), Machine{Bias: found.bias}
		t.report.Machines[k] = MachineReport{Primal: found.primal, Dual: found.dual, Iterations: found.iterations}
	})
	return t.end(err)
}

// machines finds the machines, of price c, of all samples but the held-out ones; f is called
// for each, by several goroutines.
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

// each calls f for each machine, with the signs of the samples. Several calls run at a time, and share
// the rows.
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

// CrossValidate predicts each fold of the labelled samples of a store by support vector
// machines of the others, once for each C, and returns the trials in the order of the
// prices. fragments, if it is not nil, opens what the kernel runs over in a fold, chosen
// outside of it, and is asked for the folds one after the other. Labels that make no problem
// are an *index.UsageError.
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
