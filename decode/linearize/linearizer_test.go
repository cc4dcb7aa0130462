package linearize_test

import (
	"context"
	"errors"
	"fmt"
	"math"
	"slices"
	"strings"
	"sync"
	"testing"

	"github.com/cockroachdb/pebble/v2/vfs"
	"github.com/google/go-cmp/cmp"
	"github.com/google/go-cmp/cmp/cmpopts"

	"fstore/decode/internal/decodetest"
	"fstore/decode/linearize"
	"fstore/decode/predict"
	"fstore/decode/read"
	"fstore/decode/vector"
	"fstore/index"
	"fstore/index/stk"
	"fstore/mine/builder"
	"fstore/mine/learn/linear"
	"fstore/mine/selection"
	"fstore/store"
)

// selected adds selections to a store in memory, and opens the store again.
func selected(t *testing.T, s *store.Store, all ...selection.Options) *store.Store {
	t.Helper()
	fs := s.FS()
	if err := s.Close(); err != nil {
		t.Fatal(err)
	}
	for _, o := range all {
		change(t, fs, func(w *store.Writer) error {
			_, err := selection.Run(context.Background(), w, o)
			return err
		})
	}
	return decodetest.OpenStore(t, fs)
}

// change changes the store.
func change(t *testing.T, fs vfs.FS, f func(*store.Writer) error) {
	t.Helper()
	w, err := store.Begin("s", store.WriteOptions{Options: store.Options{FS: fs}, Mode: store.Append})
	if err != nil {
		t.Fatal(err)
	}
	if err := f(w); err != nil {
		t.Fatal(errors.Join(err, w.Abort()))
	}
	if err := w.Commit(); err != nil {
		t.Fatal(err)
	}
}

// Selections, and fragments that are closed, are also linearized from posting lists. The exception is a
// selection with fragments that are not stored.
func TestStoredSamplesInSelections(t *testing.T) {
	for _, space := range []string{"stk", "stk:closed=true"} {
		s := selected(t, textStore(t, randomBrackets(20, 2), space),
			selection.Options{Name: "top", By: "chi2", Top: 20},
			selection.Options{Name: "frequent", By: "support", MinSupport: new(uint32(5))},
			selection.Options{Name: "deep", By: "support", MinSupport: new(uint32(1)), MaxOrder: new(5)})
		for name, stored := range map[string]bool{"top": true, "frequent": true, "deep": false} {
			set := []linearize.FeatureSet{{Space: stk.Space{}, Selection: name}}
			t.Run(space+"/"+name, func(t *testing.T) { eachLinearizer(t, s, set, sameAsTrees) })
			l, err := linearize.New(s, linearize.Options{Features: set})
			if err != nil {
				t.Fatal(err)
			}
			if _, err := l.Transpose(context.Background()); errors.Is(err, linearize.ErrNotStored) == stored {
				t.Errorf("%s, %s: %v", space, name, err)
			}
			if err := l.Close(); err != nil {
				t.Fatal(err)
			}
		}
	}
}

// The vector over several feature sets is the vectors over each set, one after the other.
func TestSideBySide(t *testing.T) {
	s := selected(t, textStore(t, randomBrackets(12, 3), "stk", "ptk", "tag"),
		selection.Options{Name: "top", Space: "stk", By: "chi2", Top: 20})
	sets := []linearize.FeatureSet{{Space: parseSpace(t, "ptk")}, {Space: stk.Space{}, Selection: "top"}, {Space: parseSpace(t, "tag")}}
	eachLinearizer(t, s, sets, func(t *testing.T, all *linearize.Linearizer) {
		var want []*vector.Vector
		var fragments []string
		base := uint32(0)
		for i := range sets {
			o := all.O
			if o.Features = sets[i : i+1]; o.Normalize == linearize.NormalizeL2 {
				o.Normalize = linearize.NormalizeNone // the length is that of the whole vector
			}
			l, err := linearize.New(s, o)
			if err != nil {
				t.Fatal(err)
			}
			for row, v := range vectors(t, l) {
				if i == 0 {
					want = append(want, &vector.Vector{Label: v.Label, Sample: v.Sample})
				}
				for k, id := range v.ID {
					want[row].ID, want[row].Value = append(want[row].ID, base+id), append(want[row].Value, v.Value[k])
				}
			}
			fragments = append(fragments, features(t, l, base)...)
			base += l.Features()
			if err := l.Close(); err != nil {
				t.Fatal(err)
			}
		}
		for row, v := range vectors(t, all) {
			if all.O.Normalize == linearize.NormalizeL2 {
				linearize.ScaleL2(want[row].Value)
			}
			if fmt.Sprint(v) != fmt.Sprint(want[row]) {
				t.Fatalf("vector %d: %v, want %v", row, v, want[row])
			}
		}
		if got := features(t, all, 0); all.Features() != base || !slices.Equal(got, fragments) {
			t.Fatalf("%d features, want %d:\n%s\nwant\n%s", all.Features(), base, got, fragments)
		}
	})
}

// features returns descriptions of the features of l, with ids above base.
func features(t *testing.T, l *linearize.Linearizer, base uint32) (all []string) {
	t.Helper()
	err := l.EachFeature(context.Background(), func(x *linearize.Feature) error {
		text := l.AppendText(nil, x)
		byID, err := l.AppendFragment(nil, x.ID)
		if string(byID) != string(text) {
			t.Errorf("feature %d is %s and %s", x.ID, text, byID)
		}
		all = append(all, fmt.Sprint(base+x.ID, x.Space.ID(), string(text), x.Order, x.Support, x.Value))
		return err
	})
	if err != nil {
		t.Fatal(err)
	}
	if _, err := l.AppendFragment(nil, l.Features()+1); !errors.Is(err, store.ErrNotFound) {
		t.Error(err)
	}
	return all
}

// vectors returns the vectors of the stored samples, made one at a time.
func vectors(t *testing.T, l *linearize.Linearizer) (all []*vector.Vector) {
	t.Helper()
	w := l.NewWorker()
	err := l.S.Samples(0, l.S.Meta().Samples, func(_ uint32, tree *index.Tree) error {
		all = append(all, new(vector.Vector))
		return w.Features(tree, all[len(all)-1])
	})
	if err != nil {
		t.Fatal(err)
	}
	return all
}

// If some features of a set are chosen, they have the same values as among all features. The vectors of
// stored samples are the same as those of their trees.
func TestSubset(t *testing.T) {
	for _, space := range []string{"stk", "ptk"} {
		s := textStore(t, randomBrackets(12, 3), space)
		set := []linearize.FeatureSet{{Space: parseSpace(t, space)}}
		set[0].Kept = everyOther(t, s)
		eachLinearizer(t, s, set, sameAsTrees)
		eachLinearizer(t, s, set, func(t *testing.T, some *linearize.Linearizer) {
			o := some.O
			if o.Normalize == linearize.NormalizeL2 {
				return
			}
			o.Features = []linearize.FeatureSet{{Space: set[0].Space}}
			all, err := linearize.New(s, o)
			if err != nil {
				t.Fatal(err)
			}
			want := vectors(t, all)
			for _, v := range want {
				n := 0
				for i, id := range v.ID {
					if id%2 == 0 {
						v.ID[n], v.Value[n] = id/2, v.Value[i]
						n++
					}
				}
				v.ID, v.Value = v.ID[:n], v.Value[:n]
			}
			if d := cmp.Diff(want, vectors(t, some), cmpopts.EquateEmpty()); d != "" {
				t.Errorf("-want +got:\n%s", d)
			}
			texts := func(l *linearize.Linearizer) (texts []string) {
				for id := range l.Features() {
					text, err := l.AppendFragment(nil, id+1)
					if err != nil {
						t.Fatal(err)
					}
					texts = append(texts, string(text))
				}
				return texts
			}
			every := texts(all)
			for i, text := range texts(some) {
				if text != every[2*i+1] {
					t.Errorf("feature %d: %s, want %s", i+1, text, every[2*i+1])
				}
			}
			features(t, some, 0)
			if err := all.Close(); err != nil {
				t.Fatal(err)
			}
		})
	}
}

// tfidf counts as scikit-learn does, in the most obvious way.
func TestTFIDF(t *testing.T) {
	s := selected(t, textStore(t, randomBrackets(30, 4)), selection.Options{Name: "top", By: "chi2", Top: 20})
	for _, selection := range []string{"", "top"} {
		o := linearize.Options{Features: []linearize.FeatureSet{{Space: stk.Space{}, Selection: selection}}, Weight: linearize.Count}
		counts, err := linearize.New(s, o)
		if err != nil {
			t.Fatal(err)
		}
		defer counts.Close()
		o.Weight = linearize.TFIDF
		weighed, err := linearize.New(s, o)
		if err != nil {
			t.Fatal(err)
		}
		defer weighed.Close()
		all := vectors(t, counts)
		df := map[uint32]float64{}
		for _, v := range all {
			for _, id := range v.ID {
				df[id]++
			}
		}
		for i, v := range vectors(t, weighed) {
			for k, id := range v.ID {
				want := all[i].Value[k] * (math.Log((1+float64(len(all)))/(1+df[id])) + 1)
				if v.Value[k] != want || id != all[i].ID[k] {
					t.Fatalf("sample %d, feature %d: %v, want %v", i, id, v.Value[k], want)
				}
			}
		}
	}
}

// A model over tfidf is valid only for the samples that the store had when it was trained.
func TestTFIDFModelIsOfItsSamples(t *testing.T) {
	fs := vfs.NewMem()
	decodetest.LabelledStore(t, fs)
	for _, weight := range []linearize.Weight{linearize.Count, linearize.TFIDF} {
		change(t, fs, func(w *store.Writer) error {
			l, err := linearize.New(w.Store(), linearize.Options{Features: []linearize.FeatureSet{{Space: stk.Space{}}}, Weight: weight})
			if err != nil {
				return err
			}
			m := &linear.Model{Labels: []string{"1", "-1"}, Features: l.Features(), Vectors: predict.VectorsOf(l)}
			return errors.Join(predict.PutLinearModel(w, string(weight), "linear", m, l, nil), l.Close())
		})
	}
	// The same trees are added again. The fragments stay the same, and their support doubles.
	_, err := builder.Run(context.Background(), "s", builder.Options{
		FS: fs, Mode: store.Append,
		Source: func(s *index.Symbols) (index.Source, error) {
			return read.Open([]string{"-"}, read.InputOptions{Symbols: s, Stdin: strings.NewReader(decodetest.LabelledLines), Format: "svmtk"})
		},
		Event: func() store.Event { return store.Event{} },
	})
	if err != nil {
		t.Fatal(err)
	}
	s := decodetest.OpenStore(t, fs)
	m, err := predict.OpenLinearModel(s, string(linearize.Count))
	if err != nil {
		t.Fatal(err)
	}
	if err := m.Close(); err != nil {
		t.Fatal(err)
	}
	if _, err := predict.OpenLinearModel(s, string(linearize.TFIDF)); !errors.Is(err, predict.ErrOtherVocabulary) {
		t.Fatal(err)
	}
}

// Goroutines share a linearizer.
func TestLinearizerIsConcurrent(t *testing.T) {
	s := textStore(t, randomBrackets(60, 5))
	l, err := linearize.New(s, linearize.Options{Features: []linearize.FeatureSet{{Space: stk.Space{}}}})
	if err != nil {
		t.Fatal(err)
	}
	defer l.Close()
	want := fmt.Sprint(dereferenced(vectors(t, l)))
	var all sync.WaitGroup
	for range 8 {
		all.Go(func() {
			if got := fmt.Sprint(dereferenced(vectors(t, l))); got != want {
				t.Error("other vectors")
			}
		})
	}
	all.Wait()
}

func dereferenced(all []*vector.Vector) (values []vector.Vector) {
	for _, v := range all {
		values = append(values, *v)
	}
	return values
}
