package weights_test

import (
	"context"
	"errors"
	"math"
	"math/rand/v2"
	"testing"

	"fstore/mine/internal/minetest"
	"fstore/mine/learn/linear"
	"fstore/mine/learn/svm"
	"fstore/mine/learn/weights"
	"fstore/mine/query"
	"fstore/mine/selection"
	"fstore/store"
)

// The weights that a kernel machine gives to stored fragments follow the definition of relevance. In a
// selection by relevance, they are the scores.
func TestRelevanceOfFragments(t *testing.T) {
	ctx := context.Background()
	for seed := range uint64(4) {
		r := rand.New(rand.NewPCG(seed, 5))
		fs, m := minetest.ModelStore(t, r, "stk", 0.4, seed%2 == 0)
		if _, err := minetest.SelectIn(t, fs, selection.Options{Name: "sel", By: "relevance", Model: "m", Top: 20}); err != nil {
			t.Fatal(err)
		}
		s := minetest.OpenStore(t, fs)
		got, err := weights.ReadFragmentWeights(ctx, s, weights.FragmentWeightOptions{Model: "m"})
		if err != nil || !got.Relevance {
			t.Fatal(err)
		}
		want := map[string]float64{}
		for _, f := range minetest.Relevances(t, s, &s.Meta().Spaces[0], m) {
			want[string(f.Code)] = f.Score
		}
		for i, f := range minetest.AllFragments(t, s, &s.Meta().Spaces[0]) {
			if math.Abs(got.Of[i]-want[string(f.Code)]) > 1e-12 {
				t.Errorf("seed %d: %v, want %v", seed, got.Of[i], want[string(f.Code)])
			}
		}
		if got, err = weights.ReadFragmentWeights(ctx, s, weights.FragmentWeightOptions{Model: "m", Selection: "sel"}); err != nil {
			t.Fatal(err)
		}
		sel, err := query.OpenSelection(s, "sel")
		if err != nil {
			t.Fatal(err)
		}
		err = sel.Each(ctx, func(e *query.Entry) error {
			if math.Abs(got.Of[e.ID-1]-e.Score) > 1e-12 {
				t.Errorf("seed %d: %v, and the score is %v", seed, got.Of[e.ID-1], e.Score)
			}
			return nil
		})
		if err != nil {
			t.Fatal(err)
		}
	}
}

// A linear model gives its own weights, from the requested machine, and only for the fragments that it was
// trained over.
func TestWeightsOfFragments(t *testing.T) {
	ctx := context.Background()
	fs, _ := minetest.ModelStore(t, rand.New(rand.NewPCG(1, 5)), "stk", 0.4, true)
	if _, err := minetest.SelectIn(t, fs, selection.Options{Name: "sel", By: "support", Top: 5}); err != nil {
		t.Fatal(err)
	}
	minetest.Change(t, fs, func(w *store.Writer) error {
		weights := make([][]float64, 3)
		for k := range weights {
			weights[k] = []float64{1, 2, 0, float64(k), 0, 5}
		}
		l := linear.NewModel([]string{"a", "b", "c"}, weights, 1)
		l.Vectors = linear.Vectors{Space: "stk", Selection: "sel"}
		return w.PutModel(store.ModelInfo{
			Name: "l", Learner: "l1-svm", Selection: "sel", VocabularyHash: w.Meta().Selection("sel").VocabularyHash,
		}, l.Append(nil))
	})
	s := minetest.OpenStore(t, fs)
	got, err := weights.ReadFragmentWeights(ctx, s, weights.FragmentWeightOptions{Model: "l", Selection: "sel", Positive: "c"})
	if err != nil || got.Relevance {
		t.Fatal(err)
	}
	for i, want := range []float64{2, 0, 2, 0, 5} {
		if got.Of[i] != want {
			t.Errorf("feature %d: %v, want %v", i+1, got.Of[i], want)
		}
	}
	for _, o := range []weights.FragmentWeightOptions{
		{Model: "none"},
		{Model: "l", Positive: "c"},
		{Model: "l", Selection: "sel"},
		{Model: "l", Selection: "sel", Positive: "d"},
		{Model: "m", Positive: "z"},
		{Model: "m", Space: "st"},
	} {
		if _, err := weights.ReadFragmentWeights(ctx, s, o); err == nil {
			t.Errorf("no error of %+v", o)
		}
	}
	minetest.Change(t, fs, func(w *store.Writer) error {
		return w.PutModel(store.ModelInfo{Name: "bad", Learner: svm.LearnerSVM, Kernel: "stk"}, []byte{1})
	})
	var damage *store.Error
	if _, err := weights.ReadFragmentWeights(ctx, minetest.OpenStore(t, fs), weights.FragmentWeightOptions{Model: "bad"}); !errors.As(err, &damage) {
		t.Error(err)
	}
}
