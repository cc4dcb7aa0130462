package main

import (
	"context"
	"fmt"
	"math"

	"fstore/index/stk"
	"fstore/index/tag"
	"fstore/index/treescore"
	"fstore/mine/learn/svm"
)

// table compares systems that differ in one setting.
type table struct {
	caption, head string
	of            func(*split) *lists
	systems       []system
	splits        []scores
}

// system is a row of a table: perceptrons over a kernel.
type system struct {
	name string
	svm.Config
}

// pair holds two scores of a system, from 0 to 1: that of the voted perceptron, and that of the averaged
// perceptron with log P at the best beta.
type pair struct{ alone, best float64 }

// scores holds the scores on a split: F1 of brackets, or the share of correct tags. `base` and `testBase` are
// for the most probable trees.
type scores struct {
	base, oracle         float64 // on the development sentences
	testBase, testOracle float64
	systems              []pair // on the development sentences
	test                 pair   // of the systems that are best on the development sentences
}

// tables returns the paper's tables with fewer values of λ, and a table for the tagging kernel.
func tables(splits int) []*table {
	ofTrees, ofTags := func(s *split) *lists { return &s.trees }, func(s *split) *lists { return &s.tags }
	byDepth := &table{caption: "Table 1: F1 by the largest depth of a fragment (`stk:max-depth=D`), λ = 1.", head: "depth", of: ofTrees}
	for d := 1; d <= 6; d++ {
		byDepth.systems = append(byDepth.systems, system{fmt.Sprint(d), svm.Config{Space: stk.Space{MaxDepth: d}, Lambda: 1}})
	}
	byLambda := &table{caption: "Table 2: F1 by λ (`stk`).", head: "λ", of: ofTrees}
	for _, l := range []float64{0.1, 0.3, 0.5, 0.7, 0.9} {
		byLambda.systems = append(byLambda.systems, system{fmt.Sprint(l), svm.Config{Space: stk.Space{}, Lambda: l}})
	}
	byTags := &table{caption: "The tagging kernel (`tag`): right tags by λ.", head: "λ of tags", of: ofTags}
	for _, l := range []float64{0.1, 0.3, 0.9} {
		byTags.systems = append(byTags.systems, system{fmt.Sprint(l), svm.Config{Space: tag.Space{}, Lambda: l}})
	}
	all := []*table{byDepth, byLambda, byTags}
	for _, t := range all {
		t.splits = make([]scores, splits)
	}
	return all
}

// compare trains all systems on a split, and tests those that are best on the development sentences.
func (t *table) compare(ctx context.Context, x *lists) (s scores, err error) {
	first, oracle := base(x.dev)
	s.base, s.oracle = first.LF1(), oracle.LF1()
	first, oracle = base(x.test)
	s.testBase, s.testOracle = first.LF1(), oracle.LF1()
	var alone, best *perceptron
	var most pair
	bestBeta := 0
	for _, y := range t.systems {
		v, err := learn(ctx, y.Config, x)
		if err != nil {
			return s, err
		}
		voted, averaged, err := v.choose(ctx, x.Builder, x.dev)
		if err != nil {
			return s, err
		}
		beta := highest(shares(averaged))
		p := pair{voted.LF1(), averaged[beta].LF1()}
		s.systems = append(s.systems, p)
		if alone == nil || p.alone > most.alone {
			alone, most.alone = v, p.alone
		}
		if best == nil || p.best > most.best {
			best, most.best, bestBeta = v, p.best, beta
		}
	}
	voted, averaged, err := alone.choose(ctx, x.Builder, x.test)
	if err != nil {
		return s, err
	}
	if best != alone {
		if _, averaged, err = best.choose(ctx, x.Builder, x.test); err != nil {
			return s, err
		}
	}
	s.test = pair{voted.LF1(), averaged[bestBeta].LF1()}
	return s, nil
}

// column returns f(s) for the scores s of each split.
func (t *table) column(f func(s *scores) float64) (all []float64) {
	for i := range t.splits {
		all = append(all, f(&t.splits[i]))
	}
	return all
}

// shares returns the F1 of each of the counts.
func shares(counts []treescore.Counts) (all []float64) {
	for _, c := range counts {
		all = append(all, c.LF1())
	}
	return all
}

// meanAndError returns the mean and its standard error.
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
