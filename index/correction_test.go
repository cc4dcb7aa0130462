package index

import (
	"testing"

	"github.com/google/go-cmp/cmp"
	"github.com/google/go-cmp/cmp/cmpopts"
	"pgregory.net/rapid"
)

// drawCorrections gives t some corrections.
func drawCorrections(t *rapid.T, tree *Tree) {
	tree.Corrections = nil
	for i := range max(len(tree.Nodes), len(tree.Tokens)) {
		for f := range fields {
			if tree.hasField(uint64(i), f) && rapid.IntRange(0, 3).Draw(t, "differs") == 0 {
				tree.Corrections = append(tree.Corrections, Correction{int32(i), f, rapid.String().Draw(t, "text")})
			}
		}
	}
}

// Corrections are decoded as they were encoded. The gold tree has each correction, and is otherwise equal to
// the tree.
func TestCorrections(t *testing.T) {
	rapid.Check(t, func(t *rapid.T) {
		s := NewSymbols()
		var tree, into, gold Tree
		if rapid.Bool().Draw(t, "dependency") {
			drawDependency(t, s, &tree)
		} else {
			drawConstituency(t, s, &tree)
		}
		drawCorrections(t, &tree)
		if err := DecodeTree(AppendTree(nil, &tree), s, &into); err != nil {
			t.Fatal(err)
		}
		b := AppendCorrections(nil, tree.Corrections)
		for range 2 { // into is reused
			if err := DecodeCorrections(b, &into); err != nil {
				t.Fatal(err)
			}
		}
		if diff := cmp.Diff(tree.Corrections, into.Corrections, cmpopts.EquateEmpty()); diff != "" {
			t.Fatal(diff)
		}
		for n := range b { // a prefix is an error, or fewer corrections
			if err := DecodeCorrections(b[:n], &into); err == nil && len(into.Corrections) >= len(tree.Corrections) {
				t.Fatalf("%d of %d bytes: %v", n, len(b), into.Corrections)
			}
		}

		over := s.Overlay()
		tree.Correct(&gold, over)
		want := tree.Clone()
		for _, c := range tree.Corrections {
			switch id := func(c Class, text string) uint32 { return over.Lookup(c, []byte(text)) }; c.Field {
			case LabelField:
				want.Nodes[c.At].Sym = id(Labels, c.Text)
			case UPOSField:
				want.Tokens[c.At].UPOS = id(Words, c.Text)
			case XPOSField:
				want.Tokens[c.At].XPOS = id(Words, c.Text)
			case RelField:
				want.Tokens[c.At].Rel = id(Words, c.Text)
			}
		}
		if diff := cmp.Diff([]any{want.Kind, want.OneAlphabet, want.Nodes, want.Tokens}, []any{gold.Kind, gold.OneAlphabet, gold.Nodes, gold.Tokens}, cmpopts.EquateEmpty()); diff != "" {
			t.Fatal(diff)
		}
	})
}

// Corrections that do not fit their tree, or do not ascend, are an error.
func TestCorrectionsDamaged(t *testing.T) {
	dep := &Tree{Kind: Dependency, Tokens: make([]Token, 2)}
	brackets := &Tree{Nodes: []Node{{Size: 2}, {Size: 1, Word: true}}}
	for _, c := range []struct {
		tree *Tree
		all  []Correction
		ok   bool
	}{
		{dep, []Correction{{0, UPOSField, "a"}, {0, RelField, ""}, {1, XPOSField, "b"}}, true},
		{dep, []Correction{{0, LabelField, "a"}}, false},
		{dep, []Correction{{2, RelField, "a"}}, false},
		{dep, []Correction{{1, RelField, "a"}, {1, RelField, "b"}}, false},
		{dep, []Correction{{1, RelField, "a"}, {1, UPOSField, "b"}}, false},
		{dep, []Correction{{1, RelField, "a"}, {0, RelField, "b"}}, false},
		{brackets, []Correction{{0, LabelField, "a"}}, true},
		{brackets, []Correction{{1, LabelField, "a"}}, false},
		{brackets, []Correction{{0, RelField, "a"}}, false},
	} {
		if err := DecodeCorrections(AppendCorrections(nil, c.all), c.tree); (err == nil) != c.ok {
			t.Errorf("%v: %v", c.all, err)
		}
	}
}
