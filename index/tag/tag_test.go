package tag

import (
	"errors"
	"fmt"
	"math/rand/v2"
	"testing"

	"fstore/index"
	"fstore/index/brute"
	"fstore/index/internal/spacetest"
)

// escapes has the names in random samples that need an escape, and how they are printed.
var escapes = map[string]string{"": `\e`, "a/b": `a\x2Fb`, "(": `\(`, "x y": `x\sy`}

func printed(name string, isTag bool) string {
	if e, ok := escapes[name]; ok && (isTag || name != "a/b") {
		return e
	}
	return name
}

// kinds of samples.
const (
	brackets = iota
	oneAlphabet
	dependency
	kinds
)

var kindNames = [kinds]string{"brackets", "one alphabet", "dependency"}

// sample returns a random tree of a kind, and its words.
func sample(r *rand.Rand, kind int, syms *index.Symbols) (*index.Tree, []brute.TaggedWord) {
	tags, forms := []string{"N", "V", "a/b", "("}, []string{"x", "y", "a/b", "x y", ""}
	t := &index.Tree{}
	var words []brute.TaggedWord
	add := func(tag, form string, at int) {
		words = append(words, brute.TaggedWord{Tag: printed(tag, true), Word: printed(form, false), At: int32(at)})
	}
	if kind == dependency {
		t.Kind = index.Dependency
		for range r.IntN(6) {
			tag, form := tags[r.IntN(len(tags))], forms[r.IntN(len(forms))]
			other := syms.Intern(index.Words, []byte("other"))
			t.Tokens = append(t.Tokens, index.Token{
				UPOS: other, Form: other,
				XPOS: syms.Intern(index.Words, []byte(tag)), Lemma: syms.Intern(index.Words, []byte(form)),
			})
			add(tag, form, len(t.Tokens)-1)
		}
		return t, words
	}
	b := &index.Builder{Symbols: syms}
	b.Start(t, kind == oneAlphabet)
	var node func(depth int)
	node = func(depth int) {
		tag := tags[r.IntN(len(tags))]
		b.Open([]byte(tag))
		for k := range 1 + r.IntN(2) {
			if form := forms[r.IntN(len(forms))]; depth == 0 || k == 0 && r.IntN(2) == 0 {
				b.Word([]byte(form))
				add(tag, form, len(t.Nodes)-1)
			} else {
				node(depth - 1)
			}
		}
		b.Close()
	}
	for i := range 1 + r.IntN(2) {
		if i > 0 {
			words = append(words, brute.TaggedWord{})
		}
		node(r.IntN(3))
	}
	return t, words
}

func space(t testing.TB, options string) Space {
	t.Helper()
	s, err := New(spacetest.Options(options))
	if err != nil {
		t.Fatal(err)
	}
	return s
}

// corpus is random samples of a kind, the last of them empty.
func corpus(t testing.TB, r *rand.Rand, kind int) *spacetest.Case {
	words := map[*index.Tree][]brute.TaggedWord{}
	c := &spacetest.Case{Space: space(t, ""), Symbols: index.NewSymbols(), Additive: true}
	if kind == dependency {
		c.Space = space(t, "tag=xpos,word=lemma")
	}
	c.Brute = func(t *index.Tree, lambda float64) map[string]*brute.Match {
		return brute.TagRuns(words[t], lambda)
	}
	short := func(syms *index.Symbols) *index.Tree {
		tree, w := sample(r, kind, syms)
		for len(w) > 6 {
			tree, w = sample(r, kind, syms)
		}
		words[tree] = w
		return tree
	}
	for range 6 {
		c.Trees = append(c.Trees, short(c.Symbols))
	}
	c.Trees = append(c.Trees, &index.Tree{Kind: c.Trees[0].Kind, OneAlphabet: c.Trees[0].OneAlphabet})
	for _, tree := range c.Trees {
		index.Prepare(c.Space, tree, c.Symbols)
	}
	c.New = func(syms *index.Symbols) *index.Tree {
		tree := short(syms)
		if len(tree.Tokens) > 0 { // a word that the store does not know
			tree.Tokens[0].Lemma, words[tree][0].Word = syms.Intern(index.Words, []byte("new")), "new"
		}
		return tree
	}
	return c
}

func TestSpace(t *testing.T) {
	for kind, name := range kindNames {
		for seed := range uint64(10) {
			t.Run(fmt.Sprintf("%s/%d", name, seed), corpus(t, rand.New(rand.NewPCG(seed, uint64(kind))), kind).Run)
		}
	}
}

func TestHostileCodes(t *testing.T) {
	good := 0
	for kind := range kindNames {
		r := rand.New(rand.NewPCG(7, uint64(kind)))
		s := corpus(t, r, kind)
		good += s.HostileCodes(t, r, 2000, "\x01", "\x01\x80\x00\x00", "\x01\x01\xff\xff\xff\xff\x0f", "", "\x00other", "\x01\x01\x01\x01")
	}
	if good < 500 {
		t.Errorf("%d of the codes pass Check: too few to tell", good)
	}
}

func TestMatcherOnDamagedIndex(t *testing.T) {
	s := corpus(t, rand.New(rand.NewPCG(2, 2)), brackets)
	s.Damaged(t)
}

func FuzzCode(f *testing.F) {
	s := corpus(f, rand.New(rand.NewPCG(1, 1)), brackets)
	f.Add([]byte{0, 2, 0, 3})
	f.Fuzz(func(t *testing.T, c []byte) { s.Code(t, c) })
}

func FuzzText(f *testing.F) {
	s := corpus(f, rand.New(rand.NewPCG(1, 1)), brackets)
	f.Add(`N V/x a\x2Fb/\e`)
	f.Add(`\(/a/b N`)
	f.Fuzz(func(t *testing.T, text string) { s.Text(t, text) })
}

func TestParseErrors(t *testing.T) {
	s := corpus(t, rand.New(rand.NewPCG(1, 1)), brackets)
	for text, want := range map[string]string{
		"":          "no state: a run has at least one, as in DT/the NN",
		"N /x":      `the state /x, its tag: nothing there (\e is the empty one)`,
		"N/":        `the state N/, its word: nothing there (\e is the empty one)`,
		"(NP (N))":  `the state (NP, its tag: a bracket is written \( or \)`,
		`N\q`:       `the state N\q, its tag: no such escape: \q`,
		"N/unknown": index.ErrAbsent.Error(),
	} {
		if _, err := s.Space.ParseText(text, s.Symbols); err == nil || err.Error() != want {
			t.Errorf("%q: %v, want %s", text, err, want)
		}
	}
}

func TestOptions(t *testing.T) {
	for options, want := range map[string]string{
		"": "tag", "tag=upos": "tag", "word=form": "tag", "tag=xpos": "tag:tag=xpos",
		"word=lemma,tag=xpos": "tag:tag=xpos,word=lemma",
	} {
		if id := space(t, options).ID(); id != want {
			t.Errorf("%s: %s, want %s", options, id, want)
		}
	}
	for _, values := range [][]string{{"feats"}, {"upos", "upos"}} {
		if _, err := New(func(string) []string { return values }); err == nil {
			t.Errorf("no error for %v", values)
		}
	}
}

// alikeStates returns a sample of n equal states.
func alikeStates(n int) (*index.Tree, *index.Symbols) {
	syms := index.NewSymbols()
	x := syms.Intern(index.Words, []byte("x"))
	t := &index.Tree{Kind: index.Dependency}
	for range n {
		t.Tokens = append(t.Tokens, index.Token{UPOS: x, Form: x})
	}
	return t, syms
}

// The kernel of n equal states with themselves is beyond a float64, and is not infinite.
func TestKernelBeyondFloat64(t *testing.T) {
	tree, syms := alikeStates(1500)
	for _, lambda := range []float64{1, 0.6} {
		k := space(t, "").NewKernel(syms, lambda)
		p, err := k.Prepare(tree)
		if err != nil {
			t.Fatal(err)
		}
		if got := k.Eval(p, p); lambda == 1 && got.Exp < 1100 || index.Normalized(got, got, got) != 1 {
			t.Errorf("λ %v: %v", lambda, got)
		}
	}
	// The sum for large values agrees with the sum in float64.
	tree, syms = alikeStates(40)
	k := space(t, "").NewKernel(syms, 0.7).(*kernel)
	p, _ := k.Prepare(tree)
	small, large := k.Eval(p, p).Float(), k.large(p.([]state), p.([]state)).Float()
	if small/large < 1-1e-12 || small/large > 1+1e-12 {
		t.Errorf("%v and %v", small, large)
	}
}

// A long sentence has 2^n runs. Growth ends with the error of its visitor, and matching with a BudgetError.
func TestExponentialInput(t *testing.T) {
	tree, syms := alikeStates(200)
	s := space(t, "")
	s.Prepare(tree, syms)
	it := s.NewItems(syms)
	it.Add(0, tree, index.All, index.Limits{})
	it.Seal()
	v := &spacetest.Limited{Left: 10_000}
	if _, err := it.Grow(index.All, index.Weights{}, index.Limits{}, v); !errors.Is(err, spacetest.ErrLimit) {
		t.Errorf("growth ends with %v", err)
	}
	v.Left, v.Codes = 1<<12, nil
	if _, err := it.Grow(index.All, index.Weights{}, index.Limits{MaxOrder: 11}, v); err != nil {
		t.Fatal(err)
	}
	m := s.NewMatcher(spacetest.Index(t, v.Codes), syms, 1)
	var budget index.BudgetError
	if _, err := m.Match(tree, 100_000); !errors.As(err, &budget) {
		t.Errorf("matching ends with %v", err)
	}
}
