package predict

import (
	"cmp"
	"context"
	"fmt"
	"io"
	"math"
	"slices"
	"testing"

	"github.com/cockroachdb/pebble/v2/vfs"

	"fstore/decode/internal/decodetest"
	"fstore/decode/linearize"
	"fstore/index"
	"fstore/index/stk"
	"fstore/mine/learn/linear"
	"fstore/store"
)

// TestTrainingSet checks that the vectors are those that linearize makes of the labelled samples.
func TestTrainingSet(t *testing.T) {
	fs := vfs.NewMem()
	decodetest.LabelledStore(t, fs)
	s, err := store.Open("s", store.Options{FS: fs})
	if err != nil {
		t.Fatal(err)
	}
	defer s.Close()
	l, err := linearize.New(s, linearize.Options{Features: []linearize.FeatureSet{{Space: stk.Space{}}}, Weight: linearize.Count})
	if err != nil {
		t.Fatal(err)
	}
	defer l.Close()
	set, err := NewTrainingSet(context.Background(), l, 2, 3, index.NoProgress{})
	if err != nil {
		t.Fatal(err)
	}
	if fmt.Sprint(set.Labels) != "[[1] [1 7] [-1]]" || set.Unlabelled != 1 || set.X.Rows() != 3 || len(set.Names) != 3 || len(set.Documents) != 3 {
		t.Fatalf("%+v", set)
	}
	var tree index.Tree
	m := l.Columns[0].Space.NewMatcher(l.Columns[0].X, l.Syms, l.O.Lambda)
	for row, id := range []uint32{0, 2, 3} {
		if err := s.Sample(id, &tree); err != nil {
			t.Fatal(err)
		}
		hits, err := m.Match(&tree, 0)
		if err != nil {
			t.Fatal(err)
		}
		ids, values := set.X.Row(row)
		if ids[0] != 0 || values[0] != 2 || len(ids) != 1+len(hits) {
			t.Fatalf("row %d: %v %v", row, ids, values)
		}
		for k, h := range hits {
			if ids[k+1] != h.ID || values[k+1] != h.Match.Count {
				t.Errorf("row %d: %v %v, hit %+v", row, ids, values, h)
			}
		}
	}
}

// TestLinearModel keeps a model in a store, and compares scores and reasons with sums.
func TestLinearModel(t *testing.T) {
	fs := vfs.NewMem()
	decodetest.LabelledStore(t, fs)
	w, err := store.Begin("s", store.WriteOptions{Options: store.Options{FS: fs}, Mode: store.Append})
	if err != nil {
		t.Fatal(err)
	}
	l, err := linearize.New(w.Store(), linearize.Options{Features: []linearize.FeatureSet{{Space: stk.Space{}}}, Weight: linearize.Count})
	if err != nil {
		t.Fatal(err)
	}
	m := &linear.Model{Labels: []string{"1", "-1"}, Features: l.Features(), Vectors: VectorsOf(l)}
	for id := range l.Features() + 1 {
		m.ID, m.Weight = append(m.ID, id), append(m.Weight, 0.5-float64(id%3))
	}
	if err := PutLinearModel(w, "m", "linear", m, l, nil); err != nil {
		t.Fatal(err)
	}
	if err := l.Close(); err != nil {
		t.Fatal(err)
	}
	if err := w.Commit(); err != nil {
		t.Fatal(err)
	}
	s, err := store.Open("s", store.Options{FS: fs})
	if err != nil {
		t.Fatal(err)
	}
	defer s.Close()
	model, err := OpenLinearModel(s, "m")
	if err != nil {
		t.Fatal(err)
	}
	defer model.Close()
	scorer := model.NewScorer()
	var tree index.Tree
	scores := []float64{0}
	src := store.NewSource(s)
	for {
		if err := src.Next(&tree); err == io.EOF {
			break
		} else if err != nil {
			t.Fatal(err)
		}
		if err := scorer.Score(scores, &tree); err != nil {
			t.Fatal(err)
		}
		v := &scorer.(*linearScorer).v
		want := m.Weight[0]
		for k, id := range v.ID {
			want += m.Weight[id] * v.Value[k]
		}
		if math.Abs(scores[0]-want) > 1e-12 {
			t.Errorf("%s: score %v, want %v", tree.Name, scores[0], want)
		}
		why, err := scorer.(Explainer).Explain(nil, 0, math.MaxInt)
		if err != nil || len(why) != len(v.ID) {
			t.Fatalf("%d reasons of %d features, %v", len(why), len(v.ID), err)
		}
		sum := m.Weight[0]
		for _, r := range why {
			sum += r.Adds
			c, err := stk.Space{}.ParseText(r.Fragment, model.Syms)
			if err != nil {
				t.Fatal(err)
			}
			id, err := s.Rank(0, c)
			k := slices.Index(v.ID, id)
			if err != nil || k < 0 || r.Adds != m.Weight[id]*v.Value[k] {
				t.Errorf("%s: reason %+v of feature %d, %v", tree.Name, r, id, err)
			}
		}
		if math.Abs(sum-want) > 1e-12 || !slices.IsSortedFunc(why, louder) {
			t.Errorf("%s: reasons %v add up to %v of %v", tree.Name, why, sum, want)
		}
	}
	if n := testing.AllocsPerRun(20, func() { _ = scorer.Score(scores, &tree) }); n > 0 {
		t.Errorf("%v allocations a tree", n)
	}
}

func louder(a, b Reason) int { return cmp.Compare(math.Abs(b.Adds), math.Abs(a.Adds)) }
