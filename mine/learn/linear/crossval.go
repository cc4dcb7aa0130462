package linear

import (
	"cmp"
	"context"
	"errors"
	"slices"

	"golang.org/x/sync/errgroup"

	"fstore/mine/learn/classes"
	"fstore/mine/learn/crossval"
)

// CrossValidate predicts each fold by a model of the other folds, and returns a trial for each price.
// vectorsOf(fold) returns all samples, with features chosen on the other folds. If vectorsOf is nil, every
// fold uses s. The error is an *index.UsageError if there are fewer than two labels.
func CrossValidate(ctx context.Context, l Learner, s *Samples, vectorsOf func(fold int) (*Samples, error), folds crossval.Folds, prices []float64, o Options) ([]crossval.Trial, error) {
	o.setDefaults()
	labels, n, err := classes.Plan(classes.Names(s.Labels), o.Positive)
	if err != nil {
		return nil, err
	}
	if len(folds) != len(s.Labels) || folds.Count() < 2 {
		return nil, errors.New("cross-validation needs a fold for each sample, and two folds")
	}
	k := folds.Count()
	o.Progress.Step("cross-validate", "machines", int64(k*n*len(prices)))
	predicted := make([][]string, len(prices)) // by price and sample
	for p := range prices {
		predicted[p] = make([]string, len(s.Labels))
	}
	pool, ctx := errgroup.WithContext(ctx)
	pool.SetLimit(o.Workers)
	for fold := range k {
		pool.Go(func() (err error) {
			s := s
			if vectorsOf != nil {
				if s, err = vectorsOf(fold); err != nil {
					return err
				}
			}
			outside, inside := folds.Split(fold)
			return newTrainer(l, s.Select(outside), labels, n).predict(ctx, s.X, inside, prices, predicted, o)
		})
	}
	if err := pool.Wait(); err != nil {
		return nil, err
	}
	trials := make([]crossval.Trial, len(prices))
	for p, c := range prices {
		trials[p].C = c
		for i, label := range predicted[p] {
			trials[p].Outcomes.Add(label, classes.Gold(labels, s.Labels[i]))
		}
	}
	return trials, nil
}

// predict writes the predicted labels of the given rows to `predicted`, by price and row.
func (t *trainer) predict(ctx context.Context, x *Matrix, rows []int, prices []float64, predicted [][]string, o Options) error {
	scores := make([]float64, len(t.weights))
	order := crossval.UpTo(len(prices)) // ascending, because training starts from the weights at the price before
	slices.SortStableFunc(order, func(a, b int) int { return cmp.Compare(prices[a], prices[b]) })
	for _, p := range order {
		o.C = prices[p]
		m, _, err := t.train(ctx, o, 1)
		if err != nil {
			return err
		}
		scorer := NewScorer(m)
		for _, i := range rows {
			ids, values := x.Row(i)
			if x.bias > 0 {
				ids, values = ids[1:], values[1:] // the scorer adds the bias itself
			}
			scorer.Score(scores, ids, values)
			predicted[p][i] = classes.Predict(t.labels, scores)
		}
	}
	return nil
}
