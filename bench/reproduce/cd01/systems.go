package main

import (
	"context"
	"fmt"
	"math"

	"golang.org/x/sync/errgroup"

	"fstore/index/treescore"
)

// table is systems that differ in one thing. Its numbers are shares from 0 to 1, a split each: F1 of
// brackets, or the right tags.
type table struct {
	caption, head string
	of            func(*split) *lists
	systems       []*system

	base, oracle         []float64 // of the development sentences
	testBase, testOracle []float64
	testAlone, testBest  []float64 // of what was best on the development sentences
}

// system is a row: voted perceptrons over a kernel. Alone is β = 0, best the best of betas.
type system struct {
	name        string
	lambda      float64
	depth       int
	alone, best []float64
	bestBeta    int    // of the last split: its place in betas
	v           *voted // of the last split
}

// tables are those of the paper, of fewer λ, and one of the tagging kernel. λ is 1 where the depth
// varies, as in the paper.
func tables() []*table {
	ofTrees, ofTags := func(s *split) *lists { return &s.trees }, func(s *split) *lists { return &s.tags }
	byDepth := &table{caption: "Table 1: F1 by the largest depth of a fragment (`stk:max-depth=D`), λ = 1.", head: "depth", of: ofTrees}
	for d := 1; d <= 6; d++ {
		byDepth.systems = append(byDepth.systems, &system{name: fmt.Sprint(d), lambda: 1, depth: d})
	}
	byLambda := &table{caption: "Table 2: F1 by λ (`stk`).", head: "λ", of: ofTrees}
	for _, l := range []float64{0.1, 0.3, 0.5, 0.7, 0.9} {
		byLambda.systems = append(byLambda.systems, &system{name: fmt.Sprint(l), lambda: l})
	}
	byTags := &table{caption: "The tagging kernel (`tag`): right tags by λ.", head: "λ of tags", of: ofTags}
	for _, l := range []float64{0.1, 0.3, 0.9} {
		byTags.systems = append(byTags.systems, &system{name: fmt.Sprint(l), lambda: l})
	}
	return []*table{byDepth, byLambda, byTags}
}

// run trains the systems of all tables on a split and adds their scores, on at most workers
// goroutines.
func (s *split) run(ctx context.Context, all []*table, workers int) error {
	pool, poolCtx := errgroup.WithContext(ctx)
	pool.SetLimit(workers)
	for _, t := range all {
		x := t.of(s)
		for _, y := range t.systems {
			pool.Go(func() (err error) {
				if y.v, err = train(poolCtx, kernel{forest: x.forest, lambda: y.lambda, depth: y.depth}, x.train); err != nil {
					return err
				}
				counts, err := y.v.choose(poolCtx, x.dev)
				if err != nil {
					return err
				}
				y.bestBeta = highest(shares(counts))
				y.alone, y.best = append(y.alone, counts[0].LF1()), append(y.best, counts[y.bestBeta].LF1())
				return nil
			})
		}
	}
	if err := pool.Wait(); err != nil {
		return err
	}
	for _, t := range all {
		first, oracle := base(t.of(s).dev)
		t.base, t.oracle = append(t.base, first.LF1()), append(t.oracle, oracle.LF1())
		if err := t.test(ctx, t.of(s).test); err != nil {
			return err
		}
	}
	return nil
}

// test adds the scores, on the test sentences, of what was best on the development sentences of the
// same split: with β = 0, and with any.
func (t *table) test(ctx context.Context, lists []list) error {
	first, oracle := base(lists)
	t.testBase, t.testOracle = append(t.testBase, first.LF1()), append(t.testOracle, oracle.LF1())
	alone, best := t.systems[0], t.systems[0]
	for _, y := range t.systems {
		if last(y.alone) > last(alone.alone) {
			alone = y
		}
		if last(y.best) > last(best.best) {
			best = y
		}
	}
	counts, err := alone.v.choose(ctx, lists)
	if err != nil {
		return err
	}
	t.testAlone = append(t.testAlone, counts[0].LF1())
	if best != alone {
		if counts, err = best.v.choose(ctx, lists); err != nil {
			return err
		}
	}
	t.testBest = append(t.testBest, counts[best.bestBeta].LF1())
	return nil
}

// shares are the scores of counts.
func shares(counts []treescore.Counts) (all []float64) {
	for _, c := range counts {
		all = append(all, c.LF1())
	}
	return all
}

func last(all []float64) float64 { return all[len(all)-1] }

// meanAndError are the mean, and its standard error.
func meanAndError(all []float64) (mean, sem float64) {
	for _, x := range all {
		mean += x / float64(len(all))
	}
	for _, x := range all {
		sem += (x - mean) * (x - mean)
	}
	n := float64(len(all))
	return mean, math.Sqrt(sem / (n - 1) / n)
}
