package selection_test

import (
	"context"
	"errors"
	"math"
	"testing"

	gocmp "github.com/google/go-cmp/cmp"

	"fstore/index"
	"fstore/index/spaces"
	"fstore/mine/internal/minetest"
	"fstore/mine/learn/crossval"
	"fstore/mine/learn/svm"
	"fstore/mine/selection"
	"fstore/store"
)

// The selection of a fold is the same as one made with the fold's model. This model decides like a model from
// a store without the samples of the fold.
func TestRelevancePerFold(t *testing.T) {
	ctx := context.Background()
	compared := 0
	for seed := range uint64(3) {
		fs, s := storeWithout(t, index.Constituency, seed, nil, false)
		l, err := crossval.ReadLabelled(ctx, s)
		if err != nil {
			t.Fatal(err)
		}
		folds, err := crossval.Stratified(l.Labels, 2, seed)
		if err != nil {
			t.Fatal(err)
		}
		f := crossval.Options{Folds: folds, Samples: l.Samples(), By: "hand"}
		r, err := spaces.Parse("stk")
		if err != nil {
			t.Fatal(err)
		}
		k := svm.Options{Config: svm.Config{Space: r.Space, Lambda: 0.4, Normalize: true}, C: 2, Epsilon: 1e-9, Workers: 2}
		train := func(w *store.Writer, perFold bool) error {
			m, _, err := svm.Train(ctx, w.Store(), k)
			if err != nil {
				return err
			}
			var set map[string]string
			if perFold {
				if set, _, err = svm.TrainPerFold(ctx, w, "m", k, f, nil); err != nil {
					return err
				}
			}
			return svm.PutKernelModel(w, store.ModelInfo{Name: "m", Learner: svm.LearnerSVM}, m, set)
		}
		o := selection.Options{Name: "sel", By: "relevance", Space: r.Space.ID(), Model: "m", Positive: minetest.At(l.Labels[0][0]), Top: 30, Overwrite: true}
		perFold := func() error {
			return minetest.ChangeStore(t, fs, func(w *store.Writer) error {
				_, _, err := selection.RunPerFold(ctx, w, o, f)
				return err
			})
		}
		minetest.Change(t, fs, func(w *store.Writer) error { return train(w, false) })
		if err := perFold(); err == nil {
			t.Error("no error for a model of all samples")
		}
		minetest.Change(t, fs, func(w *store.Writer) error { return train(w, true) })
		if err := perFold(); err != nil {
			t.Fatal(err)
		}
		whole := minetest.OpenStore(t, fs)
		if problems := minetest.Verify(t, whole, 0); len(problems) > 0 {
			t.Error(problems)
		}
		if mined, err := selection.MinedPerFold(whole.Meta(), whole.Meta().Selection("sel"), folds); !mined || err != nil {
			t.Fatal(mined, err)
		}
		for fold := range folds.Count() {
			byHand := o
			byHand.Name, byHand.Model = "hand", crossval.FoldName("m", fold)
			if _, err := minetest.SelectIn(t, fs, byHand); err != nil {
				t.Fatal(err)
			}
			all := minetest.OpenStore(t, fs)
			if d := gocmp.Diff(sortedEntries(t, all, "hand"), sortedEntries(t, all, crossval.FoldName("sel", fold))); d != "" {
				t.Errorf("seed %d, fold %d: (-hand +fold)\n%s", seed, fold, d)
			}
			without := map[int]bool{}
			for n, k := range folds {
				if k == fold {
					without[int(l.ID[n])] = true
				}
			}
			otherFS, other := storeWithout(t, index.Constituency, seed, without, false)
			if labels, err := other.Labels(); err != nil || len(labels) != 3 {
				continue
			}
			minetest.Change(t, otherFS, func(w *store.Writer) error { return train(w, false) })
			want, got := decisions(t, minetest.OpenStore(t, otherFS), "m"), decisions(t, all, crossval.FoldName("m", fold))
			for name, scores := range want {
				compared++
				for i := range scores {
					if math.Abs(scores[i]-got[name][i]) > 1e-6 {
						t.Errorf("seed %d, fold %d, %s: %v, alone %v", seed, fold, name, got[name], scores)
						break
					}
				}
			}
		}
		// A second run replaces the models of the first run. It refuses to replace a model that belongs to
		// another run.
		minetest.Change(t, fs, func(w *store.Writer) error { return train(w, true) })
		minetest.Change(t, fs, func(w *store.Writer) error {
			w.Meta().Model(crossval.FoldName("m", 1)).Settings[crossval.FoldOfSetting] = "other"
			return nil
		})
		if err := minetest.ChangeStore(t, fs, func(w *store.Writer) error { return train(w, true) }); !errors.Is(err, store.ErrNameTaken) {
			t.Error(err)
		}
	}
	if compared < 20 {
		t.Errorf("%d decisions", compared)
	}
}

// decisions are the scores of a model of the store for its own samples, by name.
func decisions(t *testing.T, s *store.Store, model string) map[string][]float64 {
	t.Helper()
	b, err := s.Model(model)
	if err != nil {
		t.Fatal(err)
	}
	syms, err := s.Symbols()
	if err != nil {
		t.Fatal(err)
	}
	m, err := svm.Decode(b, syms)
	if err != nil {
		t.Fatal(err)
	}
	c, err := svm.NewScorer(context.Background(), m, syms, false, 1)
	if err != nil {
		t.Fatal(err)
	}
	w := c.NewWorker()
	all := map[string][]float64{}
	err = s.Samples(0, s.Meta().Samples, func(_ uint32, tree *index.Tree) error {
		scores := make([]float64, len(m.Machines))
		all[tree.Name] = scores
		return w.Score(scores, tree)
	})
	if err != nil {
		t.Fatal(err)
	}
	return all
}
