package dep

import (
	"math"
	"math/rand/v2"
	"testing"

	"github.com/google/go-cmp/cmp"

	"fstore/index"
	"fstore/index/brute"
	"fstore/index/internal/spacetest"
)

func TestMatcherIsBruteForce(t *testing.T) {
	eachCorpus(t, 8, func(t *testing.T, o options, trees []*index.Tree, s *index.Symbols) {
		// The index is of half of the trees.
		known := trees[:len(trees)/2]
		for _, l := range []index.Limits{{}, {MinSupport: 2, MaxOrder: 3}} {
			rec := &recorder{o: o, s: s}
			growAll(t, rec, known, everything, l, false)
			if len(rec.codes) == 0 {
				continue
			}
			codes := rec.codes
			x := spacetest.Index(t, codes)
			m := o.space.NewMatcher(x, s, 1)
			for id, tree := range trees {
				want := map[string]int{}
				for _, occ := range brute.ArcSets(o.ArcOptions, tree, s) {
					want[occ.Key]++
				}
				hits, err := m.Match(tree, 0)
				if err != nil {
					t.Fatal(err)
				}
				got := map[string]int{}
				last := uint32(0)
				for _, h := range hits {
					key := codeKey(o, codes[h.ID-1], s)
					got[key] = int(h.Match.Count)
					if h.ID <= last || int(h.Order) != codes[h.ID-1].Len() {
						t.Fatalf("sample %d, %s: %+v", id, key, h)
					}
					last = h.ID
				}
				for key := range want {
					if _, ok := rec.rows[key]; !ok {
						delete(want, key)
					}
				}
				if d := cmp.Diff(want, got); d != "" {
					t.Fatalf("sample %d: (-want +got)\n%s", id, d)
				}
				if len(hits) > 1 {
					if _, err := m.Match(tree, 1); err == nil {
						t.Fatal("no error beyond the budget")
					}
				}
			}
		}
	})
}

// plainKernel returns the kernel that compares one tree with one, without merging.
func plainKernel(k index.Kernel) *kernel {
	if m, ok := k.(*mergingKernel); ok {
		return m.kernel
	}
	return k.(*kernel)
}

// A kernel over merged trees gives the same values as tree by tree.
func TestMerged(t *testing.T) {
	eachCorpus(t, 17, func(t *testing.T, o options, trees []*index.Tree, s *index.Symbols) {
		k, ok := o.space.NewKernel(s, 0.7).(index.Merging)
		if want := o.space.rule == adjacent && !o.space.unordered; ok != want {
			t.Fatalf("the kernel merges: %v, want %v", ok, want)
		}
		if !ok {
			return
		}
		var prepared []any
		for _, tree := range trees {
			x, err := k.Prepare(tree)
			if err != nil {
				t.Fatal(err)
			}
			prepared = append(prepared, x)
		}
		for _, n := range []int{len(prepared) - 1, 1, len(prepared)} {
			m := k.Merge(prepared[:n])
			sums := make([]float64, m.Components())
			for i, x := range prepared {
				k.Sums(sums, m, x)
				for j, y := range prepared[:n] {
					if want := k.Eval(x, y).Float(); math.Abs(sums[j]-want) > 1e-9*(1+want) {
						t.Fatalf("trees %d and %d of %d: %v, apart %v", i, j, n, sums[j], want)
					}
				}
			}
		}
	})
}

func TestKernelIsDotProduct(t *testing.T) {
	eachCorpus(t, 7, func(t *testing.T, o options, trees []*index.Tree, s *index.Symbols) {
		var counts []map[string]brute.ArcSet
		var times []map[string]float64
		for _, tree := range trees {
			c, n := map[string]brute.ArcSet{}, map[string]float64{}
			for _, occ := range brute.ArcSets(o.ArcOptions, tree, s) {
				c[occ.Key] = occ
				n[occ.Key]++
			}
			counts, times = append(counts, c), append(times, n)
		}
		for _, lambda := range []float64{1, 0.4} {
			k := o.space.NewKernel(s, lambda)
			for i, a := range trees {
				for j, b := range trees {
					want := 0.0
					for key, occ := range counts[i] {
						x := index.Value(o.space, occ.Order, index.Match{Count: times[i][key]}, lambda)
						want += x * index.Value(o.space, occ.Order, index.Match{Count: times[j][key]}, lambda)
					}
					x, err1 := k.Prepare(a)
					y, err2 := k.Prepare(b)
					if err1 != nil || err2 != nil {
						t.Fatal(err1, err2)
					}
					got := k.Eval(x, y).Float()
					if math.Abs(got-want) > 1e-9*(1+math.Abs(want)) {
						t.Fatalf("λ %v: kernel %v, dot product %v", lambda, got, want)
					}
					// The sum for values beyond a float64 gives the same kernel.
					if kk := plainKernel(k); o.Ordered && kk.count(x.(*prepared), y.(*prepared)) {
						big := kk.big.sum(kk, x.(*prepared), y.(*prepared), index.NumberOf).Float()
						if math.Abs(big-want) > 1e-9*(1+math.Abs(want)) {
							t.Fatalf("λ %v: kernel in large numbers %v, dot product %v", lambda, big, want)
						}
					}
				}
			}
		}
	})
}

// Words and features that a store does not know match nothing, but count for the kernel.
func TestUnknownWords(t *testing.T) {
	for _, v := range variants {
		o := newSpace(t, v)
		trees, s := corpus(11, o.space, 3, 6)
		rec := &recorder{o: o, s: s}
		growAll(t, rec, trees, everything, index.Limits{}, false)
		codes := rec.codes
		m := o.space.NewMatcher(spacetest.Index(t, codes), s, 1)
		k := o.space.NewKernel(s, 1)
		reader := s.Overlay()
		r := rand.New(rand.NewPCG(8, 8))
		matched, unknown := 0, 0
		for range 20 {
			reader.Rollback()
			tree := &index.Tree{}
			randomTree(r, reader, tree, 6)
			for i := range tree.Tokens {
				if r.IntN(4) == 0 {
					tree.Tokens[i].UPOS = reader.Intern(index.Words, []byte{"WXYZ"[r.IntN(4)]})
					tree.Tokens[i].Form = tree.Tokens[i].UPOS
				}
			}
			tree.AddMisc(o.space.MiscKeys(), reader)
			want := map[string]float64{}
			for _, occ := range brute.ArcSets(o.ArcOptions, tree, reader) {
				want[occ.Key]++
			}
			norm := 0.0
			for _, n := range want {
				norm += n * n
			}
			p, err := k.Prepare(tree)
			if err != nil {
				t.Fatal(err)
			}
			if got := k.Eval(p, p).Float(); math.Abs(got-norm) > 1e-9*(1+norm) {
				t.Fatalf("%s: norm² %v, want %v", v, got, norm)
			}
			for key := range want {
				if _, ok := rec.rows[key]; !ok {
					delete(want, key)
					unknown++
				}
			}
			matched += len(want)
			hits, err := m.Match(tree, 0)
			if err != nil {
				t.Fatal(err)
			}
			got := map[string]float64{}
			for _, h := range hits {
				got[codeKey(o, codes[h.ID-1], s)] = h.Match.Count
			}
			if d := cmp.Diff(want, got); d != "" {
				t.Fatalf("%s: (-want +got)\n%s", v, d)
			}
		}
		if unknown == 0 || matched == 0 {
			t.Errorf("%s: %d fragments known, %d unknown: the test is too small", v, matched, unknown)
		}
	}
}
