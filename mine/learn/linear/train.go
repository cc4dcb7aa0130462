package linear

import (
	"context"
	"errors"
	"fmt"

	"golang.org/x/sync/errgroup"

	"fstore/mine/learn/classes"
)

// Samples are what is learned from: rows of a matrix, each with its labels, at least one.
type Samples struct {
	X      *Matrix
	Labels [][]string
}

// Select returns some samples, in the order given.
func (s *Samples) Select(rows []int) *Samples {
	r := &Samples{X: s.X.Select(rows), Labels: make([][]string, len(rows))}
	for k, i := range rows {
		r.Labels[k] = s.Labels[i]
	}
	return r
}

// Report says how training went.
type Report struct {
	Machines []MachineReport // one for each score of the model
}

// MachineReport is of one machine.
type MachineReport struct {
	Fit
	Label   string // that its score is positive for
	NonZero int    // features with a weight, the bias not counted
}

// Train trains a model on samples: one-versus-rest where there are more than two labels,
// as LIBLINEAR does. Labels that make no problem are a *classes.Error.
func Train(ctx context.Context, l Learner, s *Samples, o Options) (*Model, *Report, error) {
	o.setDefaults()
	labels, n, err := classes.Plan(classes.Names(s.Labels), o.Positive)
	if err != nil {
		return nil, nil, err
	}
	o.Progress.Step("train", "machines", int64(n))
	m, r, err := train(ctx, l, s, labels, n, o, o.Workers)
	return m, r, err
}

// train trains n machines, so many at a time. No default is left open in o.
func train(ctx context.Context, l Learner, s *Samples, labels []string, n int, o Options, workers int) (*Model, *Report, error) {
	var cols *Matrix
	if l.byColumn {
		cols = s.X.transpose()
	}
	weights := make([][]float64, n)
	r := &Report{Machines: make([]MachineReport, n)}
	pool, poolCtx := errgroup.WithContext(ctx)
	pool.SetLimit(workers)
	for k := range n {
		if poolCtx.Err() != nil {
			break // small machines take most of their time before fit looks at it
		}
		pool.Go(func() error {
			y := classes.Signs(s.Labels, labels[k])
			p := &problem{x: s.X, cols: cols, y: y, c: classes.Prices(y, labels, k, o.C, o.ClassWeight), o: &o}
			w, fit, err := l.fit(poolCtx, p)
			if err != nil {
				return fmt.Errorf("%s: %w", l.Name, err)
			}
			weights[k] = w
			r.Machines[k] = MachineReport{Fit: fit, Label: labels[k]}
			o.Progress.Add(1)
			return nil
		})
	}
	if err := errors.Join(pool.Wait(), ctx.Err()); err != nil {
		return nil, nil, err
	}
	m := NewModel(labels, weights, s.X.bias)
	for k := range n {
		r.Machines[k].NonZero = m.NonZero(k)
	}
	return m, r, nil
}
