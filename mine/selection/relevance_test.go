package selection_test

import (
	"cmp"
	"context"
	"errors"
	"fmt"
	"io"
	"math"
	"math/rand/v2"
	"slices"
	"strings"
	"testing"

	"github.com/cockroachdb/pebble/v2/vfs"
	gocmp "github.com/google/go-cmp/cmp"

	"fstore/index"
	"fstore/mine/builder"
	"fstore/mine/grow"
	"fstore/mine/internal/minetest"
	"fstore/mine/judge"
	"fstore/mine/learn/svm"
	"fstore/mine/maintain"
	"fstore/mine/query"
	"fstore/mine/selection"
	"fstore/store"
)

// selectDry is DryRun in a store.
func selectDry(t *testing.T, fs vfs.FS, o selection.Options) (*selection.Result, error) {
	t.Helper()
	s, err := store.Open("s", store.Options{FS: fs})
	if err != nil {
		t.Fatal(err)
	}
	out, err := selection.DryRun(context.Background(), s, o)
	return out, errors.Join(err, s.Close())
}

// selectedEntries are the entries of a selection.
func selectedEntries(t *testing.T, fs vfs.FS, name string) (all []store.Entry) {
	t.Helper()
	s, err := store.Open("s", store.Options{FS: fs})
	if err != nil {
		t.Fatal(err)
	}
	defer s.Close()
	err = s.Entries(name, 0, math.MaxUint32, func(_ uint32, e *store.Entry) error {
		all = append(all, judge.CloneEntry(e))
		return nil
	})
	if err != nil {
		t.Fatal(err)
	}
	return all
}

// checkSelected checks that n fragments are selected, with the right statistics and the largest |score|.
// Among equal scores, any may be selected.
func checkSelected(t *testing.T, what string, got []store.Entry, all []minetest.Weighed, n int) {
	t.Helper()
	if len(got) != n {
		t.Fatalf("%s: %d fragments, want %d", what, len(got), n)
	}
	by := map[string]minetest.Weighed{}
	for _, f := range all {
		by[string(f.Code)] = f
	}
	for i, e := range got {
		f, ok := by[string(e.Code)]
		if !ok || !nearly(f.Score, e.Score) || e.Weight != e.Score || e.Stats[0] != float64(f.Support) || e.Stats[1] != float64(f.Occ) {
			t.Fatalf("%s: %x %v %v, want %+v", what, []byte(e.Code), e.Score, e.Stats, f)
		}
		if i > 0 && string(got[i-1].Code) >= string(e.Code) {
			t.Fatalf("%s: out of order", what)
		}
	}
	slices.SortFunc(got, func(a, b store.Entry) int { return cmp.Compare(math.Abs(b.Score), math.Abs(a.Score)) })
	for i, e := range got {
		if !nearly(math.Abs(e.Score), math.Abs(all[i].Score)) {
			t.Fatalf("%s: the %d-th largest is %v, want %v", what, i, e.Score, all[i].Score)
		}
	}
}

func nearly(a, b float64) bool { return math.Abs(a-b) <= 1e-9*max(1, math.Abs(a), math.Abs(b)) }

// A selection by relevance has the fragments that brute force selects, in every space and with any threshold.
func TestRelevanceIsBruteForce(t *testing.T) {
	for kind, ids := range relevanceSpaces {
		t.Run(kind.String(), func(t *testing.T) {
			r := rand.New(rand.NewPCG(5, uint64(kind)))
			found := make([]int, len(ids))
			for seed := range uint64(minetest.Treebanks) {
				s, models := modelsStore(t, r, kind, seed, ids)
				for i, m := range models {
					all := minetest.Relevances(t, s, &s.Meta().Spaces[i], m)
					found[i] += selectsRelevant(t, r, s, m, all, nil)
					if _, ok := m.Space.(index.Covering); ok {
						selectsRelevant(t, r, s, m, closedOf(t, s, m.Space, all), minetest.At(true))
					}
				}
				if err := s.Close(); err != nil {
					t.Fatal(err)
				}
			}
			for i, id := range ids {
				if found[i] < minetest.Treebanks {
					t.Errorf("%s: %d fragments selected in all", id, found[i])
				}
			}
		})
	}
}

// selectsRelevant selects fragments by a random threshold, compares them with those of `all`, and returns
// their number.
func selectsRelevant(t *testing.T, r *rand.Rand, s *store.Store, m *svm.Model, all []minetest.Weighed, closed *bool) (want int) {
	t.Helper()
	o := selection.Options{By: "relevance", Model: m.Space.ID(), MaxOrder: minetest.At(brutalOrder), Workers: 1 + r.IntN(2), Closed: closed}
	all = slices.DeleteFunc(slices.Clone(all), func(f minetest.Weighed) bool {
		return math.Abs(f.Score) < 1e-12 || f.Code.Len() > brutalOrder
	})
	if len(all) == 0 {
		return 0
	}
	want = relevanceThreshold(t, r, s, m, all, &o)
	checkSelected(t, fmt.Sprintf("%s, %+v", m.Space.ID(), o), selection.EntriesOf(t, s, o), all, want)
	return want
}

// relevanceSpaces are the spaces for tests of relevance, by kind of tree.
var relevanceSpaces = map[index.Kind][]string{
	index.Constituency: {"stk", "st", "sstbow", "tag", "seq", "seq:max-gap=1", "emb", "ptk"},
	index.Dependency: {
		"dep", "dep:siblings=adjacent,template=rel+h.upos+m.upos", "dep:siblings=side", "dep:siblings=any,template=rel,template=h.upos+m.upos", "dep:ordered=false,siblings=any",
		"poly", "poly:degree=3,template=rel,template=m.form", "tag", "seq:max-length=3,unit=upos", "emb:unit=upos",
	},
}

// brutalOrder is the maximum order of the fragments that brute force selects.
const brutalOrder = 3

// modelsStore builds a store of a few random trees, and a random model for each space. A model has the name
// of its space.
func modelsStore(t *testing.T, r *rand.Rand, kind index.Kind, seed uint64, ids []string) (*store.Store, []*svm.Model) {
	t.Helper()
	var args []string
	for _, id := range ids {
		sep := ":"
		if strings.Contains(id, ":") {
			sep = ","
		}
		order := brutalOrder
		if kind == index.Constituency && strings.HasPrefix(id, "s") {
			order++ // where something covers a fragment, something with one block more does
		}
		args = append(args, fmt.Sprintf("%s%smin-support=1,max-order=%d", id, sep, order))
	}
	fs := vfs.NewMem()
	o := minetest.Options(t, fs, 0, 0, args...)
	o.Source = func(s *index.Symbols) (index.Source, error) {
		if kind == index.Dependency {
			return &minetest.DependencySource{S: s, At: int(seed) * 5, End: int(seed)*5 + 5}, nil
		}
		return minetest.NewSource(s, seed, 0, 4), nil
	}
	if _, err := builder.Run(context.Background(), "s", o); err != nil {
		t.Fatal(err)
	}
	w, err := store.Begin("s", store.WriteOptions{Options: store.Options{FS: fs}, Mode: store.Append})
	if err != nil {
		t.Fatal(err)
	}
	var models []*svm.Model
	for i := range o.Spaces.Spaces {
		m := minetest.RandomModel(t, r, w, svm.Config{
			Space: o.Spaces.Spaces[i].Space, Lambda: []float64{0.4, 0.7, 1}[r.IntN(3)], Normalize: r.IntN(2) == 0,
		})
		models = append(models, m)
		if err := w.PutModel(store.ModelInfo{Name: m.Space.ID(), Learner: svm.LearnerSVM, Kernel: m.Space.ID()}, m.Append(nil)); err != nil {
			t.Fatal(err)
		}
	}
	if err := w.Commit(); err != nil {
		t.Fatal(err)
	}
	s, err := store.Open("s", store.Options{FS: fs})
	if err != nil {
		t.Fatal(err)
	}
	return s, models
}

// closedOf returns the closed fragments, found by comparing each fragment with all others.
func closedOf(t *testing.T, s *store.Store, space index.Space, all []minetest.Weighed) (closed []minetest.Weighed) {
	t.Helper()
	syms, err := s.Symbols()
	if err != nil {
		t.Fatal(err)
	}
	for _, f := range all {
		covered := slices.ContainsFunc(all, func(g minetest.Weighed) bool {
			return g.Code.Len() > f.Code.Len() && slices.Equal(g.Where, f.Where) &&
				space.(index.Covering).Covers(g.Code, f.Code, syms)
		})
		if !covered {
			closed = append(closed, f)
		}
	}
	return closed
}

// relevanceThreshold sets a random threshold, and returns how many fragments reach it.
func relevanceThreshold(t *testing.T, r *rand.Rand, s *store.Store, m *svm.Model, all []minetest.Weighed, o *selection.Options) (want int) {
	t.Helper()
	n := r.IntN(len(all))
	switch r.IntN(6) {
	case 0:
		o.Top = n + 1
		return n + 1
	case 1:
		if norm := normOf(t, s, m); o.Closed == nil && norm > 1e-9 { // between two sums
			sum := 0.0
			for _, f := range all[:n] {
				sum += f.Score * f.Score
			}
			share := (sum + all[n].Score*all[n].Score/2) / norm
			o.NormShare = &share
			return n + 1
		}
	}
	// The threshold is between two different scores.
	for n > 0 && nearly(all[n].Score*all[n].Score, all[n-1].Score*all[n-1].Score) {
		n--
	}
	sigma := math.Abs(all[0].Score) * 2
	if n > 0 {
		sigma = (math.Abs(all[n].Score) + math.Abs(all[n-1].Score)) / 2
	}
	o.Sigma = &sigma
	if base := heaviestBase(m, all); o.Closed == nil && r.IntN(2) == 0 && sigma <= base {
		ratio := base / sigma
		o.Sigma, o.ThresholdRatio = nil, &ratio
	}
	return n
}

// normOf returns ‖w‖², the squared norm of the gradient of a model.
func normOf(t *testing.T, s *store.Store, m *svm.Model) float64 {
	t.Helper()
	syms, err := s.Symbols()
	if err != nil {
		t.Fatal(err)
	}
	g, err := svm.NewGradient(context.Background(), m, "", syms, 1, index.NoProgress{})
	if err != nil {
		t.Fatal(err)
	}
	return g.Norm
}

// heaviestBase is the largest |score| of order 1.
func heaviestBase(m *svm.Model, all []minetest.Weighed) float64 {
	for _, f := range all {
		if f.Code.Len() == 1 {
			return math.Abs(f.Score)
		}
	}
	return 0
}

// The norm of the gradient equals the norm of the weights of all fragments.
func TestGradientNorm(t *testing.T) {
	for _, space := range []string{"stk", "st", "sstbow", "tag", "seq", "ptk"} {
		r := rand.New(rand.NewPCG(6, 6))
		for n := range 20 {
			fs, m := minetest.ModelStore(t, r, space, 0.4, n%2 == 0)
			s, err := store.Open("s", store.Options{FS: fs})
			if err != nil {
				t.Fatal(err)
			}
			want := 0.0
			for _, f := range minetest.Relevances(t, s, &s.Meta().Spaces[0], m) {
				want += f.Score * f.Score
			}
			if got := normOf(t, s, m); !nearly(got, want) {
				t.Errorf("%s: ‖w‖² = %v, want %v", space, got, want)
			}
			if err := s.Close(); err != nil {
				t.Fatal(err)
			}
		}
	}
}

// Each fragment of one or two productions is in as many positive trees as negative trees. So the greedy
// search finds nothing, and the exact search finds only fragments of three productions (mine/README.md,
// "Relevance").
func TestExclusiveOr(t *testing.T) {
	fs := vfs.NewMem()
	o := minetest.Options(t, fs, 0, 0, "stk:min-support=1")
	o.Source = func(s *index.Symbols) (index.Source, error) {
		return &exclusiveOr{b: index.Builder{Symbols: s}}, nil
	}
	if _, err := builder.Run(context.Background(), "s", o); err != nil {
		t.Fatal(err)
	}
	w, err := store.Begin("s", store.WriteOptions{Options: store.Options{FS: fs}, Mode: store.Append})
	if err != nil {
		t.Fatal(err)
	}
	m, _, err := svm.Train(context.Background(), w.Store(), svm.Options{
		Config: svm.Config{Space: o.Spaces.Spaces[0].Space, Lambda: 0.4, Normalize: true}, C: 10,
	})
	if err != nil {
		t.Fatal(err)
	}
	minetest.PutModel(t, w, m)
	tiny := 1e-6
	for greedy, want := range map[bool]int{false: 4, true: 0} {
		s := selection.Options{Name: "x", Overwrite: true, By: "relevance", Model: "m", Sigma: &tiny, Greedy: greedy}
		out, err := minetest.SelectIn(t, fs, s)
		if err != nil {
			t.Fatal(err)
		}
		got := selectedEntries(t, fs, "x")
		if len(got) != want || out.Fragments != uint64(want) {
			t.Errorf("greedy %v: %s, %d fragments, want %d", greedy, out.Decided, len(got), want)
		}
		for _, e := range got {
			if e.Code.Len() != 3 {
				t.Errorf("%x of order %d", []byte(e.Code), e.Code.Len())
			}
		}
	}
}

// exclusiveOr yields (S (A a1) (B b1)) and the three trees with other numbers. Trees with two different
// numbers are positive.
type exclusiveOr struct {
	b index.Builder
	n int
}

func (s *exclusiveOr) Next(t *index.Tree) error {
	if s.n == 4 {
		return io.EOF
	}
	a, b := s.n/2, s.n%2
	s.n++
	s.b.Start(t, false)
	s.b.Open([]byte("S"))
	for _, kid := range [][2]string{{"A", []string{"a1", "a2"}[a]}, {"B", []string{"b1", "b2"}[b]}} {
		s.b.Open([]byte(kid[0]))
		s.b.Word([]byte(kid[1]))
		s.b.Close()
	}
	s.b.Close()
	t.Label = []string{"-1", "+1"}[a^b]
	return nil
}

// The greedy search finds fragments that the exact one finds, with the same scores.
func TestGreedy(t *testing.T) {
	r := rand.New(rand.NewPCG(8, 8))
	greedily, exactly := 0, 0
	for range 30 {
		fs, m := minetest.ModelStore(t, r, "stk", 0.4, true)
		ratio := float64(2 + r.IntN(40))
		exact := map[string]store.Entry{}
		for _, greedy := range []bool{false, true} {
			_, err := minetest.SelectIn(t, fs, selection.Options{
				Name: "x", Overwrite: true, By: "relevance", Model: "m", ThresholdRatio: &ratio, Greedy: greedy,
			})
			if err != nil {
				t.Fatal(err)
			}
			got := selectedEntries(t, fs, "x")
			if !greedy {
				exactly += len(got)
				for _, e := range got {
					exact[string(e.Code)] = e
				}
				continue
			}
			greedily += len(got)
			for _, e := range got {
				x, ok := exact[string(e.Code)]
				if !ok || !nearly(x.Score, e.Score) || !slices.Equal(x.Stats, e.Stats) {
					t.Errorf("%+v, and exactly %+v, of %s", e, x, m.Space.ID())
				}
			}
		}
	}
	if greedily == 0 || greedily >= exactly {
		t.Errorf("%d fragments, %d exactly", greedily, exactly)
	}
}

// A selection by relevance is the same whatever the workers and the memory.
func TestRelevanceSameHowever(t *testing.T) {
	spaces := []string{"stk", "seq", "emb", "ptk", "tag"}
	fs := vfs.NewMem()
	newLabelled(t, fs, 150, spaces...)
	minetest.Change(t, fs, func(w *store.Writer) (err error) {
		r := rand.New(rand.NewPCG(2, 2))
		for i := range spaces {
			space, serr := grow.SpaceOf("s", &w.Meta().Spaces[i])
			m := minetest.RandomModel(t, r, w, svm.Config{Space: space, Lambda: 0.4, Normalize: true})
			err = errors.Join(err, serr, w.PutModel(store.ModelInfo{Name: space.ID(), Kernel: space.ID()}, m.Append(nil)))
		}
		return err
	})
	for _, space := range spaces {
		for _, o := range []selection.Options{{ThresholdRatio: minetest.At(20.0)}, {NormShare: minetest.At(0.7)}, {Top: 100}} {
			o.Name, o.Overwrite, o.By, o.Model, o.MaxOrder = "x", true, "relevance", space, minetest.At(4)
			want := ""
			for _, c := range []minetest.Resources{{Workers: 1}, {Workers: 4}, {Workers: 3, Memory: 1}} {
				o.Workers, o.Memory = c.Workers, c.Memory
				if _, err := minetest.SelectIn(t, fs, o); err != nil {
					t.Fatal(err)
				}
				reading(t, fs, func(s *store.Store) {
					got := dumpSelection(t, s, "x")
					if want == "" {
						want = got
					}
					if got != want || strings.Count(got, "\n") < 12 {
						t.Errorf("%s, %+v: %s", space, c, gocmp.Diff(want, got))
					}
				})
			}
		}
	}
}

// Verify finds wrong numbers in a selection by relevance, in spaces of every kind. It accepts a selection
// that was derived from a right one.
func TestVerifyRelevance(t *testing.T) {
	for _, space := range []string{"stk", "seq", "tag"} {
		fs, _ := minetest.ModelStore(t, rand.New(rand.NewPCG(3, 3)), space, 0.4, true)
		o := selection.Options{Name: "right", By: "relevance", Model: "m", NormShare: minetest.At(0.9)}
		done, err := minetest.SelectIn(t, fs, o)
		if err != nil {
			t.Fatal(err)
		}
		if dry, err := selectDry(t, fs, o); err != nil || "selection right "+dry.Decided != done.Decided {
			t.Errorf("%v, a dry run: %+v", err, dry)
		}
		minetest.Change(t, fs, func(w *store.Writer) error {
			_, err := selection.Derive(context.Background(), w, selection.DeriveOptions{
				From: "right", Name: "derived",
				Keep: func(*query.Selection) (func(*query.Entry) (bool, error), error) {
					return func(e *query.Entry) (bool, error) { return e.ID%2 == 0, nil }, nil
				},
			})
			return err
		})
		spoiled := map[string]func(*store.Entry){
			"support":     func(e *store.Entry) { e.Stats[0]++ },
			"occurrences": func(e *store.Entry) { e.Stats[1]++ },
			"score":       func(e *store.Entry) { e.Score, e.Weight = e.Score*1.0001, e.Score*1.0001 },
			"weight":      func(e *store.Entry) { e.Weight = 0 },
		}
		for name, f := range spoiled {
			spoil(t, fs, name, f)
		}
		reading(t, fs, func(s *store.Store) {
			problems := minetest.Verify(t, s, 0)
			for name := range spoiled {
				want := "selection " + name + ", fragment "
				if !slices.ContainsFunc(problems, func(p string) bool { return strings.HasPrefix(p, want) && strings.Contains(p, "stored "+name) }) {
					t.Errorf("%s: %s is not found: %v", space, name, problems)
				}
			}
			if len(problems) != len(spoiled) {
				t.Errorf("%s: %d problems: %v", space, len(problems), problems)
			}
		})
	}
}

// Verify finds a kernel machine that differs from its record, or whose bytes end too early.
func TestVerifyModels(t *testing.T) {
	fs, m := minetest.ModelStore(t, rand.New(rand.NewPCG(9, 9)), "stk", 0.4, true)
	w, err := store.Begin("s", store.WriteOptions{Options: store.Options{FS: fs}, Mode: store.Append})
	if err != nil {
		t.Fatal(err)
	}
	whole := m.Append(nil)
	err = errors.Join(
		w.PutModel(store.ModelInfo{Name: "cut", Kernel: "stk"}, whole[:len(whole)-1]),
		w.PutModel(store.ModelInfo{Name: "other", Kernel: "st"}, whole), w.Commit())
	if err != nil {
		t.Fatal(err)
	}
	s, err := store.Open("s", store.Options{FS: fs})
	if err != nil {
		t.Fatal(err)
	}
	defer s.Close()
	var problems []string
	err = maintain.Verify(context.Background(), s, maintain.VerifyOptions{}, func(p string) { problems = append(problems, p) })
	want := []string{"model cut: model: its bytes end too early", "model other: the record says kernel st, the model stk"}
	if err != nil || !slices.Equal(problems, want) {
		t.Errorf("%q, %v", problems, err)
	}
}
