package linear

import (
	"context"
	"math/rand/v2"
	"testing"

	"fstore/mine/internal/progresstest"
	"fstore/mine/learn/classes"
	"fstore/mine/learn/crossval"
	"fstore/mine/learn/measure"
)

// TestCrossValidate compares with cross-validation by hand: each fold is predicted by a model that is trained
// on all samples outside of it.
func TestCrossValidate(t *testing.T) {
	r := rand.New(rand.NewPCG(5, 5))
	for _, nClasses := range []int{2, 3} {
		s := randomSamples(r, 60, 15, nClasses, 1)
		folds, err := crossval.Stratified(s.Labels, 4, 1)
		if err != nil {
			t.Fatal(err)
		}
		for _, l := range Learners() {
			prices := []float64{0.01, 1}
			trials, err := CrossValidate(context.Background(), l, s, nil, folds, prices, Options{Workers: 3})
			if err != nil {
				t.Fatal(err)
			}
			for p, c := range prices {
				var want measure.Outcomes
				for fold := range 4 {
					outside, inside := folds.Split(fold)
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
	folds, _ := crossval.Random(20, 2, 0)
	l, _ := Lookup("l2-logistic")
	trials, err := CrossValidate(context.Background(), l, s, nil, folds, []float64{1}, Options{Positive: "b"})
	if err != nil || trials[0].Outcomes.Samples != 20 || trials[0].Outcomes.Of("c").Forgotten != 0 {
		t.Errorf("b from any other: %+v, %v", trials, err)
	}
	// Each fold has its own vectors.
	asked := make([]bool, 2)
	other := randomSamples(r, 20, 9, 3, 1)
	other.Labels = s.Labels
	trials, err = CrossValidate(context.Background(), l, s, func(fold int) (*Samples, error) {
		asked[fold] = true
		return other, nil
	}, folds, []float64{1}, Options{Workers: 1})
	alone, _ := CrossValidate(context.Background(), l, other, nil, folds, []float64{1}, Options{})
	if err != nil || !asked[0] || !asked[1] || trials[0].Outcomes.Correct != alone[0].Outcomes.Correct {
		t.Errorf("vectors by fold: %+v, %v", trials, err)
	}
	if _, err := CrossValidate(context.Background(), l, s, nil, folds[:5], []float64{1}, Options{}); err == nil {
		t.Error("no error for samples without a fold")
	}
}

// TestProgressIsToldOneAtATime trains machines in parallel, and wants no two calls of the progress at the
// same time.
func TestProgressIsToldOneAtATime(t *testing.T) {
	var a progresstest.Alone
	s := randomSamples(rand.New(rand.NewPCG(6, 6)), 40, 10, 5, 1)
	l, _ := Lookup("l2-logistic")
	o := Options{Workers: 4, Progress: &a}
	if _, _, err := Train(context.Background(), l, s, o); err != nil {
		t.Fatal(err)
	}
	folds, err := crossval.Random(40, 4, 0)
	if err != nil {
		t.Fatal(err)
	}
	if _, err := CrossValidate(context.Background(), l, s, nil, folds, []float64{1}, o); err != nil {
		t.Fatal(err)
	}
	if a.Clashed() {
		t.Error("called twice at a time")
	}
}
