package rerank

import (
	"context"
	"math"

	"golang.org/x/sync/errgroup"

	"fstore/index"
	"fstore/index/treescore"
	"fstore/mine/learn/crossval"
)

// Weighing chooses the weights of columns, and of the scores of vectors, by cross-validation.
type Weighing struct {
	Lists   *Lists
	Folds   crossval.Folds
	Workers int // 0 is one a processor

	use columns
}

// trial is what was chosen in all folds, and the errors of each list.
type trial struct {
	sum    treescore.Counts
	errors []float64
}

// try learns weights outside of each fold, and chooses inside of it. Scores are those of vectors,
// by models that have not learned from the list; nil: there are none.
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

// take is what weights choose of a list.
func (w *Weighing) take(i int, use columns, weights []float64, scores Scores) treescore.Counts {
	x := &w.Lists.List[i]
	return x.Trees[best(x.candidates(), func(t int) float64 { return w.Lists.weighed(i, t, use, weights, scores) })].Counts
}

// finer is how many steps of a fourth of an octave the weight of the vectors' scores is changed
// by either way.
const finer = 12

// learn learns weights, such that few errors are expected. The weight of the vectors' scores is
// then that of a grid around it which makes the fewest; of equals the first of the nearest.
func (w *Weighing) learn(lists []int, use columns, scores Scores) []float64 {
	weights := newCandidateRows(w.Lists, lists, use, scores).learn()
	unit := weights[len(use)]
	if unit == 0 {
		return weights
	}
	found, least := unit, math.Inf(1)
	for step := range 2*finer + 1 {
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

// ByEpoch chooses the columns that are looked at, and the epochs after which scores are best beside
// them. Trials are by epoch.
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

// choose begins with the first set of columns, which is the parser's score, and adds one set after
// the other where that makes clearly fewer errors.
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

// clearlyFewer says whether a has fewer errors than b by more than twoErrors standard errors of the
// difference.
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

// twoErrors is what a difference is that chance alone seldom makes, in standard errors.
const twoErrors = 2

// Choice is the Column.Choice of those that were chosen, 0 where they have none.
func (w *Weighing) Choice() (choice int) {
	for _, c := range w.use {
		choice = max(choice, w.Lists.Columns[c].Choice)
	}
	return choice
}

// Learn returns what was chosen with weights from all lists, such that scores of vectors count as
// they are, or nothing at all, where vectors is false. Scores are of models that have not learned
// from the list.
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
