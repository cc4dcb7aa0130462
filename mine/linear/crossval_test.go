package linear

import (
	"context"
	"errors"
	"math/rand/v2"
	"slices"
	"strconv"
	"testing"

	"fstore/mine/classes"
	"fstore/mine/measure"
)

func TestFolds(t *testing.T) {
	for seed := range uint64(30) {
		r := rand.New(rand.NewPCG(seed, 3))
		n := 6 + r.IntN(60)
		k := 2 + r.IntN(4)
		labels, groups := make([][]string, n), make([]string, n)
		for i := range n {
			labels[i] = []string{strconv.Itoa(r.IntN(3))}
			groups[i] = strconv.Itoa(i / 2)
		}
		random, err := RandomFolds(n, k, seed)
		check(t, random, n, k, err)
		again, _ := RandomFolds(n, k, seed)
		if !slices.Equal(random, again) {
			t.Fatal("one seed, two deals")
		}
		even(t, random, k, func(int) bool { return true })
		stratified, err := StratifiedFolds(labels, k, seed)
		check(t, stratified, n, k, err)
		for label := range 3 {
			even(t, stratified, k, func(i int) bool { return labels[i][0] == strconv.Itoa(label) })
		}
		if (n+1)/2 < k {
			continue
		}
		grouped, err := GroupedFolds(groups, k, seed)
		check(t, grouped, n, k, err)
		for i := range n {
			if grouped[i] != grouped[i/2*2] {
				t.Fatalf("group %s is in two folds", groups[i])
			}
		}
	}
	alone, err := GroupedFolds([]string{"", "", "a", "a"}, 3, 1)
	check(t, alone, 4, 3, err)
	for _, k := range []int{-1, 0, 1, 4} {
		var e *classes.Error
		if _, err := RandomFolds(3, k, 1); !errors.As(err, &e) {
			t.Errorf("%d folds of 3 samples: %v", k, err)
		}
	}
}

func check(t *testing.T, f Folds, n, k int, err error) {
	t.Helper()
	if err != nil || len(f) != n || f.Count() != k {
		t.Fatalf("%d samples, %d folds: %v, %v", n, k, f, err)
	}
}

// even wants the samples in a stratum to be dealt out evenly.
func even(t *testing.T, f Folds, k int, in func(i int) bool) {
	t.Helper()
	sizes := make([]int, k)
	for i, fold := range f {
		if in(i) {
			sizes[fold]++
		}
	}
	if slices.Max(sizes)-slices.Min(sizes) > 1 {
		t.Fatalf("sizes %v", sizes)
	}
}

// TestCrossValidate does it by hand: a model of each fold's complement.
func TestCrossValidate(t *testing.T) {
	r := rand.New(rand.NewPCG(5, 5))
	for _, nClasses := range []int{2, 3} {
		s := randomSamples(r, 60, 15, nClasses, 1)
		folds, err := StratifiedFolds(s.Labels, 4, 1)
		if err != nil {
			t.Fatal(err)
		}
		for _, l := range Learners() {
			prices := []float64{0.01, 1}
			trials, err := CrossValidate(context.Background(), l, s, folds, prices, Options{Workers: 3})
			if err != nil {
				t.Fatal(err)
			}
			for p, c := range prices {
				var want measure.Outcomes
				for fold := range 4 {
					outside, inside := folds.split(fold)
					m, _, err := Train(context.Background(), l, s.Select(outside), Options{C: c})
					if err != nil {
						t.Fatal(err)
					}
					held := s.Select(inside)
					scores := make([]float64, m.Scores())
					for i := range held.Labels {
						ids, values := held.X.Row(i)
						NewScorer(m).Score(scores, ids[1:], values[1:])
						want.Add(classes.Predict(m.Labels, scores), held.Labels[i])
					}
				}
				if got := &trials[p].Outcomes; got.Samples != 60 || got.Correct != want.Correct || got.MacroF1() != want.MacroF1() {
					t.Errorf("%s, C %v: %d right, by hand %d", l.Name, c, got.Correct, want.Correct)
				}
			}
		}
	}
	s := randomSamples(r, 20, 5, 3, 1)
	folds, _ := RandomFolds(20, 2, 0)
	l, _ := Lookup("l2-logistic")
	trials, err := CrossValidate(context.Background(), l, s, folds, []float64{1}, Options{Positive: "b"})
	if err != nil || trials[0].Outcomes.Samples != 20 || trials[0].Outcomes.Of("c").Forgotten != 0 {
		t.Errorf("b from any other: %+v, %v", trials, err)
	}
	if _, err := CrossValidate(context.Background(), l, s, folds[:5], []float64{1}, Options{}); err == nil {
		t.Error("no error for samples without a fold")
	}
}

func TestBest(t *testing.T) {
	trial := func(c float64, right int) Trial {
		x := Trial{C: c}
		for i := range 10 {
			label := "a"
			if i >= right {
				label = "b"
			}
			x.Outcomes.Add(label, []string{"a"})
		}
		return x
	}
	if got := Best([]Trial{trial(10, 8), trial(1, 9), trial(0.1, 9), trial(100, 7)}); got != 2 {
		t.Errorf("trial %d is the best", got)
	}
}
