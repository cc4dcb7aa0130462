package dep

import (
	"fmt"
	"math/rand/v2"
	"testing"

	"fstore/index"
	"fstore/index/internal/spacetest"
)

// A packed forest has the same fragments as its candidates one by one.
func TestPacks(t *testing.T) {
	for _, args := range []string{
		"", "siblings=adjacent,template=rel+h.upos+m.upos", "siblings=side",
		"max-span=1", "max-span=2,root-arcs=true,template=m.upos", "max-span=3,template=m.upos,template=h.lemma",
		"siblings=side,max-span=2", "siblings=side,max-span=3,template=m.upos,root-arcs=true", "siblings=adjacent,max-span=2,template=m.upos", "siblings=any,root-arcs=true", "siblings=side,template=rel,template=h.upos+between",
		"siblings=adjacent,root-arcs=true,template=m.form,template=h.lemma+rel", "template=h.rel+m.upos,template=m+1.rel,template=h-1.rel+dir",
		"template=h.misc[G]+m.misc[X]+rel,template=m.deps",
	} {
		for seed := range uint64(6) {
			t.Run(fmt.Sprint(args, seed), func(t *testing.T) {
				r := rand.New(rand.NewPCG(seed, 3))
				o := newSpace(t, args)
				syms := index.NewSymbols()
				var packs [][]*index.Tree
				for range 6 {
					packs = append(packs, randomPack(r, o.space, syms))
				}
				testPacks(t, o, syms, packs, r)
			})
		}
	}
}

// randomPack returns random trees over the same words.
func randomPack(r *rand.Rand, s *Space, syms *index.Symbols) (trees []*index.Tree) {
	first := &index.Tree{}
	randomTree(r, syms, first, 7)
	for range 1 + r.IntN(4) {
		x := first.Clone()
		other := &index.Tree{}
		if randomTree(r, syms, other, 7); len(other.Tokens) == len(x.Tokens) || r.IntN(2) == 0 {
			for i := range min(len(other.Tokens), len(x.Tokens)) {
				x.Tokens[i].Rel = other.Tokens[i].Rel
				if r.IntN(9) == 0 {
					x.Tokens[i].UPOS = other.Tokens[i].UPOS
				}
				if len(other.Tokens) == len(x.Tokens) {
					x.Tokens[i].Head = other.Tokens[i].Head
				}
			}
		}
		s.Prepare(x, syms)
		trees = append(trees, x)
	}
	return trees
}

const packOrder = 4

func testPacks(t *testing.T, o options, syms *index.Symbols, packs [][]*index.Tree, r *rand.Rand) {
	has := make([]map[string]uint64, len(packs)) // by code, the candidates of a pack
	for i, trees := range packs {
		has[i] = map[string]uint64{}
		for k, x := range trees {
			rec := &recorder{o: o, s: syms}
			growAll(t, rec, []*index.Tree{x}, everything, index.Limits{MaxOrder: packOrder}, false)
			for _, c := range rec.codes {
				has[i][string(c)] |= 1 << k
			}
		}
	}
	spacetest.Packs(t, r, func() index.Packs { return o.space.NewPacks(syms, packOrder) }, packs, has)
}
