package spaces

import (
	"bytes"
	"math/rand/v2"
	"testing"

	"fstore/index"
	"fstore/index/glob"
)

// patterned has spaces that support patterns.
var patterned = []string{
	"stk", "st", "sstbow", "ptk",
	"dep", "dep:siblings=adjacent,template=rel+h.upos+m.upos", "dep:siblings=side", "dep:ordered=false", "dep:siblings=adjacent,template=rel+h.upos+m.upos+dir",
	"dep:siblings=adjacent,template=h.form+h.upos+m.form+m.upos", "dep:siblings=adjacent,template=h.form+m.form,template=rel+dir",
	"emb", "seq", "seq:max-gap=1,unit=upos", "tag", "poly", "poly:template=h.form+m.form,template=rel",
}

// globCorpus is the fragments of some random trees.
func globCorpus(tb testing.TB, space index.Space, dependency, oneAlphabet bool) (codes []index.Code, s *index.Symbols) {
	trees, s := corpus(3, oneAlphabet, 4, 9)
	if dependency {
		r := rand.New(rand.NewPCG(3, 3))
		for _, t := range trees {
			dependencyTree(r, s, t)
		}
	}
	it := space.NewItems(s)
	for id, t := range trees {
		index.Prepare(space, t, s)
		it.Add(uint32(id), t, index.All, index.Limits{})
	}
	it.Seal()
	v := &codeLister{}
	if _, err := it.Grow(index.All, index.Weights{}, index.Limits{MaxOrder: 3}, v); err != nil {
		tb.Fatal(err)
	}
	return v.codes, s
}

type codeLister struct{ codes []index.Code }

func (l *codeLister) Visit(b *index.Batch) error {
	for i := range b.Len() {
		b.Descend[i] = true
		l.codes = append(l.codes, append(bytes.Clone(b.Parent), b.SuffixOf(i)...))
	}
	return nil
}

// dependencyTree makes t a random dependency tree.
func dependencyTree(r *rand.Rand, s *index.Symbols, t *index.Tree) {
	t.Reset()
	t.Kind = index.Dependency
	for w := range 2 + r.IntN(5) {
		word := func(choices ...string) uint32 {
			return s.Intern(index.Words, []byte(choices[r.IntN(len(choices))]))
		}
		t.Tokens = append(t.Tokens, index.Token{
			Form: word("a", "_", "..."), UPOS: word("N", "V"), Rel: word("r", "_"), Head: int32(r.IntN(w + 1)),
		})
	}
}

// FuzzPattern reads any text as a pattern. Fragments that fit must begin with the prefix of the pattern. A
// pattern without wildcards must be a fragment.
func FuzzPattern(f *testing.F) {
	type world struct {
		space index.Space
		codes []index.Code
		s     *index.Symbols
	}
	var worlds []world
	for i, name := range patterned {
		req, err := Parse(name)
		if err != nil {
			f.Fatal(err)
		}
		codes, s := globCorpus(f, req.Space, req.CheckKind(index.Dependency) == nil, i == 2)
		worlds = append(worlds, world{req.Space, codes, s})
	}
	f.Add(uint(0), "(A _ ... (B ...))", []byte{0, 1})
	f.Add(uint(1), `(A \x5F (_))`, []byte{0, 1, 0, 2})
	f.Add(uint(2), "(_)", []byte{2, 1})
	f.Add(uint(3), "(_ a ... b)", []byte{0, 2, 1, 3})
	f.Add(uint(4), "V >r (_ >_ N ...) ...", []byte{0, 3, 1, 4})
	f.Add(uint(5), "... N <r V ...", []byte{1, 3, 2, 4})
	f.Add(uint(8), "_/N > a/_", []byte{0, 2})
	f.Add(uint(9), "* >h.form=_+m.form=a (* >_ *)", []byte{0, 2, 9, 9})
	f.Add(uint(10), "(A ... (_ ...))", []byte{0, 1, 3, 1})
	f.Add(uint(11), "[a _ ... b]", []byte{0, 1, 0, 2})
	f.Add(uint(13), "... A/_ B", []byte{0, 1})
	f.Add(uint(14), "{_ & V >r _ & ...}", []byte{0, 2})
	f.Add(uint(15), "{h.form=_+m.form=a & rel=r}", []byte{0, 2})
	f.Fuzz(func(t *testing.T, k uint, text string, hostile []byte) {
		w := worlds[k%uint(len(worlds))]
		space := w.space.(index.Patterned)
		var tree glob.Tree
		_ = space.Tree(&tree, hostile, w.s)
		p, err := space.ParsePattern(text, w.s)
		if err != nil {
			return
		}
		var code index.Code
		if !p.Wild {
			if code, err = w.space.ParseText(text, w.s); err != nil {
				t.Fatalf("%q is a pattern without wildcards, but no fragment: %v", text, err)
			}
		}
		m := glob.NewMatcher(p)
		for _, c := range w.codes {
			if err := space.Tree(&tree, c, w.s); err != nil {
				t.Fatal(err)
			}
			fits := m.Fits(&tree)
			if fits && !bytes.HasPrefix(c, p.Prefix) {
				t.Fatalf("%q fits %x, prefix %x", text, []byte(c), p.Prefix)
			}
			if !p.Wild && fits != bytes.Equal(c, code) {
				t.Fatalf("%q is %x; fits %x: %v", text, []byte(code), []byte(c), fits)
			}
		}
	})
}
