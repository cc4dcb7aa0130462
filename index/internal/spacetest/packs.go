package spacetest

import (
	"fmt"
	"math/bits"
	"math/rand/v2"
	"testing"

	"github.com/google/go-cmp/cmp"

	"fstore/index"
)

// Packs checks which trees of a pack have which fragments (index.Packs). masks[i] maps a fragment's code to
// the trees of packs[i] that have it, one bit for each tree.
func Packs(t *testing.T, r *rand.Rand, newPacks func() index.Packs, packs [][]*index.Tree, masks []map[string]uint64) {
	t.Helper()
	p := newPacks()
	var sides []index.Sides
	for _, trees := range packs {
		p.Add(trees)
		sides = append(sides, index.Sides{A: 1 << r.IntN(8) >> 1, B: 1 << r.IntN(8) >> 1})
	}
	p.Seal()
	checkFrequent(t, r, p, masks, sides)
	c := packCase{r: r, newPacks: newPacks, packs: packs, masks: masks}
	chosen := map[string]bool{}
	for i := range masks {
		for code := range masks[i] {
			chosen[code] = true
		}
	}
	for code := range chosen {
		if r.IntN(3) > 0 {
			c.codes = append(c.codes, index.Code(code))
		}
	}
	c.x = Index(t, c.codes)
	c.check(t, p, nil)
	c.check(t, p, sides)
	c.checkAlone(t, p)
}

// sideCounts has, for each code, how many packs have the fragment on side A, and how many on side B.
type sideCounts map[string][2]int

// Visit implements index.Visitor.
func (v sideCounts) Visit(b *index.Batch) error {
	for i := range b.Len() {
		v[string(b.Parent)+string(b.SuffixOf(i))] = [2]int{int(b.A[i]), int(b.B[i])}
		b.Descend[i] = true
	}
	return nil
}

func checkFrequent(t *testing.T, r *rand.Rand, p index.Packs, masks []map[string]uint64, sides []index.Sides) {
	t.Helper()
	counts := sideCounts{}
	for i := range masks {
		for code, mask := range masks[i] {
			n := counts[code]
			n[0] += min(1, bits.OnesCount64(mask&sides[i].A))
			n[1] += min(1, bits.OnesCount64(mask&sides[i].B))
			counts[code] = n
		}
	}
	for c := range uint32(3) {
		want := sideCounts{}
		for code, n := range counts {
			if max(n[0], n[1]) > int(c) {
				want[code] = n
			}
		}
		got := sideCounts{}
		frequent := p.Frequent(sides, c)
		for _, part := range halves(r, frequent.Tally) {
			if _, err := frequent.Grow(part, got); err != nil {
				t.Fatal(err)
			}
		}
		if d := cmp.Diff(want, got); d != "" {
			t.Fatalf("more than %d: -want +got:\n%s", c, d)
		}
	}
}

// packCase is a set of fragments to look for in packs.
type packCase struct {
	r        *rand.Rand
	newPacks func() index.Packs
	packs    [][]*index.Tree
	masks    []map[string]uint64
	codes    []index.Code // ascending after Index
	x        index.Automaton
}

// check checks the hits of p.Stored(sides, c.x).
func (c *packCase) check(t *testing.T, p index.Packs, sides []index.Sides) {
	t.Helper()
	want := map[string]uint64{}
	for i := range c.masks {
		for _, code := range c.codes {
			mask := c.masks[i][string(code)]
			if sides != nil {
				mask &= sides[i].A | sides[i].B
			}
			if mask != 0 {
				want[fmt.Sprint(i, " ", string(code))] = mask
			}
		}
	}
	got := map[string]uint64{}
	stored := p.Stored(sides, c.x)
	for _, part := range halves(c.r, stored.Tally) {
		err := stored.Follow(part, func(h *index.PackHits) error {
			for i, id := range h.ID {
				key := fmt.Sprint(h.Pack[i], " ", string(c.codes[id-1]))
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

// checkAlone checks that the hits in a pack, and their order, do not depend on the other packs.
func (c *packCase) checkAlone(t *testing.T, p index.Packs) {
	t.Helper()
	together := make([][]string, len(c.packs))
	follow := func(p index.Packs, f func(pack uint32, hit string)) {
		err := p.Stored(nil, c.x).Follow(index.All, func(h *index.PackHits) error {
			for i, id := range h.ID {
				f(h.Pack[i], fmt.Sprint(id, h.Mask[i]))
			}
			return nil
		})
		if err != nil {
			t.Fatal(err)
		}
	}
	follow(p, func(pack uint32, hit string) { together[pack] = append(together[pack], hit) })
	for i, trees := range c.packs {
		one := c.newPacks()
		one.Add(trees)
		one.Seal()
		var alone []string
		follow(one, func(_ uint32, hit string) { alone = append(alone, hit) })
		if d := cmp.Diff(together[i], alone); d != "" {
			t.Fatalf("pack %d: -among others +alone:\n%s", i, d)
		}
	}
}

// halves divides index.All into two ranges, at a random step that `tally` counts.
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
