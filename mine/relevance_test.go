package mine

import (
	"cmp"
	"context"
	"errors"
	"io"
	"math"
	"math/rand/v2"
	"slices"
	"testing"

	"github.com/cockroachdb/pebble/v2/vfs"

	"fstore/index"
	"fstore/mine/svm"
	"fstore/store"
	"fstore/store/posting"
)

// modelStore is a store of random trees with all fragments of a space, and a model of
// random weights over some of the trees.
func modelStore(t *testing.T, r *rand.Rand, space string, lambda float64, normalize bool) (vfs.FS, *svm.Model) {
	t.Helper()
	fs := vfs.NewMem()
	seed := r.Uint64()
	o := options(t, fs, 0, 0, space+":min-support=1,max-order=0")
	o.Source = func(s *index.Symbols) (index.Source, error) { return newSource(s, seed, 0, 8), nil }
	if _, err := Build(context.Background(), "s", o); err != nil {
		t.Fatal(err)
	}
	w, err := store.Begin("s", store.WriteOptions{Options: store.Options{FS: fs}, Mode: store.Append})
	if err != nil {
		t.Fatal(err)
	}
	m := &svm.Model{
		Kernel:   svm.Kernel{Space: o.Spaces.Spaces[0].Space, Lambda: lambda, Normalize: normalize},
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
	putModel(t, w, m)
	return fs, m
}

func putModel(t *testing.T, w *store.Writer, m *svm.Model) {
	t.Helper()
	err := w.PutModel(store.ModelInfo{Name: "m", Learner: svm.LearnerSVM, Kernel: m.Space.ID()}, m.Append(nil))
	if err := errors.Join(err, w.Commit()); err != nil {
		t.Fatal(err)
	}
}

// weighed is a fragment with its relevance.
type weighed struct {
	code         index.Code
	score        float64
	support, occ uint32
}

// relevances are those of all stored fragments, by the definition, without those of 0;
// samples of the store are compared with the vectors tree by tree.
func relevances(t *testing.T, fs vfs.FS, m *svm.Model) (all []weighed, norm float64) {
	t.Helper()
	s, err := store.Open("s", store.Options{FS: fs})
	if err != nil {
		t.Fatal(err)
	}
	defer s.Close()
	syms, err := s.Symbols()
	if err != nil {
		t.Fatal(err)
	}
	k := m.Space.NewKernel(syms, m.Lambda)
	// The vectors are samples, in order.
	alpha := make([]float64, s.Meta().Samples)
	next := 0
	err = s.Samples(0, s.Meta().Samples, func(id uint32, tree *index.Tree) error {
		if next < len(m.Vectors) && slices.Equal(tree.Nodes, m.Vectors[next].Tree.Nodes) {
			p, err := k.Prepare(tree)
			if err != nil {
				return err
			}
			alpha[id] = m.Vectors[next].Weights[0]
			if m.Normalize {
				if self := k.Eval(p, p).Float(); self > 0 {
					alpha[id] /= math.Sqrt(self)
				}
			}
			next++
		}
		return nil
	})
	if err != nil {
		t.Fatal(err)
	}
	it, err := s.Iter(0, nil, nil)
	if err != nil {
		t.Fatal(err)
	}
	defer it.Close()
	for it.Next() {
		ids, counts, err := posting.Decode(it.Value(), s.Meta().Samples, nil, nil)
		if err != nil {
			t.Fatal(err)
		}
		f := weighed{code: slices.Clone(it.Key())}
		for i, id := range ids {
			if alpha[id] == 0 {
				continue
			}
			n := uint32(1)
			if counts != nil {
				n = counts[i]
			}
			f.score += m.Space.Value(m.Space.Order(f.code), index.Match{Count: 1}, m.Lambda) * alpha[id] * float64(n)
			f.support++
			f.occ += n
		}
		norm += f.score * f.score
		if f.support > 0 && math.Abs(f.score) > 1e-12 {
			all = append(all, f)
		}
	}
	slices.SortStableFunc(all, func(a, b weighed) int { return cmp.Compare(math.Abs(b.score), math.Abs(a.score)) })
	return all, norm
}

// selectIn is Select in a store.
func selectIn(t *testing.T, fs vfs.FS, o SelectOptions) (*Selected, error) {
	t.Helper()
	w, err := store.Begin("s", store.WriteOptions{Options: store.Options{FS: fs}, Mode: store.Append})
	if err != nil {
		t.Fatal(err)
	}
	out, err := Select(context.Background(), w, o)
	if err != nil {
		return nil, errors.Join(err, w.Abort())
	}
	return out, w.Commit()
}

// selectDry is SelectNothing in a store.
func selectDry(t *testing.T, fs vfs.FS, o SelectOptions) (*Selected, error) {
	t.Helper()
	s, err := store.Open("s", store.Options{FS: fs})
	if err != nil {
		t.Fatal(err)
	}
	out, err := SelectNothing(context.Background(), s, o)
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
		all = append(all, cloneEntry(e))
		return nil
	})
	if err != nil {
		t.Fatal(err)
	}
	return all
}

// checkSelected checks that entries are fragments with what they say, and that they are
// the first so many by |score|: of equal scores, any.
func checkSelected(t *testing.T, what string, got []store.Entry, all []weighed, n int) {
	t.Helper()
	if len(got) != n {
		t.Fatalf("%s: %d fragments, want %d", what, len(got), n)
	}
	by := map[string]weighed{}
	for _, f := range all {
		by[string(f.code)] = f
	}
	for i, e := range got {
		f, ok := by[string(e.Code)]
		if !ok || !nearly(f.score, e.Score) || e.Weight != e.Score || e.Stats[0] != float64(f.support) || e.Stats[1] != float64(f.occ) {
			t.Fatalf("%s: %x %v %v, want %+v", what, []byte(e.Code), e.Score, e.Stats, f)
		}
		if i > 0 && string(got[i-1].Code) >= string(e.Code) {
			t.Fatalf("%s: out of order", what)
		}
	}
	slices.SortFunc(got, func(a, b store.Entry) int { return cmp.Compare(math.Abs(b.Score), math.Abs(a.Score)) })
	for i, e := range got {
		if !nearly(math.Abs(e.Score), math.Abs(all[i].score)) {
			t.Fatalf("%s: the %d-th largest is %v, want %v", what, i, e.Score, all[i].score)
		}
	}
}

func nearly(a, b float64) bool { return math.Abs(a-b) <= 1e-9*max(1, math.Abs(a), math.Abs(b)) }

// A selection by relevance is what the definition selects, whatever the threshold.
func TestRelevanceIsBruteForce(t *testing.T) {
	for _, space := range []string{"stk", "st", "sstbow"} {
		t.Run(space, func(t *testing.T) {
			r := rand.New(rand.NewPCG(5, 5))
			var fs vfs.FS
			var m *svm.Model
			var all []weighed
			var norm float64
			for n := range treebanks {
				if n%4 == 0 {
					fs, m = modelStore(t, r, space, []float64{0.4, 1}[n/4%2], n/4%3 > 0)
					all, norm = relevances(t, fs, m)
				}
				if len(all) == 0 {
					continue
				}
				o := SelectOptions{Name: "x", Overwrite: true, By: "relevance", Model: "m", Workers: 1 + n%2}
				want := 0
				at := r.IntN(len(all))
				switch n % 4 {
				case 0:
					o.Top = at + 1
					want = at + 1
				case 1, 2: // between two scores that differ
					for at > 0 && nearly(all[at].score*all[at].score, all[at-1].score*all[at-1].score) {
						at--
					}
					sigma := math.Abs(all[0].score) * 2
					if at > 0 {
						sigma = (math.Abs(all[at].score) + math.Abs(all[at-1].score)) / 2
					}
					want = at
					o.Sigma = &sigma
					if base := heaviestBase(m, all); n%4 == 2 && sigma <= base {
						ratio := base / sigma
						o.Sigma, o.ThresholdRatio = nil, &ratio
					}
				case 3: // between two sums
					sum := 0.0
					for _, f := range all[:at] {
						sum += f.score * f.score
					}
					share := (sum + all[at].score*all[at].score/2) / norm
					o.NormShare, want = &share, at+1
				}
				out, err := selectIn(t, fs, o)
				if err != nil {
					t.Fatal(err)
				}
				if out.Fragments != uint64(want) {
					t.Fatalf("treebank %d: %s, want %d", n, out.Decided, want)
				}
				checkSelected(t, out.Decided, selectedEntries(t, fs, "x"), all, want)
				if again, err := selectDry(t, fs, o); err != nil || "selection x "+again.Decided != out.Decided {
					t.Fatalf("%v, a dry run: %+v", err, again)
				}
			}
		})
	}
}

// heaviestBase is the largest |score| of order 1.
func heaviestBase(m *svm.Model, all []weighed) float64 {
	for _, f := range all {
		if m.Space.Order(f.code) == 1 {
			return math.Abs(f.score)
		}
	}
	return 0
}

// The norm of the gradient is that of the weights of all fragments.
func TestGradientNorm(t *testing.T) {
	for _, space := range []string{"stk", "st", "sstbow"} {
		r := rand.New(rand.NewPCG(6, 6))
		for n := range 20 {
			fs, m := modelStore(t, r, space, 0.4, n%2 == 0)
			_, want := relevances(t, fs, m)
			s, err := store.Open("s", store.Options{FS: fs})
			if err != nil {
				t.Fatal(err)
			}
			syms, err := s.Symbols()
			if err != nil {
				t.Fatal(err)
			}
			g, err := svm.NewGradient(context.Background(), m, "", syms, 1)
			if err != nil {
				t.Fatal(err)
			}
			if !nearly(g.Norm, want) {
				t.Errorf("%s: ‖w‖² = %v, want %v", space, g.Norm, want)
			}
			if err := s.Close(); err != nil {
				t.Fatal(err)
			}
		}
	}
}

// Exclusive or: every fragment of one or two productions is in as many positive trees as
// in negative ones, so that the greedy search finds nothing to begin with, and the exact
// one what there is (ALGORITHMS.md §3.1).
func TestExclusiveOr(t *testing.T) {
	fs := vfs.NewMem()
	o := options(t, fs, 0, 0, "stk:min-support=1")
	o.Source = func(s *index.Symbols) (index.Source, error) {
		return &exclusiveOr{b: index.Builder{Symbols: s}}, nil
	}
	if _, err := Build(context.Background(), "s", o); err != nil {
		t.Fatal(err)
	}
	w, err := store.Begin("s", store.WriteOptions{Options: store.Options{FS: fs}, Mode: store.Append})
	if err != nil {
		t.Fatal(err)
	}
	m, _, err := svm.Train(context.Background(), w.Store(), svm.Options{
		Kernel: svm.Kernel{Space: o.Spaces.Spaces[0].Space, Lambda: 0.4, Normalize: true}, C: 10,
	})
	if err != nil {
		t.Fatal(err)
	}
	putModel(t, w, m)
	tiny := 1e-6
	for greedy, want := range map[bool]int{false: 4, true: 0} {
		s := SelectOptions{Name: "x", Overwrite: true, By: "relevance", Model: "m", Sigma: &tiny, Greedy: greedy}
		out, err := selectIn(t, fs, s)
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

// exclusiveOr yields (S (A a1) (B b1)), … : positive where the numbers differ.
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
		fs, m := modelStore(t, r, "stk", 0.4, true)
		ratio := float64(2 + r.IntN(40))
		exact := map[string]store.Entry{}
		for _, greedy := range []bool{false, true} {
			_, err := selectIn(t, fs, SelectOptions{
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

// A kernel machine that is not what its record says is found.
func TestVerifyModels(t *testing.T) {
	fs, m := modelStore(t, rand.New(rand.NewPCG(9, 9)), "stk", 0.4, true)
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
	err = Verify(context.Background(), s, VerifyOptions{}, func(p string) { problems = append(problems, p) })
	want := []string{"model cut: model: its bytes end too early", "model other: the record says kernel st, the model stk"}
	if err != nil || !slices.Equal(problems, want) {
		t.Errorf("%q, %v", problems, err)
	}
}
