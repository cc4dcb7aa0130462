package index_test

import (
	"bytes"
	"testing"

	"github.com/google/go-cmp/cmp"

	"fstore/index"
	"fstore/index/internal/spacetest"
)

// Trees that are read in parts, each part with its own symbols, get the same numbers as trees that are read
// at once.
func TestRenumbering(t *testing.T) {
	for _, kind := range []spacetest.Shape{spacetest.Brackets, spacetest.OneAlphabet, spacetest.Dependency} {
		trees, syms := spacetest.Corpus(kind, 7, 40, 9)
		all := index.NewSymbols()
		for part := range 4 {
			own := index.NewSymbols()
			var local [][]byte
			for _, tree := range trees[10*part : 10*part+10] {
				x := tree.Clone()
				index.Translate(x, syms, own)
				local = append(local, index.AppendTree(nil, x))
			}
			r := all.Adopt(own)
			for i, b := range local {
				moved, err := r.AppendTree(nil, b, all)
				if err != nil {
					t.Fatal(err)
				}
				want := trees[10*part+i].Clone()
				index.Translate(want, syms, all)
				var direct index.Tree
				if err := r.DecodeTree(b, all, &direct); err != nil || !bytes.Equal(moved, index.AppendTree(nil, &direct)) {
					t.Fatalf("kind %v, tree %d: other bytes: %v", kind, 10*part+i, err)
				}
				if !bytes.Equal(moved, index.AppendTree(nil, want)) {
					t.Fatalf("kind %v, tree %d: other bytes", kind, 10*part+i)
				}
			}
		}
		once := index.NewSymbols()
		for _, tree := range trees {
			index.Translate(tree.Clone(), syms, once)
		}
		for c := range index.Features {
			if d := cmp.Diff(texts(once, c), texts(all, c)); d != "" {
				t.Errorf("kind %v, %s: %s", kind, c, d)
			}
		}
	}
}

// texts are the strings of a class by id.
func texts(s *index.Symbols, c index.Class) (all []string) {
	for id := 1; id <= s.Len(c); id++ {
		all = append(all, s.Text(c, uint32(id)))
	}
	return all
}

// FuzzRenumbering renumbers any bytes. If they are a tree, it must stay the same tree.
func FuzzRenumbering(f *testing.F) {
	trees, syms := spacetest.Corpus(spacetest.Brackets, 5, 7, 9)
	all := index.NewSymbols()
	r := all.Adopt(syms)
	for _, tree := range trees {
		f.Add(index.AppendTree(nil, tree))
	}
	f.Fuzz(func(t *testing.T, b []byte) {
		var x, y index.Tree
		moved, err := r.AppendTree(nil, b, all)
		if index.DecodeTree(b, syms, &x) != nil {
			return
		}
		if err == nil {
			err = index.DecodeTree(moved, all, &y)
		}
		if err != nil || !bytes.Equal(index.AppendTree(nil, &x), index.AppendTree(nil, &y)) {
			t.Errorf("a tree is no tree, or another: %v", err)
		}
		if err := r.DecodeTree(b, all, &y); err != nil || !bytes.Equal(index.AppendTree(nil, &x), index.AppendTree(nil, &y)) {
			t.Errorf("a tree is no tree, or another: %v", err)
		}
	})
}
