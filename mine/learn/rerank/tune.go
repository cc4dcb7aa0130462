package rerank

import (
	"context"
	"errors"
	"fmt"
	"math"

	"golang.org/x/sync/errgroup"

	"fstore/index"
	"fstore/index/treescore"
	"fstore/mine/learn/crossval"
)

// Trial is the result of reranking lists by models that were trained on other folds.
type Trial struct {
	Epochs int
	Beta   float64
	Counts treescore.Counts
}

// Scores has a model's score of each tree of each list, without the base score.
type Scores [][]float64

// of returns the score of tree t of list i, or 0 if s is nil.
func (s Scores) of(i, t int) float64 {
	if s == nil {
		return 0
	}
	return s[i][t]
}

func newScores(l *Lists) Scores {
	s := make(Scores, len(l.List))
	for i := range l.List {
		s[i] = make([]float64, len(l.List[i].Trees))
	}
	return s
}

// counts returns the sum of the counts of the chosen trees, if the base score has weight beta.
func (s Scores) counts(l *Lists, beta float64) treescore.Counts {
	return l.Chosen(func(i int, x *List) int {
		return best(x.candidates(), func(t int) float64 { return float64(beta*x.Trees[t].Base) + s[i][t] })
	})
}

const gridSteps = 10

// grid returns the values of β to try, ascending: 0, and b·√2^k for k from −gridSteps to gridSteps. Here b is
// the sum of the spreads of s in the lists, divided by that of the base scores.
func (s Scores) grid(l *Lists) []float64 {
	var base, other float64
	for i := range l.List {
		x := &l.List[i]
		base += spread(x.candidates(), func(t int) float64 { return x.Trees[t].Base })
		other += spread(x.candidates(), func(t int) float64 { return s[i][t] })
	}
	grid := []float64{0}
	if base > 0 && other > 0 {
		for k := -gridSteps; k <= gridSteps; k++ {
			grid = append(grid, other/base*math.Pow(2, float64(k)/2))
		}
	}
	return grid
}

// spread returns the difference between the largest and the smallest of n numbers.
func spread(n int, numberAt func(int) float64) float64 {
	low, high := numberAt(0), numberAt(0)
	for i := 1; i < n; i++ {
		low, high = min(low, numberAt(i)), max(high, numberAt(i))
	}
	return high - low
}

// trials returns a trial for each value in `betas`, or in s.grid(l) if `betas` is empty.
func (s Scores) trials(l *Lists, epochs int, betas []float64) (all []Trial) {
	if len(betas) == 0 {
		betas = s.grid(l)
	}
	for _, beta := range betas {
		all = append(all, Trial{epochs, beta, s.counts(l, beta)})
	}
	return all
}

// Best returns the trial with the highest score. Of equal trials it returns the first.
func Best(l *Lists, trials []Trial) Trial {
	return trials[best(len(trials), func(i int) float64 { return trials[i].Counts.Score(l.Kind) })]
}

// OutOfFold trains a perceptron on the lists outside of each fold. It returns the scores of all trees after
// each epoch. A tree gets its score from the perceptron of its own fold.
func OutOfFold(ctx context.Context, l *Lists, v *Vectors, folds crossval.Folds, o Options) (byEpoch []Scores, err error) {
	if byEpoch, err = o.begin(l, folds); err != nil {
		return nil, err
	}
	o.Progress.Step("cross-validate", "epochs", int64(folds.Count()*o.Epochs))
	pool, ctx := errgroup.WithContext(ctx)
	fit := v.scratch.Memory / (averageBytes * int64(v.Features+1))
	pool.SetLimit(int(max(1, min(int64(index.Workers(o.Workers)), fit))))
	for fold := range folds.Count() {
		pool.Go(func() error { return outOfFold(ctx, l, v, folds, fold, byEpoch, o) })
	}
	return byEpoch, pool.Wait()
}

// OutOfEachFold is like OutOfFold, but each fold has its own vectors. vectorsOf(fold) returns the vectors of
// all lists over fragments that were mined outside of the fold. OutOfEachFold closes them.
func OutOfEachFold(ctx context.Context, l *Lists, vectorsOf func(fold int) (*Vectors, error), folds crossval.Folds, o Options) (byEpoch []Scores, err error) {
	if byEpoch, err = o.begin(l, folds); err != nil {
		return nil, err
	}
	for fold := range folds.Count() {
		v, err := vectorsOf(fold)
		if err != nil {
			return nil, err
		}
		o.Progress.Step(fmt.Sprintf("fold %d", fold+1), "epochs", int64(o.Epochs))
		err = outOfFold(ctx, l, v, folds, fold, byEpoch, o)
		if err := errors.Join(err, v.Close()); err != nil {
			return nil, err
		}
	}
	return byEpoch, nil
}

// begin sets the defaults of o, checks that each list has a fold, and returns scores of 0 for each epoch.
func (o *Options) begin(l *Lists, folds crossval.Folds) ([]Scores, error) {
	o.setDefaults()
	if len(folds) != len(l.List) {
		return nil, fmt.Errorf("%d lists dealt out of %d", len(folds), len(l.List))
	}
	byEpoch := make([]Scores, o.Epochs)
	for e := range byEpoch {
		byEpoch[e] = newScores(l)
	}
	return byEpoch, nil
}

// outOfFold trains outside of one fold, and scores the fold's trees after each epoch.
func outOfFold(ctx context.Context, l *Lists, v *Vectors, folds crossval.Folds, fold int, byEpoch []Scores, o Options) error {
	outside, inside := folds.Split(fold)
	r := v.reader()
	return perceptron(ctx, l, v, outside, o, func(epoch int, a *average, mistakes int) error {
		for _, i := range inside {
			if err := a.scores(byEpoch[epoch][i], r, i); err != nil {
				return err
			}
		}
		o.Progress.Add(1)
		// If training ended early, the remaining epochs have the same scores.
		for e := epoch + 1; e < o.Epochs && mistakes == 0; e++ {
			for _, i := range inside {
				copy(byEpoch[e][i], byEpoch[epoch][i])
			}
			o.Progress.Add(1)
		}
		return nil
	})
}

// TrialsByEpoch returns the trials of reranking by the scores of OutOfFold, ordered by epoch, then by β. If
// betas is empty, each epoch has its own grid.
func TrialsByEpoch(l *Lists, byEpoch []Scores, betas []float64) (trials []Trial) {
	for e, s := range byEpoch {
		trials = append(trials, s.trials(l, e+1, betas)...)
	}
	return trials
}
