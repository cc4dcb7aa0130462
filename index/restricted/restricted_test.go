package restricted_test

import (
	"bytes"
	"fmt"
	"math"
	"math/rand/v2"
	"slices"
	"testing"

	"fstore/index"
	"fstore/index/internal/spacetest"
	"fstore/index/restricted"
	"fstore/index/spaces"
)

// grown keeps the codes that growth visits.
type grown struct{ codes []index.Code }

func (g *grown) Visit(b *index.Batch) error {
	for i := range b.Len() {
		g.codes = append(g.codes, append(bytes.Clone(b.Parent), b.SuffixOf(i)...))
		b.Descend[i] = true
	}
	return nil
}

// sample is a treebank with all of its fragments in one space.
type sample struct {
	space index.Space
	trees []*index.Tree
	syms  *index.Symbols
	codes []index.Code
}

// eachSample calls f for some treebanks, for each registered space and each shape of trees that the space
// reads.
func eachSample(t *testing.T, f func(*testing.T, *sample)) {
	names := append(spaces.Names(), "seq:max-length=2,max-gap=1", "seq:unit=upos", "dep:siblings=any,ordered=false", "dep:siblings=side", "poly:degree=3", "ptk:mu=0.3")
	for _, name := range names {
		r, err := spaces.Parse(name)
		if err != nil {
			t.Fatal(err)
		}
		for _, shape := range []spacetest.Shape{spacetest.Brackets, spacetest.OneAlphabet, spacetest.Dependency} {
			kind := index.Constituency
			if shape == spacetest.Dependency {
				kind = index.Dependency
			}
			if r.CheckKind(kind) != nil {
				continue
			}
			for seed := range uint64(6) {
				t.Run(fmt.Sprintf("%s/%d/%d", name, shape, seed), func(t *testing.T) {
					s := &sample{space: r.Space}
					s.trees, s.syms = spacetest.Corpus(shape, seed, 5, 9)
					g := &grown{}
					items := s.space.NewItems(s.syms)
					for id, tree := range s.trees {
						index.Prepare(s.space, tree, s.syms)
						items.Add(uint32(id), tree, index.All, index.Limits{})
					}
					items.Seal()
					if _, err := items.Grow(index.All, index.Weights{}, index.Limits{}, g); err != nil {
						t.Fatal(err)
					}
					s.codes = g.codes
					f(t, s)
				})
			}
		}
	}
}

// prepare prepares the trees.
func (s *sample) prepare(t *testing.T, k index.Kernel) (all []any) {
	t.Helper()
	for _, tree := range s.trees {
		p, err := k.Prepare(tree)
		if err != nil {
			t.Fatal(err)
		}
		all = append(all, p)
	}
	return all
}

// over returns the kernel over the given fragments.
func (s *sample) over(t *testing.T, codes []index.Code, lambda float64) index.Merging {
	return restricted.NewKernel(s.space, spacetest.IndexOf(t, s.space, s.syms, slices.Clone(codes)), s.syms, lambda)
}

func near(a, b float64) bool { return math.Abs(a-b) <= 1e-9*math.Max(math.Abs(a), math.Abs(b)) }

// τ = 0 selects every fragment, and gives the space's own kernel (SI05, §4).
func TestOverEverythingItIsTheKernel(t *testing.T) {
	eachSample(t, func(t *testing.T, s *sample) {
		for _, lambda := range []float64{1, 0.4} {
			plain, all := s.space.NewKernel(s.syms, lambda), s.over(t, s.codes, lambda)
			a, b := s.prepare(t, plain), s.prepare(t, all)
			for i := range a {
				for j := range a {
					want, got := plain.Eval(a[i], a[j]).Float(), all.Eval(b[i], b[j]).Float()
					if !near(got, want) {
						t.Fatalf("λ %v, samples %d and %d: %v, the kernel is %v", lambda, i, j, got, want)
					}
				}
			}
		}
	})
}

// The kernels over two halves of the fragments add up to the kernel over all of them. Merged trees give the
// same values as the trees one by one.
func TestPartsAddUp(t *testing.T) {
	eachSample(t, func(t *testing.T, s *sample) {
		r := rand.New(rand.NewPCG(1, uint64(len(s.codes))))
		var halves [2][]index.Code
		for _, c := range s.codes {
			at := r.IntN(2)
			halves[at] = append(halves[at], c)
		}
		const lambda = 0.5
		none, all := s.over(t, nil, lambda), s.over(t, s.codes, lambda)
		x, p := s.over(t, halves[0], lambda), s.over(t, halves[1], lambda)
		nones, alls, xs, ps := s.prepare(t, none), s.prepare(t, all), s.prepare(t, x), s.prepare(t, p)
		merged := x.Merge(xs[1:])
		sums := make([]float64, merged.Components())
		for i := range xs {
			x.Sums(sums, merged, xs[i])
			for j := range xs {
				offset := none.Eval(nones[i], nones[j]).Float()
				of := x.Eval(xs[i], xs[j]).Float()
				got := of + p.Eval(ps[i], ps[j]).Float() - offset
				if want := all.Eval(alls[i], alls[j]).Float(); !near(got, want) {
					t.Fatalf("samples %d and %d: the halves give %v, all %v", i, j, got, want)
				}
				if j == 0 {
					continue
				}
				together := 0.0
				components, counts := merged.Of(j - 1)
				for n, c := range components {
					together += float64(counts[n]) * sums[c]
				}
				if !near(together, of) {
					t.Fatalf("samples %d and %d: merged %v, apart %v", i, j, together, of)
				}
			}
		}
	})
}

// A kernel value that is too large for a float64 is still a finite Number.
func TestLargeValues(t *testing.T) {
	s := index.NewSymbols()
	tree := &index.Tree{}
	b := &index.Builder{Symbols: s}
	b.Start(tree, false)
	b.Open([]byte("A"))
	for range 1000 {
		b.Word([]byte("a"))
	}
	b.Close()
	r, err := spaces.Parse("seq")
	if err != nil {
		t.Fatal(err)
	}
	word := r.Space
	one, err := word.ParseText("[a]", s)
	if err != nil {
		t.Fatal(err)
	}
	var many index.Code
	for range 300 {
		many = append(many, one...)
	}
	k := restricted.NewKernel(word, spacetest.Index(t, []index.Code{one, many}), s, 1)
	p, err := k.Prepare(tree)
	if err != nil {
		t.Skip(err) // the matcher has a bound of its own
	}
	if got := k.Eval(p, p); !math.IsInf(got.Float(), 1) || got.Mant == 0 || math.IsInf(got.Mant, 0) {
		t.Fatalf("%v", got)
	}
}
