package index

import (
	"testing"

	"github.com/google/go-cmp/cmp"
)

// TestTranslate goes to other symbols and back.
func TestTranslate(t *testing.T) {
	from, to := NewSymbols(), NewSymbols()
	var tree Tree
	b := Builder{Symbols: from}
	b.Start(&tree, false)
	b.Open([]byte("S"))
	b.Word([]byte("S"))
	b.Open([]byte("NP"))
	b.Word([]byte("dog"))
	b.Close()
	b.Open([]byte("X"))
	b.Close()
	b.Close()
	tree.Tokens = []Token{{Form: from.Intern(Words, []byte("dog")), Rel: from.Intern(Words, nil), Head: 0}}
	want := tree.Clone()

	to.Intern(Labels, []byte("other"))
	to.Intern(Words, []byte("dog"))
	got := tree.Clone()
	Translate(got, from, to)
	for i, n := range got.Nodes {
		c := Labels
		if n.Word {
			c = Words
		}
		if string(to.Bytes(c, n.Sym)) != string(from.Bytes(c, want.Nodes[i].Sym)) {
			t.Errorf("node %d: %q", i, to.Bytes(c, n.Sym))
		}
	}
	if got.Tokens[0].Form != 1 || got.Tokens[0].Lemma != 0 {
		t.Errorf("%+v", got.Tokens[0])
	}
	Translate(got, to, from)
	if d := cmp.Diff(want, got); d != "" {
		t.Error(d)
	}
}
