package rerank

import (
	"context"

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

// Try learns weights outside of each fold, and chooses inside of it. Scores are those of vectors,
// by models that have not learned from the list; nil: there are none.
func (w *Weighing) try(ctx context.Context, use columns, scores Scores) (sum treescore.Counts, err error) {
	pool, ctx := errgroup.WithContext(ctx)
	pool.SetLimit(index.Workers(w.Workers))
	byFold := make([]treescore.Counts, w.Folds.Count())
	for fold := range byFold {
		pool.Go(func() error {
			outside, inside := w.Folds.Split(fold)
			weights := newCandidateRows(w.Lists, outside, use, scores).learn()
			for _, i := range inside {
				x := &w.Lists.List[i]
				at := best(x.candidates(), func(t int) float64 { return w.Lists.weighed(i, t, use, weights, scores) })
				byFold[fold].Add(x.Trees[at].Counts)
			}
			return ctx.Err()
		})
	}
	err = pool.Wait()
	for _, c := range byFold {
		sum.Add(c)
	}
	return sum, err
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
		trials = append(trials, Trial{Epochs: e + 1, Counts: c})
	}
	at := best(len(trials), func(i int) float64 { return -trials[i].Counts.Errors(w.Lists.Kind) })
	return trials, trials[at].Epochs, nil
}

// choose begins with the parser's score alone, and adds one set of columns after the other where
// it makes fewer errors.
func (w *Weighing) choose(ctx context.Context, scores Scores) error {
	var least float64
	for k, set := range w.Lists.sets() {
		most := w.use
		for _, variant := range set {
			use := append(append(columns(nil), w.use...), variant...)
			c, err := w.try(ctx, use, scores)
			if err != nil {
				return err
			}
			if errors := c.Errors(w.Lists.Kind); k == 0 && most == nil || errors < least {
				least, most = errors, use
			}
		}
		w.use = most
	}
	return nil
}

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
	weights := newCandidateRows(w.Lists, crossval.UpTo(len(w.Lists.List)), w.use, scores).learn()
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
