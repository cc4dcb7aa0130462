package ptk

import (
	"bytes"
	"errors"
	"math/rand/v2"
	"slices"
	"testing"

	"github.com/google/go-cmp/cmp"

	"fstore/index"
)

func TestCodesTextPartsAndPlaces(t *testing.T) {
	space := newSpace(t)
	eachCorpus(t, 9, func(t *testing.T, trees []*index.Tree, s *index.Symbols) {
		rec := &recorder{s: s}
		grow(t, rec, trees, everything, index.Limits{}, false)
		texts := map[string]bool{}
		places := map[string][][]index.Occurrence{} // by pattern and sample
		for id, tree := range trees {
			for _, m := range matches(tree, s) {
				if places[m.text] == nil {
					places[m.text] = make([][]index.Occurrence, len(trees))
				}
				places[m.text][id] = append(places[m.text][id], m.nodes)
			}
		}
		for _, c := range rec.codes {
			text := string(space.AppendText(nil, c, s))
			if texts[text] {
				t.Fatalf("%s is the text of two patterns", text)
			}
			texts[text] = true
			checkCode(t, space, c, nil, s)
			row := rec.rows[key(c, s)]
			for _, p := range space.Parts(nil, c, s) {
				part, ok := rec.rows[key(p, s)]
				if !ok {
					t.Fatalf("%s, a part of %s, does not occur", space.AppendText(nil, p, s), text)
				}
				for id := range row.Occ {
					if part.Occ[id] == 0 {
						t.Fatalf("%s, a part of %s, is not in sample %d", space.AppendText(nil, p, s), text, id)
					}
				}
			}
			for id, tree := range trees {
				got := space.Locate(tree, c, s)
				if !slices.IsSortedFunc(got, func(a, b index.Occurrence) int { return int(a[0] - b[0]) }) {
					t.Fatalf("%s: roots in no order: %v", text, got)
				}
				want := places[key(c, s)][id]
				slices.SortFunc(got, slices.Compare)
				slices.SortFunc(want, slices.Compare)
				if d := cmp.Diff(want, got); d != "" {
					t.Fatalf("%s in sample %d: (-want +got)\n%s", text, id, d)
				}
			}
		}
	})
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
	for seed := range uint64(2) {
		trees, s := corpus(seed, 4, 9)
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
	for i := range f.s {
		f.trees[i], f.s[i] = corpus(uint64(4+i), 3, 8)
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
