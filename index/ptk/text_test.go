package ptk

import (
	"errors"
	"math/rand/v2"
	"testing"

	"github.com/google/go-cmp/cmp"

	"fstore/index"
	"fstore/index/internal/spacetest"
)

// Locate returns matches in the order of their roots, even if the order of nodes by depth is different.
func TestLocateInOrder(t *testing.T) {
	s := index.NewSymbols()
	tree := &index.Tree{}
	b := &index.Builder{Symbols: s}
	b.Start(tree, true)
	for range 3 {
		b.Open([]byte("A"))
	}
	b.Close()
	b.Close()
	b.Word([]byte("A"))
	b.Close()
	space := newSpace(t)
	for text, want := range map[string][]index.Occurrence{
		"(A)":         {{0}, {1}, {2}, {3}},
		"(A (A))":     {{0, 1}, {0, 3}, {1, 2}},
		"(A (A) (A))": {{0, 1, 3}},
		"(A (A (A)))": {{0, 1, 2}},
	} {
		c, err := space.ParseText(text, s)
		if d := cmp.Diff(want, space.Locate(tree, c, s)); err != nil || d != "" {
			t.Errorf("%s: %v, %s", text, err, d)
		}
	}
}

// hostileCode returns random bytes that are often nearly a code.
func hostileCode(r *rand.Rand, s *index.Symbols) (c index.Code) {
	labels := uint32(2 * (max(s.Len(index.Labels), s.Len(index.Words)) + 1))
	for i := range 1 + r.IntN(6) {
		c = index.AppendStep(c, index.Step{Off: uint32(r.IntN(i + 1 + r.IntN(2))), Sym: r.Uint32N(labels + 1)})
	}
	if r.IntN(8) == 0 {
		c[r.IntN(len(c))] = byte(r.Uint32())
	}
	return c
}

func TestHostileCodes(t *testing.T) {
	space := newSpace(t)
	r := rand.New(rand.NewPCG(1, 2))
	good := 0
	for _, shape := range []spacetest.Shape{spacetest.Brackets, spacetest.OneAlphabet} {
		trees, s := spacetest.Corpus(shape, 1, 4, 9)
		c := &spacetest.Case{Space: space, Trees: trees, Symbols: s}
		for range 3000 {
			if c.Code(t, hostileCode(r, s)) {
				good++
			}
		}
	}
	if good < 200 {
		t.Errorf("%d of the codes pass Check: too few to tell", good)
	}
}

// fuzzed returns a function that chooses a treebank by a byte: one with two alphabets, or one with one.
func fuzzed(t testing.TB) func(which byte) *spacetest.Case {
	var all [2]*spacetest.Case
	for i, shape := range []spacetest.Shape{spacetest.Brackets, spacetest.OneAlphabet} {
		trees, s := spacetest.Corpus(shape, 4, 3, 8)
		all[i] = &spacetest.Case{Space: newSpace(t), Trees: trees, Symbols: s}
	}
	return func(which byte) *spacetest.Case { return all[which&1] }
}

func FuzzCode(f *testing.F) {
	of := fuzzed(f)
	f.Add(byte(0), []byte{0, 2, 1, 3})
	f.Add(byte(1), []byte{0, 2, 1, 4, 2, 2, 1, 4})
	f.Fuzz(func(t *testing.T, which byte, c []byte) { of(which).Code(t, c) })
}

func FuzzText(f *testing.F) {
	of := fuzzed(f)
	for _, text := range []string{"(A (B a) (\\)))", "a", " ( A b ) ", "(A", ")", "(A) (B)", "a (B)", "()", `(\e)`, `(\x0)`, ""} {
		f.Add(byte(0), text)
		f.Add(byte(1), text)
	}
	f.Fuzz(func(t *testing.T, which byte, text string) { of(which).Text(t, text) })
}

// Words and nonterminals of one name are told apart where there are two alphabets.
func TestText(t *testing.T) {
	space := newSpace(t)
	for _, c := range []struct {
		oneAlphabet bool
		text, want  string
	}{
		{false, "(NP (DT) (NN dog))", "(NP (DT) (NN dog))"},
		{false, "dog", "dog"},
		{false, "(NN)", "(NN)"},
		{false, "(NN NN)", "(NN NN)"},
		{false, "(NP (NN))", "(NP (NN))"},
		{true, "(NP (DT) (NN dog))", "(NP (DT) (NN (dog)))"},
		{true, "dog", "(dog)"},
	} {
		s := index.NewSymbols()
		b := &index.Builder{Symbols: s}
		b.Start(&index.Tree{}, c.oneAlphabet)
		for _, l := range []string{"NP", "DT", "NN"} {
			b.Open([]byte(l))
			b.Word([]byte("dog"))
			b.Word([]byte("NN"))
		}
		code, err := space.ParseText(c.text, s)
		if got := string(space.AppendText(nil, code, s)); err != nil || got != c.want {
			t.Errorf("%s: %s, %v", c.text, got, err)
		}
	}
	s := index.NewSymbols()
	s.Intern(index.Labels, []byte("NP"))
	if _, err := space.ParseText("(NP cat)", s); !errors.Is(err, index.ErrAbsent) {
		t.Errorf("an unknown word: %v", err)
	}
}

func TestOptions(t *testing.T) {
	for _, c := range []struct {
		mu []string
		id string
	}{
		{nil, "ptk"},
		{[]string{"0.4"}, "ptk"},
		{[]string{"0.40"}, "ptk"},
		{[]string{"1"}, "ptk:mu=1"},
		{[]string{"5e-1"}, "ptk:mu=0.5"},
	} {
		if id := newSpace(t, c.mu...).ID(); id != c.id {
			t.Errorf("%v: %s", c.mu, id)
		}
	}
	for _, mu := range [][]string{{"0"}, {"-1"}, {"1.1"}, {"NaN"}, {"much"}, {""}, {"1", "1"}} {
		if _, err := New(func(string) []string { return mu }); err == nil {
			t.Errorf("%v: no error", mu)
		}
	}
}
