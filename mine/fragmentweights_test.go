package mine

import (
	"context"
	"errors"
	"math"
	"math/rand/v2"
	"testing"

	"fstore/mine/linear"
	"fstore/mine/query"
	"fstore/mine/svm"
	"fstore/store"
)

// What a kernel machine says of stored fragments is the definition of relevance; in a
// selection by relevance, it is the score.
func TestRelevanceOfFragments(t *testing.T) {
	ctx := context.Background()
	for seed := range uint64(4) {
		r := rand.New(rand.NewPCG(seed, 5))
		fs, m := modelStore(t, r, "stk", 0.4, seed%2 == 0)
		if _, err := selectIn(t, fs, SelectOptions{Name: "sel", By: "relevance", Model: "m", Top: 20}); err != nil {
			t.Fatal(err)
		}
		s := openStore(t, fs)
		got, err := ReadFragmentWeights(ctx, s, FragmentWeightOptions{Model: "m"})
		if err != nil || !got.Relevance {
			t.Fatal(err)
		}
		want := map[string]float64{}
		for _, f := range relevances(t, s, &s.Meta().Spaces[0], m) {
			want[string(f.code)] = f.score
		}
		for i, f := range allFragments(t, s, &s.Meta().Spaces[0]) {
			if math.Abs(got.Of[i]-want[string(f.code)]) > 1e-12 {
				t.Errorf("seed %d: %v, want %v", seed, got.Of[i], want[string(f.code)])
			}
		}
		if got, err = ReadFragmentWeights(ctx, s, FragmentWeightOptions{Model: "m", Selection: "sel"}); err != nil {
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

// What a linear model says is its weight, of the machine that is asked for, and only of the
// fragments that it is over.
func TestWeightsOfFragments(t *testing.T) {
	ctx := context.Background()
	fs, _ := modelStore(t, rand.New(rand.NewPCG(1, 5)), "stk", 0.4, true)
	if _, err := selectIn(t, fs, SelectOptions{Name: "sel", By: "support", Top: 5}); err != nil {
		t.Fatal(err)
	}
	change(t, fs, func(w *store.Writer) error {
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
	s := openStore(t, fs)
	got, err := ReadFragmentWeights(ctx, s, FragmentWeightOptions{Model: "l", Selection: "sel", Positive: "c"})
	if err != nil || got.Relevance {
		t.Fatal(err)
	}
	for i, want := range []float64{2, 0, 2, 0, 5} {
		if got.Of[i] != want {
			t.Errorf("feature %d: %v, want %v", i+1, got.Of[i], want)
		}
	}
	for _, o := range []FragmentWeightOptions{
		{Model: "none"},
		{Model: "l", Positive: "c"},
		{Model: "l", Selection: "sel"},
		{Model: "l", Selection: "sel", Positive: "d"},
		{Model: "m", Positive: "z"},
		{Model: "m", Space: "st"},
	} {
		if _, err := ReadFragmentWeights(ctx, s, o); err == nil {
			t.Errorf("no error of %+v", o)
		}
	}
	change(t, fs, func(w *store.Writer) error {
		return w.PutModel(store.ModelInfo{Name: "bad", Learner: svm.LearnerSVM, Kernel: "stk"}, []byte{1})
	})
	var damage *store.Error
	if _, err := ReadFragmentWeights(ctx, openStore(t, fs), FragmentWeightOptions{Model: "bad"}); !errors.As(err, &damage) {
		t.Error(err)
	}
}
