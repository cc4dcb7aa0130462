package rerank

import (
	"context"
	"math"

	"golang.org/x/sync/errgroup"

	"fstore/index"
	"fstore/index/treescore"
	"fstore/mine/learn/crossval"
)

// Weighing chooses columns, and the weights of columns and of the vectors' scores, by cross-validation.
type Weighing struct {
	Lists   *Lists
	Folds   crossval.Folds
	Workers int // 0: one for each processor

	use columns
}

// trial is the outcome of cross-validation: the counts of the chosen trees, and the errors in each list.
type trial struct {
	sum    treescore.Counts
	errors []float64
}

// try chooses trees in each fold, by weights that are learned from the lists outside of the fold. The scores
// of a list must be from a model that has not learned from the list. `scores` is nil if there are no vectors.
func (w *Weighing) try(ctx context.Context, use columns, scores Scores) (*trial, error) {
	pool, ctx := errgroup.WithContext(ctx)
	pool.SetLimit(index.Workers(w.Workers))
	byFold := make([]treescore.Counts, w.Folds.Count())
	all := &trial{errors: make([]float64, len(w.Lists.List))}
	for fold := range byFold {
		pool.Go(func() error {
			outside, inside := w.Folds.Split(fold)
			weights := w.learn(outside, use, scores)
			for _, i := range inside {
				c := w.take(i, use, weights, scores)
				byFold[fold].Add(c)
				all.errors[i] = c.Errors(w.Lists.Kind)
			}
			return ctx.Err()
		})
	}
	err := pool.Wait()
	for _, c := range byFold {
		all.sum.Add(c)
	}
	return all, err
}

// take returns the counts of the best tree of list i, the tree with the largest score under these weights.
func (w *Weighing) take(i int, use columns, weights []float64, scores Scores) treescore.Counts {
	x := &w.Lists.List[i]
	return x.Trees[best(x.candidates(), func(t int) float64 { return w.Lists.weighed(i, t, use, weights, scores) })].Counts
}

// finerSteps is how many values are tried on either side of the learned weight of the vectors' scores.
// Neighbouring values differ by the factor 2^¼.
const finerSteps = 12

// learn learns weights that make the expected number of errors small. The weight of the vectors' scores is
// then refined to make the fewest errors.
func (w *Weighing) learn(lists []int, use columns, scores Scores) []float64 {
	weights := newCandidateRows(w.Lists, lists, use, scores).learn()
	unit := weights[len(use)]
	if unit == 0 {
		return weights
	}
	found, least := unit, math.Inf(1)
	for step := range 2*finerSteps + 1 {
		k := (step + 1) / 2 // 0, 1, -1, 2, -2 …
		if step%2 == 0 {
			k = -k
		}
		weights[len(use)] = unit * math.Pow(2, float64(k)/4)
		errors := 0.0
		for _, i := range lists {
			c := w.take(i, use, weights, scores)
			errors += c.Errors(w.Lists.Kind)
		}
		if errors < least {
			found, least = weights[len(use)], errors
		}
	}
	weights[len(use)] = found
	return weights
}

// ByEpoch chooses the columns to use, and then the number of epochs with the fewest errors. It returns a
// trial for each epoch.
func (w *Weighing) ByEpoch(ctx context.Context, byEpoch []Scores) (trials []Trial, epochs int, err error) {
	last := byEpoch[len(byEpoch)-1]
	if err := w.choose(ctx, last); err != nil {
		return nil, 0, err
	}
	for e, scores := range byEpoch {
		c, err := w.try(ctx, w.use, scores)
		if err != nil {
			return nil, 0, err
		}
		trials = append(trials, Trial{Epochs: e + 1, Counts: c.sum})
	}
	at := best(len(trials), func(i int) float64 { return -trials[i].Counts.Errors(w.Lists.Kind) })
	return trials, trials[at].Epochs, nil
}

// choose starts with the first set of columns, the parser's score. It adds another set only if clearly fewer
// errors remain.
func (w *Weighing) choose(ctx context.Context, scores Scores) error {
	var before *trial
	for _, set := range w.Lists.sets() {
		var most *trial
		var found columns
		for _, variant := range set {
			use := append(append(columns(nil), w.use...), variant...)
			c, err := w.try(ctx, use, scores)
			if err != nil {
				return err
			}
			if most == nil || c.sum.Errors(w.Lists.Kind) < most.sum.Errors(w.Lists.Kind) {
				most, found = c, use
			}
		}
		if before == nil || clearlyFewer(most.errors, before.errors) {
			before, w.use = most, found
		}
	}
	return nil
}

// clearlyFewer says whether a has fewer errors than b, by more than twoErrors standard errors.
func clearlyFewer(a, b []float64) bool {
	n := float64(len(a))
	var sum, squares float64
	for i := range a {
		d := b[i] - a[i]
		sum += d
		squares += float64(d * d)
	}
	return sum > twoErrors*math.Sqrt(max(squares-sum*sum/n, 0))
}

// twoErrors is a difference, in standard errors, that chance alone seldom makes.
const twoErrors = 2

// Choice returns the largest variant (Column.Choice) of the chosen columns.
func (w *Weighing) Choice() (choice int) {
	for _, c := range w.use {
		choice = max(choice, w.Lists.Columns[c].Choice)
	}
	return choice
}

// Learn returns the chosen columns with weights learned on all lists, and whether the vectors' scores count
// too, with weight 1. The given scores of a list must come from a model that has not learned from this list.
func (w *Weighing) Learn(scores Scores) (terms []Term, vectors bool) {
	weights := w.learn(crossval.UpTo(len(w.Lists.List)), w.use, scores)
	unit := weights[len(w.use)]
	for k, c := range w.use {
		x := weights[k]
		if unit > 0 {
			x /= unit
		}
		if x != 0 {
			terms = append(terms, Term{w.Lists.Columns[c].Name, x})
		}
	}
	return terms, unit > 0
}
