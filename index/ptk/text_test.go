package ptk

import (
	"bytes"
	"errors"
	"math/rand/v2"
	"testing"

	"github.com/google/go-cmp/cmp"

	"fstore/index"
	"fstore/index/internal/spacetest"
)

// Matches are located in the order of their roots, also where that of nodes by depth is
// another.
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

// checkCode wants of a code that passes Check what every code gives, and of any other no
// panic.
func checkCode(t testing.TB, space *Space, c index.Code, trees []*index.Tree, s *index.Symbols) (ok bool) {
	t.Helper()
	if space.Check(c, s) != nil {
		return false
	}
	text := string(space.AppendText(nil, c, s))
	if back, err := space.ParseText(text, s); err != nil || !bytes.Equal(back, c) {
		t.Fatalf("%x: %s reads back as %x, %v", []byte(c), text, []byte(back), err)
	}
	for _, p := range space.Parts(nil, c, s) {
		if err := space.Check(p, s); err != nil || space.Order(p) != space.Order(c)-1 {
			t.Fatalf("%s, without a node: %x, %v", text, []byte(p), err)
		}
	}
	for _, tree := range trees {
		space.Locate(tree, c, s)
	}
	return true
}

// hostileCode is steps of any kind, most of them nearly a code.
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
		for range 3000 {
			if checkCode(t, space, hostileCode(r, s), trees, s) {
				good++
			}
		}
	}
	if good < 200 {
		t.Errorf("%d of the codes pass Check: too few to tell", good)
	}
}

// fuzzed is a treebank of two alphabets and one of one.
type fuzzed struct {
	trees [2][]*index.Tree
	s     [2]*index.Symbols
}

func newFuzzed() (f fuzzed) {
	for i, shape := range []spacetest.Shape{spacetest.Brackets, spacetest.OneAlphabet} {
		f.trees[i], f.s[i] = spacetest.Corpus(shape, 4, 3, 8)
	}
	return f
}

// of returns the treebank that a fuzzed byte chooses.
func (f *fuzzed) of(which byte) ([]*index.Tree, *index.Symbols) {
	return f.trees[which&1], f.s[which&1]
}

func FuzzCode(f *testing.F) {
	space, all := newSpace(f), newFuzzed()
	f.Add(byte(0), []byte{0, 2, 1, 3})
	f.Add(byte(1), []byte{0, 2, 1, 4, 2, 2, 1, 4})
	f.Fuzz(func(t *testing.T, which byte, c []byte) {
		trees, s := all.of(which)
		checkCode(t, space, c, trees, s)
	})
}

func FuzzText(f *testing.F) {
	space, all := newSpace(f), newFuzzed()
	for _, text := range []string{"(A (B a) (\\)))", "a", " ( A b ) ", "(A", ")", "(A) (B)", "a (B)", "()", `(\e)`, `(\x0)`, ""} {
		f.Add(byte(0), text)
		f.Add(byte(1), text)
	}
	f.Fuzz(func(t *testing.T, which byte, text string) {
		trees, s := all.of(which)
		c, err := space.ParseText(text, s)
		if err == nil && !checkCode(t, space, c, trees, s) {
			t.Fatalf("%q is %x: %v", text, []byte(c), space.Check(c, s))
		}
	})
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
