package minetest

import (
	"cmp"
	"context"
	"errors"
	"math"
	"math/rand/v2"
	"slices"
	"testing"

	"github.com/cockroachdb/pebble/v2/vfs"

	"fstore/index"
	"fstore/index/expansion"
	"fstore/mine/builder"
	"fstore/mine/learn/svm"
	"fstore/mine/selection"
	"fstore/store"
)

// ModelStore returns a store of random trees with all fragments of a space, and a random model over some of
// the trees.
func ModelStore(t *testing.T, r *rand.Rand, space string, lambda float64, normalize bool) (vfs.FS, *svm.Model) {
	t.Helper()
	fs := vfs.NewMem()
	seed := r.Uint64()
	o := Options(t, fs, 0, 0, space+":min-support=1,max-order=0")
	o.Source = func(s *index.Symbols) (index.Source, error) { return NewSource(s, seed, 0, 8), nil }
	if _, err := builder.Run(context.Background(), "s", o); err != nil {
		t.Fatal(err)
	}
	w, err := store.Begin("s", store.WriteOptions{Options: store.Options{FS: fs}, Mode: store.Append})
	if err != nil {
		t.Fatal(err)
	}
	m := RandomModel(t, r, w, svm.Config{Space: o.Spaces.Spaces[0].Space, Lambda: lambda, Normalize: normalize})
	PutModel(t, w, m)
	return fs, m
}

// RandomModel returns a model of random weights over some of the trees of a store.
func RandomModel(t *testing.T, r *rand.Rand, w *store.Writer, k svm.Config) *svm.Model {
	t.Helper()
	m := &svm.Model{
		Config: k, Kind: w.Meta().Kind, OneAlphabet: w.Meta().OneAlphabet,
		Labels:   []string{"x", "y"},
		Machines: []svm.Machine{{Bias: r.Float64()}},
	}
	for id := range w.Meta().Samples {
		if r.IntN(4) == 0 {
			continue
		}
		var v svm.Vector
		if err := w.Store().Sample(id, &v.Tree); err != nil {
			t.Fatal(err)
		}
		v.Tree.Name = ""
		v.Weights = []float64{float64(1+r.IntN(3)) * float64(1-2*r.IntN(2))}
		m.Vectors = append(m.Vectors, v)
	}
	return m
}

func PutModel(t *testing.T, w *store.Writer, m *svm.Model) {
	t.Helper()
	err := w.PutModel(store.ModelInfo{Name: "m", Learner: svm.LearnerSVM, Kernel: m.Space.ID()}, m.Append(nil))
	if err := errors.Join(err, w.Commit()); err != nil {
		t.Fatal(err)
	}
}

// Weighed is a fragment with its relevance.
type Weighed struct {
	Code         index.Code
	Score        float64
	Support, Occ uint32
	Where        []float64 // its occurrences in each vector
}

// Relevances computes, by the definition, the relevance of all stored fragments in the model's vectors. The
// largest comes first.
func Relevances(t *testing.T, s *store.Store, info *store.SpaceInfo, m *svm.Model) (all []Weighed) {
	t.Helper()
	syms, err := s.Symbols()
	if err != nil {
		t.Fatal(err)
	}
	for _, f := range AllFragments(t, s, info) {
		all = append(all, Weighed{Code: f.Code, Where: make([]float64, len(m.Vectors))})
	}
	x, err := expansion.Open(s.FS(), s.Path(info.Expansion))
	if err != nil {
		t.Fatal(err)
	}
	defer x.Close()
	match, k := m.Space.NewMatcher(x, syms, m.Lambda), m.Space.NewKernel(syms, m.Lambda)
	for i := range m.Vectors {
		v := &m.Vectors[i]
		alpha := v.Weights[0]
		if m.Normalize {
			p, err := k.Prepare(&v.Tree)
			if err != nil {
				t.Fatal(err)
			}
			if self := k.Eval(p, p).Float(); self > 0 {
				alpha /= math.Sqrt(self)
			}
		}
		hits, err := match.Match(&v.Tree, 0)
		if err != nil {
			t.Fatal(err)
		}
		for _, h := range hits {
			f := &all[h.ID-1]
			f.Score += alpha * index.Value(m.Space, int(h.Order), h.Match, m.Lambda)
			f.Support++
			f.Occ += uint32(h.Match.Count)
			f.Where[i] = h.Match.Count
		}
	}
	all = slices.DeleteFunc(all, func(f Weighed) bool { return f.Support == 0 })
	slices.SortStableFunc(all, func(a, b Weighed) int { return cmp.Compare(math.Abs(b.Score), math.Abs(a.Score)) })
	return all
}

// SelectIn makes a selection in the store "s" of fs. It returns nil after an error.
func SelectIn(t *testing.T, fs vfs.FS, o selection.Options) (out *selection.Result, err error) {
	t.Helper()
	err = ChangeStore(t, fs, func(w *store.Writer) (err error) {
		out, err = selection.Run(context.Background(), w, o)
		return err
	})
	return out, err
}
