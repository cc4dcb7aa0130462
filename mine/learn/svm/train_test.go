package svm

import (
	"context"
	"testing"

	"fstore/index"
	"fstore/mine/learn/classes"
	"fstore/mine/learn/crossval"
	"fstore/mine/learn/measure"
)

// A sample that is held out has the same score as by machines that are trained on the other samples only.
func TestCrossValidate(t *testing.T) {
	ctx := context.Background()
	for seed := range uint64(8) {
		st := open(t, seed, 24, "a", "b", "c")
		k := kernelOf(t, "stk", 0.4, seed%2 == 0)
		o := Options{Config: k, Epsilon: 1e-9, ClassWeight: map[string]float64{"b": 3}, Workers: 2}
		s, err := readSamples(ctx, st, k, 1, index.NoProgress{})
		if err != nil {
			t.Fatal(err)
		}
		folds, err := crossval.Stratified(s.labels, 3, seed)
		if err != nil {
			t.Fatal(err)
		}
		prices := []float64{0.5, 10}
		var want [2]measure.Outcomes
		h, err := NewHoldOut(ctx, st, o)
		if err != nil {
			t.Fatal(err)
		}
		for fold := range folds.Count() {
			outside, inside := folds.Split(fold)
			for i, c := range prices {
				scores := byHand(t, s, outside, inside, c, o)
				got, err := h.scores(ctx, inside, c)
				if err != nil {
					t.Fatal(err)
				}
				for n, sample := range inside {
					for m := range scores[n] {
						if !near(got[n][m], scores[n][m], 1e-6) {
							t.Fatalf("seed %d, C %v, sample %d, machine %d: %v, by hand %v", seed, c, sample, m, got[n][m], scores[n][m])
						}
					}
					want[i].Add(classes.Predict(h.labels, scores[n]), s.labels[sample])
				}
			}
		}
		trials, err := CrossValidate(ctx, st, folds, nil, prices, o)
		if err != nil {
			t.Fatal(err)
		}
		asked := 0
		same, err := CrossValidate(ctx, st, folds, func(fold int) (index.Automaton, error) {
			asked++
			return nil, nil // nil stands for all fragments
		}, prices, o)
		if err != nil || asked != folds.Count() {
			t.Fatalf("%d folds asked for, %v", asked, err)
		}
		for i, c := range prices {
			if got := trials[i].Outcomes; trials[i].C != c || got.Correct != want[i].Correct || got.MacroF1() != want[i].MacroF1() || same[i].Outcomes.Correct != got.Correct {
				t.Errorf("seed %d, C %v: %d right, by hand %d", seed, c, got.Correct, want[i].Correct)
			}
		}
		if _, err := CrossValidate(ctx, st, folds[1:], nil, prices, o); err == nil {
			t.Error("no error for a sample without a fold")
		}
	}
}

// byHand trains machines on some samples and scores others.
func byHand(t *testing.T, s *samples, outside, inside []int, c float64, o Options) [][]float64 {
	t.Helper()
	ctx := context.Background()
	k := matrix(s)
	var prepared []any
	var own [][]string
	for _, i := range outside {
		prepared, own = append(prepared, s.trees.prepared[i]), append(own, s.labels[i])
	}
	trees, err := newTrees(ctx, s.trees.Config, s.trees.syms, prepared, 1)
	if err != nil {
		t.Fatal(err)
	}
	labels := classes.Names(s.labels)
	scores := make([][]float64, len(inside))
	for m := range labels {
		y := classes.Signs(own, labels[m])
		p := &problem{rows: newRows(trees, 1, 0), y: y, c: classes.Prices(y, labels, m, c, o.ClassWeight), epsilon: o.Epsilon}
		found, err := p.solve(ctx)
		if err != nil {
			t.Fatal(err)
		}
		for n, sample := range inside {
			f := found.bias
			for j, i := range outside {
				f += found.alpha[j] * y[j] * k[i][sample]
			}
			scores[n] = append(scores[n], f)
		}
	}
	return scores
}
