package ptk

import (
	"bytes"
	"errors"
	"math"
	"math/rand/v2"
	"testing"

	"fstore/index"
	"fstore/index/expansion"
	"fstore/index/internal/spacetest"
)

// Nodes whose labels a store does not know match nothing, and all other nodes match as before.
func TestUnknownLabels(t *testing.T) {
	const lambda = 0.5
	space := newSpace(t)
	trees, s := spacetest.Corpus(spacetest.Brackets, 4, 4, 9)
	stored, _ := grow(t, space.NewItems(s), 0, trees, index.All, index.Limits{})
	codes := stored.codes()
	m := space.NewMatcher(spacetest.Index(t, codes), s, lambda)
	reader := s.Overlay()
	r := rand.New(rand.NewPCG(8, 8))
	unknown, matched := 0, 0
	for k := range 40 {
		reader.Rollback()
		tree := trees[k%len(trees)].Clone()
		for i := range tree.Nodes {
			if n := &tree.Nodes[i]; r.IntN(4) == 0 {
				class := index.Labels
				if n.Word {
					class = index.Words
				}
				n.Sym = reader.Intern(class, []byte{"WXYZ"[r.IntN(4)]})
			}
		}
		want := bruteTrees(space, tree, reader, lambda)
		hits, err := m.Match(tree, 0)
		if err != nil {
			t.Fatal(err)
		}
		for _, h := range hits {
			text := string(space.AppendText(nil, codes[h.ID-1], s))
			w := want[text]
			if w == nil || w.Count != h.Match.Count || math.Abs(w.Value-h.Match.Weight) > 1e-12*w.Value {
				t.Fatalf("%s: %+v, want %+v", text, h, w)
			}
			delete(want, text)
			matched++
		}
		for text := range want {
			if c, err := space.ParseText(text, s); err == nil {
				if _, ok := stored[string(c)]; ok {
					t.Fatalf("%s is missing", text)
				}
			}
			unknown++
		}
	}
	if matched == 0 || unknown == 0 {
		t.Errorf("%d matched, %d unknown: the test is too small", matched, unknown)
	}
}

// The tree is deeper than an edge of the index can say, and its fragment must still match.
func TestDeepTree(t *testing.T) {
	const depth = 600
	s := index.NewSymbols()
	tree := &index.Tree{}
	b := &index.Builder{Symbols: s}
	b.Start(tree, true)
	for range depth {
		b.Open([]byte("A"))
	}
	b.Word([]byte("b"))
	b.Word([]byte("c"))
	for range depth {
		b.Close()
	}
	space := newSpace(t)
	text := bytes.Repeat([]byte("(A "), depth)
	text = append(text, "(b) (c)"...)
	text = append(text, bytes.Repeat([]byte(")"), depth)...)
	c, err := space.ParseText(string(text), s)
	if err != nil {
		t.Fatal(err)
	}
	if err := space.Check(c, s); err != nil || c.Len() != depth+2 {
		t.Fatalf("order %d, %v", c.Len(), err)
	}
	hits, err := space.NewMatcher(spacetest.Index(t, []index.Code{c}), s, 1).Match(tree, 0)
	if err != nil || len(hits) != 1 || hits[0].Match.Count != 1 {
		t.Fatalf("%v, %v", hits, err)
	}
}

// The matcher counts more matches at a wide node than can be listed. If there are too many to count, it
// returns an *index.OccurrenceError.
func TestWideNode(t *testing.T) {
	s := index.NewSymbols()
	trees := []*index.Tree{wide(s, 20), wide(s, 60), wide(s, 100)}
	var codes []index.Code
	for n := range 21 {
		c := index.AppendStep(nil, index.Step{Sym: index.Child{Sym: s.Lookup(index.Labels, []byte("S"))}.Packed()})
		for range n {
			c = index.AppendStep(c, index.Step{Off: 1, Sym: index.Child{Sym: s.Lookup(index.Labels, []byte("A"))}.Packed()})
		}
		codes = append(codes, c)
	}
	m := newSpace(t).NewMatcher(spacetest.Index(t, codes), s, 1)
	hits, err := m.Match(trees[0], 0)
	if err != nil || len(hits) != 21 || hits[10].Match.Count != 184756 { // C(20,10)
		t.Fatalf("%v, %v", hits, err)
	}
	if hits, err = m.Match(trees[1], 0); err != nil || hits[20].Match.Count != 4191844505805495 { // C(60,20)
		t.Fatalf("%v, %v", hits, err)
	}
	var many *index.OccurrenceError
	if _, err = m.Match(trees[2], 0); !errors.As(err, &many) {
		t.Fatal(err)
	}
	for n, want := range map[int]int{2: 190, 3: 1140, 10: index.MaxLocated} {
		if got := len(newSpace(t).Locate(trees[0], codes[n], s)); got != want {
			t.Errorf("%d children: %d located, want %d", n, got, want)
		}
	}
	// No node fits the last child, so Locate returns nothing at once.
	none := index.AppendStep(codes[20], index.Step{Off: 1, Sym: index.Child{Sym: s.Lookup(index.Labels, []byte("S"))}.Packed()})
	if got := newSpace(t).Locate(trees[1], none, s); got != nil {
		t.Errorf("%d located", len(got))
	}
}

// Matching with a damaged index does not panic.
func TestMatcherOnDamagedIndex(t *testing.T) {
	trees, s := spacetest.Corpus(spacetest.Brackets, 6, 7, 9)
	stored, _ := grow(t, newSpace(t).NewItems(s), 0, trees, index.All, index.Limits{MaxOrder: 3})
	raw := spacetest.Index(t, stored.codes()).Raw()
	r := rand.New(rand.NewPCG(3, 4))
	for range 300 {
		data := bytes.Clone(raw)
		for range 1 + r.IntN(8) {
			data[8+r.IntN(len(data)-8-64)] ^= byte(1 << r.IntN(8))
		}
		x, err := expansion.Parse(data)
		if err != nil {
			continue
		}
		m := newSpace(t).NewMatcher(x, s, 1)
		for _, tree := range trees {
			m.Match(tree, 20_000)
		}
	}
}
