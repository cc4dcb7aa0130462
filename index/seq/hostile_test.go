package seq

import (
	"errors"
	"math"
	"testing"

	"fstore/index"
	"fstore/index/internal/spacetest"
)

// repeated is n times the same word.
func repeated(n int) (*index.Tree, *index.Symbols) {
	s := index.NewSymbols()
	t := &index.Tree{Kind: index.Dependency}
	for i := range n {
		t.Tokens = append(t.Tokens, index.Token{Form: s.Intern(index.Words, []byte("a")), Head: int32(i)})
	}
	return t, s
}

// Thirty of sixty equal words can be chosen in more ways than 32 bits can count. Growth returns an error, but
// the kernel and the matcher count right, because they do not list matches.
func TestManyMatches(t *testing.T) {
	space := newSpace(t, "")
	tree, syms := repeated(60)
	it := space.NewItems(syms)
	it.Add(0, tree, index.All, index.Limits{})
	it.Seal()
	var tooMany *index.OccurrenceError
	if _, err := it.Grow(index.All, index.Weights{}, index.Limits{}, spacetest.Everything{}); !errors.As(err, &tooMany) || tooMany.Order != 9 {
		t.Errorf("growth: %v", err) // C(60,8) is below 2^32, C(60,9) is not
	}
	k := space.NewKernel(syms, 1)
	p, err := k.Prepare(tree)
	if err != nil {
		t.Fatal(err)
	}
	choose := func(n, r float64) float64 {
		c := 1.0
		for i := 1.0; i <= r; i++ {
			c *= (n - r + i) / i
		}
		return c
	}
	want := choose(120, 60) - 1 // Σ C(60,r)² without the empty sequence
	if got := k.Eval(p, p).Float(); math.Abs(got/want-1) > 1e-9 {
		t.Errorf("kernel %v, want %v", got, want)
	}
	var code index.Code
	for range 30 {
		code = index.AppendStep(code, step(index.Child{Sym: 1, Word: true}.Packed()))
	}
	hits, err := space.NewMatcher(spacetest.Index(t, []index.Code{code}), syms, 1).Match(tree, 0)
	if err != nil || len(hits) != 1 || math.Abs(hits[0].Match.Count/choose(60, 30)-1) > 1e-9 {
		t.Errorf("%+v, %v", hits, err)
	}
	if n := len(space.Locate(tree, code, syms)); n != index.MaxLocated {
		t.Errorf("%d matches located", n)
	}
}

// The kernel of 1,100 equal words with themselves is too large for a float64, but can be normalized.
func TestKernelOverflows(t *testing.T) {
	tree, syms := repeated(1100)
	for _, c := range []struct {
		options string
		log     float64
	}{
		{"", 2200 - math.Log2(1100*math.Pi)/2}, // of C(2200, 1100)
		{"max-gap=2", 0},
	} {
		k := newSpace(t, c.options).NewKernel(syms, 1)
		p, err := k.Prepare(tree)
		if err != nil {
			t.Fatal(err)
		}
		x := k.Eval(p, p)
		if log := float64(x.Exp) + math.Log2(x.Mant); log < 1024 || c.log > 0 && math.Abs(log-c.log) > 0.01 {
			t.Errorf("%s: 2^%v", c.options, log)
		}
		if n := index.Normalized(x, x, x); math.Abs(n-1) > 1e-12 {
			t.Errorf("%s: normalized %v", c.options, n)
		}
	}
}

func TestOptions(t *testing.T) {
	for _, c := range []struct{ options, id string }{
		{"", "seq"},
		{"unit=form,max-length=0", "seq"},
		{"unit=xpos,max-length=3,max-gap=0", "seq:max-gap=0,max-length=3,unit=xpos"},
	} {
		if id := newSpace(t, c.options).ID(); id != c.id {
			t.Errorf("%s is %s", c.options, id)
		}
	}
	for _, bad := range []string{"unit=word", "unit=form,unit=form", "max-length=-1", "max-gap=any", "max-gap=1,max-gap=2"} {
		if _, err := New(spacetest.Options(bad)); err == nil {
			t.Errorf("%s: no error", bad)
		}
	}
}

func TestText(t *testing.T) {
	s := index.NewSymbols()
	for _, w := range []string{"a", "(", "[", "]", `\`, "", "a b", "_"} {
		s.Intern(index.Words, []byte(w))
	}
	space := newSpace(t, "max-length=4")
	for _, good := range []string{"[a]", `[\( [ ]]`, `[\\ \e a\sb _]`, "[[]", "[]]"} {
		c, err := space.ParseText(good, s)
		if err != nil {
			t.Errorf("%s: %v", good, err)
		} else if text := string(space.AppendText(nil, c, s)); text != good {
			t.Errorf("%s prints as %s", good, text)
		}
	}
	if _, err := space.ParseText("[a b]", s); !errors.Is(err, index.ErrAbsent) {
		t.Error(err)
	}
	for _, bad := range []string{"", "a", "[", "[]", "[ ]", "[a", `[\q]`, "[a a a a a]"} {
		if _, err := space.ParseText(bad, s); err == nil || errors.Is(err, index.ErrAbsent) {
			t.Errorf("%q: %v", bad, err)
		}
	}
}

// hostile returns a space and a few random trees for a fuzz test, both chosen by the number `v`.
func hostile(t testing.TB, v uint) *spacetest.Case {
	trees, syms := spacetest.Corpus(spacetest.Shape(v/8%3), uint64(v), 3, 7)
	return &spacetest.Case{Space: newSpace(t, variants[v%uint(len(variants))]), Trees: trees, Symbols: syms}
}

func FuzzCode(f *testing.F) {
	f.Add(uint(0), []byte{0, 3, 0, 3})
	f.Add(uint(9), []byte{0, 2, 0, 4})
	f.Fuzz(func(t *testing.T, v uint, c []byte) {
		h := hostile(t, v)
		// Fragments have symbols of one class, words or labels. Symbols of the other class are not read back.
		st, _, _ := index.Code(c).Next()
		if words := h.Space.(*Space).wordsIn(h.Symbols); index.UnpackChild(st.Sym).Word == words {
			h.Code(t, c)
		}
	})
}

func FuzzText(f *testing.F) {
	f.Add(uint(0), `[a \( ]]`)
	f.Fuzz(func(t *testing.T, v uint, text string) { hostile(t, v).Text(t, text) })
}
