package svm

import (
	"context"
	"errors"

	"golang.org/x/sync/errgroup"

	"fstore/index"
	"fstore/mine/classes"
	"fstore/mine/crossval"
	"fstore/store"
)

// CrossValidate predicts each fold of the labelled samples of a store by support vector
// machines of the others, once for each C, and returns the trials in the order of the
// prices. fragments, if it is not nil, opens what the kernel runs over in a fold, chosen
// outside of it, and is asked for the folds one after the other. Labels that make no problem
// are a *classes.Error.
//
// A sample that is held out is one that may have no weight: its price is 0, and its score
// is then part of the gradient of the dual. So no kernel is evaluated but for training.
func CrossValidate(ctx context.Context, st *store.Store, folds crossval.Folds, fragments func(fold int) (index.Automaton, error), prices []float64, o Options) ([]crossval.Trial, error) {
	o.setDefaults()
	v := &validation{ctx: ctx, st: st, o: o, folds: folds, trials: make([]crossval.Trial, len(prices))}
	for i, c := range prices {
		v.trials[i].C = c
	}
	if fragments == nil {
		if err := v.read(o.Kernel); err != nil {
			return nil, err
		}
	}
	for fold := range folds.Count() {
		if fragments != nil {
			k := o.Kernel
			var err error
			if k.Fragments, err = fragments(fold); err != nil {
				return nil, err
			}
			if err := v.read(k); err != nil {
				return nil, err
			}
		}
		if err := v.fold(fold); err != nil {
			return nil, err
		}
	}
	return v.trials, nil
}

// validation is one run of CrossValidate.
type validation struct {
	ctx    context.Context
	st     *store.Store
	o      Options
	folds  crossval.Folds
	trials []crossval.Trial

	s      *samples
	rows   *rows
	labels []string
	n      int // machines
}

// read prepares the samples for a kernel.
func (v *validation) read(k Kernel) (err error) {
	if v.s, err = readSamples(v.ctx, v.st, k, v.o.Workers, v.o.Progress); err != nil {
		return err
	}
	if v.labels, v.n, err = classes.Plan(classes.Names(v.s.labels), v.o.Positive); err != nil {
		return err
	}
	if len(v.folds) != len(v.s.id) || v.folds.Count() < 2 {
		return errors.New("cross-validation needs a fold for each sample, and two folds")
	}
	v.rows = newRows(v.s.trees, v.o.Workers, v.o.Memory)
	return nil
}

// fold predicts the samples of a fold with each price.
func (v *validation) fold(fold int) error {
	_, inside := v.folds.Split(fold)
	for i := range v.trials {
		t := &v.trials[i]
		scores, err := v.scores(inside, t.C)
		if err != nil {
			return err
		}
		for n, sample := range inside {
			t.Outcomes.Add(classes.Predict(v.labels, scores[n]), classes.Gold(v.labels, v.s.labels[sample]))
		}
	}
	return nil
}

// scores are those of held-out samples by each machine of the others.
func (v *validation) scores(held []int, c float64) ([][]float64, error) {
	scores := make([][]float64, len(held))
	for i := range scores {
		scores[i] = make([]float64, v.n)
	}
	v.o.Progress.Step("train", "machines", int64(v.n))
	pool, ctx := errgroup.WithContext(v.ctx)
	pool.SetLimit(min(v.o.Workers, max(v.rows.most/leastRows, 1)))
	for k := range v.n {
		pool.Go(func() error {
			y := classes.Signs(v.s.labels, v.labels[k])
			p := &problem{rows: v.rows, y: y, c: classes.Prices(y, v.labels, k, c, v.o.ClassWeight), epsilon: v.o.Epsilon}
			for _, t := range held {
				p.c[t] = 0
			}
			found, err := p.solve(ctx)
			if err != nil {
				return err
			}
			for i, t := range held {
				scores[i][k] = p.score(t, found)
			}
			return nil
		})
	}
	err := pool.Wait()
	v.o.Progress.Add(int64(v.n))
	return scores, err
}
