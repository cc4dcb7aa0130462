package poly

import (
	"errors"
	"fmt"
	"math"
	"math/rand/v2"
	"testing"

	"fstore/index"
	"fstore/index/brute"
	"fstore/index/internal/spacetest"
)

func space(t testing.TB, options string) *Space {
	t.Helper()
	s, err := New(spacetest.Options(options))
	if err != nil {
		t.Fatal(err)
	}
	return s
}

// variant is a space, and a function that lists the basic features of a sample for brute force.
type variant struct {
	name     string
	options  string
	degree   int
	vectors  bool
	features func(t *index.Tree, s *index.Symbols) []brute.Feature
}

var variants = []*variant{
	{
		name: "labels", options: "degree=3", degree: 3,
		features: brute.ArcFeatures(false, func(s *index.Symbols, head, mod *index.Token) []string {
			return []string{brute.FeatureWord(s, head.UPOS) + " >" + brute.FeatureWord(s, mod.Rel) + " " + brute.FeatureWord(s, mod.UPOS)}
		}),
	},
	{
		name: "templates", options: "template=h.upos+m.form,template=rel,root-arcs=true", degree: 2,
		features: brute.ArcFeatures(true, func(s *index.Symbols, head, mod *index.Token) []string {
			tag := "^"
			if head != nil {
				tag = brute.FeatureWord(s, head.UPOS)
			}
			return []string{"h.upos=" + tag + "+m.form=" + brute.FeatureWord(s, mod.Form), "rel=" + brute.FeatureWord(s, mod.Rel)}
		}),
	},
	{
		name: "vectors", options: "degree=4", degree: 4, vectors: true,
		features: func(t *index.Tree, _ *index.Symbols) (all []brute.Feature) {
			for n, v := range t.Vectors {
				for _, x := range v {
					if x.Value != 0 && n == 0 {
						all = append(all, brute.Feature{Text: fmt.Sprint(x.ID)})
					} else if x.Value != 0 {
						all = append(all, brute.Feature{Text: fmt.Sprintf("%d:%d", n+1, x.ID)})
					}
				}
			}
			return all
		},
	},
}

// sample makes a random one.
func sample(r *rand.Rand, v *variant, syms *index.Symbols) *index.Tree {
	t := &index.Tree{}
	if v.vectors {
		t.OneAlphabet = true
		for range r.IntN(3) {
			var vector []index.Feature
			for id := range uint32(4) {
				if r.IntN(2) == 0 {
					vector = append(vector, index.Feature{ID: 100*id + 1, Value: []float64{0, 1, -2.5}[r.IntN(3)]})
				}
			}
			t.Vectors = append(t.Vectors, vector)
		}
		return t
	}
	t.Kind = index.Dependency
	word := func(choices ...string) uint32 {
		return syms.Intern(index.Words, []byte(choices[r.IntN(len(choices))]))
	}
	for i := range r.IntN(6) {
		// Each word hangs on one before it, or on the artificial root.
		t.Tokens = append(t.Tokens, index.Token{
			Form: word("a", "&", "^"), UPOS: word("N", "&"), Rel: word("r", "s<", "&{"), Head: int32(r.IntN(i + 1)),
		})
	}
	return t
}

// corpus is random samples, the last of them empty.
func corpus(t testing.TB, r *rand.Rand, v *variant) *spacetest.Case {
	sp := space(t, v.options)
	c := &spacetest.Case{Space: sp, Symbols: index.NewSymbols(), Additive: true}
	reader := c.Symbols
	c.Brute = func(t *index.Tree, _ float64) map[string]*brute.Match {
		// The text of a set has its features in the order of their numbers in the store. Unknown features
		// come last.
		return brute.FeatureSets(v.features(t, reader), v.degree, func(text string) int {
			sym, err := sp.parseFeature(text, c.Symbols)
			if err != nil {
				return math.MaxInt32
			}
			return int(sym)
		})
	}
	for range 6 {
		c.Trees = append(c.Trees, sample(r, v, c.Symbols))
	}
	c.Trees = append(c.Trees, &index.Tree{Kind: c.Trees[0].Kind, OneAlphabet: c.Trees[0].OneAlphabet})
	for _, tree := range c.Trees {
		sp.Prepare(tree, c.Symbols)
	}
	c.New = func(syms *index.Symbols) *index.Tree {
		tree := sample(r, v, syms)
		reader = syms
		if len(tree.Tokens) > 0 {
			tree.Tokens[0].UPOS = syms.Intern(index.Words, []byte("new"))
		}
		return tree
	}
	return c
}

// The dot product over all fragments is the kernel less 1, for the empty set.
func TestSpace(t *testing.T) {
	for i, v := range variants {
		for seed := range uint64(10) {
			t.Run(fmt.Sprintf("%s/%d", v.name, seed), corpus(t, rand.New(rand.NewPCG(seed, uint64(i))), v).Run)
		}
	}
}

func TestValues(t *testing.T) {
	for _, d := range []int{1, 2, 3, 7, maxDegree} {
		got := valuesOf(d)
		for r := 1; r <= d; r++ {
			if want := brute.SetValue(d, r); math.Abs(got[r]-want) > 1e-12*want {
				t.Errorf("degree %d, size %d: %v, want %v", d, r, got[r], want)
			}
		}
	}
	s := space(t, "degree=3")
	if s.ValueOf(4) != 0 || index.Value(s, 1, index.Match{Count: 1}, 0.1) != math.Sqrt(7) {
		t.Error("values of degree 3")
	}
}

func TestHostileCodes(t *testing.T) {
	good := 0
	for i, v := range variants {
		r := rand.New(rand.NewPCG(7, uint64(i)))
		s := corpus(t, r, v)
		good += s.HostileCodes(t, r, 3000, "\x01", "\x01\x80\x00\x00", "\x01\x01\xff\xff\xff\xff\x1f", "", "\x00rel+dist", "\x01\x01\x01\x01")
	}
	if good < 500 {
		t.Errorf("%d of the codes pass Check: too few to tell", good)
	}
}

func TestMatcherOnDamagedIndex(t *testing.T) {
	for _, v := range variants {
		s := corpus(t, rand.New(rand.NewPCG(2, 2)), v)
		s.Damaged(t)
	}
}

func FuzzCode(f *testing.F) {
	var all []*spacetest.Case
	for _, v := range variants {
		s := corpus(f, rand.New(rand.NewPCG(1, 1)), v)
		all = append(all, s)
	}
	f.Add(uint(0), []byte{0, 2, 0, 3})
	f.Fuzz(func(t *testing.T, v uint, c []byte) { all[v%uint(len(all))].Code(t, c) })
}

func FuzzText(f *testing.F) {
	var all []*spacetest.Case
	for _, v := range variants {
		s := corpus(f, rand.New(rand.NewPCG(1, 1)), v)
		all = append(all, s)
	}
	f.Add(uint(0), `{N >r \x26 & N >\x26{ N}`)
	f.Add(uint(1), `{h.upos=^+m.form=\x5E & rel=s\x3C}`)
	f.Add(uint(2), `{1 & 2:101}`)
	f.Fuzz(func(t *testing.T, v uint, text string) { all[v%uint(len(all))].Text(t, text) })
}

func TestParseErrors(t *testing.T) {
	s := corpus(t, rand.New(rand.NewPCG(1, 1)), variants[0])
	for text, want := range map[string]string{
		"N >r N":               "no braces around a set of features, as in {A >obj B} or {17 & 42}",
		"{}":                   "the empty set is no fragment",
		"{N >r N & }":          "a feature is missing beside &",
		"{1 & 2 & 3 & 4}":      "4 features: the space poly:degree=3 has sets of up to 3 (option degree)",
		"{N >r N & N >r N}":    "a feature twice in the set",
		"{N >r (N >r N)}":      "one arc where there are several",
		"{0:1}":                "0:1 is no index of a vector, as 17 or, in the second, 2:17",
		"{17}":                 index.ErrAbsent.Error(),
		"{N >unknown N}":       index.ErrAbsent.Error(),
		"{N >r N & N >other N": "no braces around a set of features, as in {A >obj B} or {17 & 42}",
	} {
		if _, err := s.Space.ParseText(text, s.Symbols); err == nil || err.Error() != want {
			t.Errorf("%s: %v, want %s", text, err, want)
		}
	}
	s = corpus(t, rand.New(rand.NewPCG(1, 1)), variants[1])
	for _, text := range []string{"{rel=unknown}", "{h.upos=N+m.form=N}", "{rel=r & rel=unknown}"} {
		if _, err := s.Space.ParseText(text, s.Symbols); !errors.Is(err, index.ErrAbsent) {
			t.Errorf("%s: %v, want %v", text, err, index.ErrAbsent)
		}
	}
}

func TestOptions(t *testing.T) {
	for options, want := range map[string]string{
		"": "poly", "degree=2": "poly", "degree=3": "poly:degree=3",
		"root-arcs=true,template=rel,degree=1":                           "poly:degree=1,root-arcs=true,template=rel",
		"templates=qian-liu":                                             "poly:templates=qian-liu",
		"template=m.upos+h.upos+rel":                                     "poly",
		"siblings=any,template=h.form+m.form,template=h.form+m.upos+dir": "poly:template=h.form+m.form,template=h.form+m.upos+dir",
	} {
		if id := space(t, options).ID(); id != want {
			t.Errorf("%s: %s, want %s", options, id, want)
		}
	}
	for _, bad := range []string{"degree=0", "degree=65", "degree=x", "degree=", "template=x", "templates=x", "root-arcs=x"} {
		if _, err := New(spacetest.Options(bad)); err == nil {
			t.Errorf("%s: no error", bad)
		}
	}
}

// wide is a sample with n features.
func wide(n int) (*index.Tree, *index.Symbols) {
	t := &index.Tree{Vectors: [][]index.Feature{nil}}
	for i := range n {
		t.Vectors[0] = append(t.Vectors[0], index.Feature{ID: uint32(i + 1), Value: 1})
	}
	return t, index.NewSymbols()
}

// Sixty features have 2^60 sets. Growth and matching must end at their budgets. The kernel must be finite
// without listing the sets.
func TestExponentialInput(t *testing.T) {
	s := space(t, "degree=64")
	tree, syms := wide(60)
	s.Prepare(tree, syms)
	it := s.NewItems(syms)
	it.Add(0, tree, index.All, index.Limits{})
	it.Seal()
	v := &spacetest.Limited{Left: 100_000}
	if _, err := it.Grow(index.All, index.Weights{}, index.Limits{}, v); !errors.Is(err, spacetest.ErrLimit) {
		t.Errorf("growth ends with %v", err)
	}
	v.Left, v.Codes = 40_000, nil // 60 + 1,770 + 34,220
	if _, err := it.Grow(index.All, index.Weights{}, index.Limits{MaxOrder: 3}, v); err != nil {
		t.Fatal(err)
	}
	m := s.NewMatcher(spacetest.Index(t, v.Codes), syms, 1)
	var budget index.BudgetError
	if _, err := m.Match(tree, 30_000); !errors.As(err, &budget) {
		t.Errorf("matching ends with %v", err)
	}
	if hits, err := m.Match(tree, 40_000); err != nil || len(hits) != 36_050 {
		t.Errorf("%d hits, %v", len(hits), err)
	}
	tree, syms = wide(100_000)
	k := s.NewKernel(syms, 0.4)
	p, err := k.Prepare(tree)
	if err != nil {
		t.Fatal(err)
	}
	if got := k.Eval(p, p); got.Exp != 1064 || index.Normalized(got, got, got) != 1 { // 64·log2(100,001) is 1,063.02
		t.Errorf("%v", got)
	}
}
