package dep

import (
	"fmt"
	"math/bits"
	"math/rand/v2"
	"testing"

	"github.com/google/go-cmp/cmp"

	"fstore/index"
	"fstore/index/internal/spacetest"
)

// packSets collects what packs have, by code.
type packSets struct{ counts map[string][2]int }

// Visit implements index.Visitor.
func (v packSets) Visit(b *index.Batch) error {
	for i := range b.Len() {
		v.counts[string(b.Parent)+string(b.SuffixOf(i))] = [2]int{int(b.A[i]), int(b.B[i])}
		b.Descend[i] = true
	}
	return nil
}

// What a packed forest says is what its candidates say one by one.
func TestPacks(t *testing.T) {
	for _, args := range []string{
		"", "siblings=side", "siblings=any,root-arcs=true", "siblings=side,template=rel,template=h.upos+between",
		"root-arcs=true,template=m.form,template=h.lemma+rel",
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

// randomPack is some trees over the same words.
func randomPack(r *rand.Rand, s *Space, syms *index.Symbols) (trees []*index.Tree) {
	first := &index.Tree{}
	randomTree(r, syms, first, 7)
	for range 1 + r.IntN(4) {
		x := first.Clone()
		other := &index.Tree{}
		if randomTree(r, syms, other, 7); len(other.Tokens) == len(x.Tokens) || r.IntN(2) == 0 {
			for i := range min(len(other.Tokens), len(x.Tokens)) {
				x.Tokens[i].Rel = other.Tokens[i].Rel
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
	p := o.space.NewPacks(syms, packOrder)
	var sides []index.Sides
	has := make([]map[string]uint64, len(packs)) // by code, the candidates of a pack
	for i, trees := range packs {
		p.Add(trees)
		sides = append(sides, index.Sides{A: 1 << r.IntN(8) >> 1, B: 1 << r.IntN(8) >> 1})
		has[i] = map[string]uint64{}
		for k, x := range trees {
			rec := &recorder{o: o, s: syms}
			growAll(t, rec, []*index.Tree{x}, everything, index.Limits{MaxOrder: packOrder}, false)
			for _, c := range rec.codes {
				has[i][string(c)] |= 1 << k
			}
		}
	}
	p.Seal()

	counts := map[string][2]int{}
	for i := range has {
		for code, mask := range has[i] {
			n := counts[code]
			n[0] += min(1, bits.OnesCount64(mask&sides[i].A))
			n[1] += min(1, bits.OnesCount64(mask&sides[i].B))
			counts[code] = n
		}
	}
	for c := range uint32(3) {
		want := map[string][2]int{}
		for code, n := range counts {
			if max(n[0], n[1]) > int(c) {
				want[code] = n
			}
		}
		got := packSets{map[string][2]int{}}
		frequent := p.Frequent(sides, c)
		for _, part := range halves(r, frequent.Tally) {
			if _, err := frequent.Grow(part, got); err != nil {
				t.Fatal(err)
			}
		}
		if d := cmp.Diff(want, got.counts); d != "" {
			t.Fatalf("more than %d: -want +got:\n%s", c, d)
		}
	}
	for _, among := range [][]index.Sides{nil, sides} {
		testStored(t, p, has, among, r)
	}
}

// testStored follows some of the codes.
func testStored(t *testing.T, p index.Packs, has []map[string]uint64, sides []index.Sides, r *rand.Rand) {
	chosen := map[string]bool{}
	for i := range has {
		for code := range has[i] {
			chosen[code] = true
		}
	}
	var codes []index.Code
	for code := range chosen {
		if r.IntN(3) == 0 {
			codes = append(codes, index.Code(code))
		}
	}
	x := spacetest.Index(t, codes)
	want := map[string]uint64{}
	for i := range has {
		for _, code := range codes {
			mask := has[i][string(code)]
			if sides != nil {
				mask &= sides[i].A | sides[i].B
			}
			if mask != 0 {
				want[fmt.Sprint(i, " ", string(code))] = mask
			}
		}
	}
	got := map[string]uint64{}
	stored := p.Stored(sides, x)
	for _, part := range halves(r, stored.Tally) {
		err := stored.Follow(part, func(h *index.PackHits) error {
			for i, id := range h.ID {
				key := fmt.Sprint(h.Pack[i], " ", string(codes[id-1]))
				if got[key]&h.Mask[i] != 0 {
					t.Errorf("%s: candidates %b twice", key, got[key]&h.Mask[i])
				}
				got[key] |= h.Mask[i]
			}
			return nil
		})
		if err != nil {
			t.Fatal(err)
		}
	}
	if d := cmp.Diff(want, got); d != "" {
		t.Fatalf("-want +got:\n%s", d)
	}
}

// halves cuts the first steps of a tally in two.
func halves(r *rand.Rand, tally func(*index.Tally)) []index.Range {
	var all index.Tally
	tally(&all)
	var steps []uint64
	all.Each(func(s index.Step, _, _ uint32) { steps = append(steps, s.Packed()) })
	if len(steps) == 0 {
		return []index.Range{index.All}
	}
	at := steps[r.IntN(len(steps))]
	return []index.Range{{Hi: at}, {Lo: at, Hi: index.All.Hi}}
}
