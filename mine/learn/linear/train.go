package linear

import (
	"context"
	"errors"
	"fmt"
	"slices"

	"golang.org/x/sync/errgroup"

	"fstore/mine/learn/classes"
)

// Samples are the rows of a matrix to learn from. Each has at least one label.
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

// MachineReport says how the training of one machine went.
type MachineReport struct {
	Fit
	Label   string // the label for which the score is positive
	NonZero int    // the number of features with a weight, without the bias
}

// Train trains a model on samples. More than two labels get a machine each, one-versus-rest, as in LIBLINEAR.
// The error is an *index.UsageError if the samples do not have two labels.
func Train(ctx context.Context, l Learner, s *Samples, o Options) (*Model, *Report, error) {
	o.setDefaults()
	labels, n, err := classes.Plan(classes.Names(s.Labels), o.Positive)
	if err != nil {
		return nil, nil, err
	}
	o.Progress.Step("train", "machines", int64(n))
	m, r, err := newTrainer(l, s, labels, n).train(ctx, o, o.Workers)
	return m, r, err
}

// trainer trains the machines of a model at one or several prices. Each training starts from the weights of
// the one before.
type trainer struct {
	l       Learner
	s       *Samples
	labels  []string
	equal   *merged     // nil if the learner takes the columns without merging
	weights [][]float64 // by machine, as the learner's solver takes them; nil before the first training
}

func newTrainer(l Learner, s *Samples, labels []string, n int) *trainer {
	t := &trainer{l: l, s: s, labels: labels, weights: make([][]float64, n)}
	if l.Prices {
		t.equal = merge(s.X, l.squares)
	}
	return t
}

// train trains all machines, up to workers of them in parallel. The caller has set the defaults of o.
func (t *trainer) train(ctx context.Context, o Options, workers int) (*Model, *Report, error) {
	if o.Tolerance == 0 {
		o.Tolerance, o.byGain = o.tolerance(t.l), true
	}
	r := &Report{Machines: make([]MachineReport, len(t.weights))}
	pool, poolCtx := errgroup.WithContext(ctx)
	pool.SetLimit(workers)
	for k := range t.weights {
		if poolCtx.Err() != nil {
			break // checked here, because fit checks the context too late for small machines
		}
		pool.Go(func() error {
			y := classes.Signs(t.s.Labels, t.labels[k])
			p := &problem{x: t.s.X, y: y, c: classes.Prices(y, t.labels, k, o.C, o.ClassWeight), o: &o}
			if t.equal != nil {
				p.x, p.cols = t.equal.x, t.equal.cols
			}
			w, fit, err := t.l.fit(poolCtx, p, t.weights[k])
			if err != nil {
				return fmt.Errorf("%s: %w", t.l.Name, err)
			}
			t.weights[k] = w
			r.Machines[k] = MachineReport{Fit: fit, Label: t.labels[k]}
			o.Progress.Add(1)
			return nil
		})
	}
	if err := errors.Join(pool.Wait(), ctx.Err()); err != nil {
		return nil, nil, err
	}
	weights := slices.Clone(t.weights)
	if t.equal != nil {
		for k, w := range weights {
			weights[k] = t.equal.spread(w, t.l.squares)
		}
	}
	m := NewModel(t.labels, weights, t.s.X.bias)
	for k := range weights {
		r.Machines[k].NonZero = m.NonZero(k)
	}
	return m, r, nil
}

func (o *Options) tolerance(l Learner) float64 {
	switch {
	case o.Loss == Hinge:
		return HingeTolerance
	case l.squares:
		return SquaresTolerance
	}
	return DefaultTolerance
}
