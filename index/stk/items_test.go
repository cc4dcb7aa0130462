package stk

import (
	"errors"
	"fmt"
	"math/rand/v2"
	"slices"
	"strings"
	"testing"

	"github.com/google/go-cmp/cmp"

	"fstore/index"
)

// randomTrees are trees of few labels and words, some with childless nonterminals.
func randomTrees(r *rand.Rand, syms *index.Symbols, n int) []index.Tree {
	trees := make([]index.Tree, n)
	b := index.Builder{Symbols: syms}
	var node func(depth int)
	node = func(depth int) {
		b.Open([]byte{"ABC"[r.IntN(3)]})
		for range r.IntN(4) {
			if depth > 4 || r.IntN(3) == 0 {
				b.Word([]byte{"vw"[r.IntN(2)]})
			} else {
				node(depth + 1)
			}
		}
		b.Close()
	}
	for i := range trees {
		b.Start(&trees[i], false)
		node(0)
	}
	return trees
}

// listing is a visitor that writes down what it sees.
type listing struct{ strings.Builder }

func (l *listing) Visit(b *index.Batch) error {
	for i := range b.Len() {
		fmt.Fprintf(l, "%x.%x %v %v", []byte(b.Parent), b.SuffixOf(i), b.SamplesOf(i), b.CountsOf(i))
		if b.Closed != nil {
			fmt.Fprintf(l, " closed %v", b.Closed[i])
		}
		l.WriteByte('\n')
		b.Descend[i] = true
	}
	return nil
}

// Growth gives the same result for items made from trees and for items made from their productions.
func TestExpansions(t *testing.T) {
	r := rand.New(rand.NewPCG(27, 1))
	found := 0
	for round := range 40 {
		syms := index.NewSymbols()
		trees := randomTrees(r, syms, 1+r.IntN(40))
		support := make([]uint32, syms.Len(index.Productions)+1)
		secondOf := map[uint32][]uint64{}
		for i := range trees {
			in := map[uint32]bool{}
			for _, n := range trees[i].Nodes {
				if n.Prod != 0 && !in[n.Prod] {
					in[n.Prod] = true
					support[n.Prod]++
					secondSteps(&trees[i], index.Step{Sym: n.Prod}.Packed(), func(s uint64) { secondOf[n.Prod] = append(secondOf[n.Prod], s) })
				}
			}
		}
		first := func() uint64 {
			return index.Step{Sym: 1 + uint32(r.IntN(len(support)-1))}.Packed()
		}
		ranges := []index.Range{index.All}
		lo, hi := first(), first()
		ranges = append(ranges, index.Range{Lo: min(lo, hi), Hi: max(lo, hi) + 1})
		for p, seconds := range secondOf { // some production, and its second steps from some on
			s := index.Step{Sym: p}.Packed()
			ranges = append(ranges, index.Range{Lo: s, Hi: s + 1, Lo2: seconds[0], Hi2: slices.Max(seconds) + 1})
			break
		}
		for _, of := range ranges {
			for _, l := range []index.Limits{{MinSupport: 1, MaxOrder: 3}, {MinSupport: 2, MaxOrder: 1, Closed: true}, {MinSupport: 2, MaxOrder: 2}, {MinSupport: 3, MaxOrder: 4}, {MinSupport: 2, MaxOrder: 3, Closed: true}} {
				if of.Hi2 != 0 && (l.MaxOrder == 1 || support[of.Lo] < l.MinSupport) {
					continue // nobody grows below such a first step
				}
				plain := &Items{Symbols: syms, Whole: true}
				made := &Items{Symbols: syms}
				add := Space{}.Expansions()
				e := index.NewExpander(syms, nil, of, func(p uint32) bool { return support[p] < l.MinSupport })
				for i := range trees {
					plain.Add(uint32(i), &trees[i], of, l)
					list, err := e.Read(index.AppendTree(nil, &trees[i]))
					if err != nil {
						t.Fatal(err)
					}
					if len(list) > 0 {
						add(made, uint32(i), list, of, l)
					}
					if i == len(trees)/2 {
						made.Expect(0.5)
					}
				}
				if len(made.Prod) > len(plain.Prod) {
					t.Errorf("%d items, of trees %d", len(made.Prod), len(plain.Prod))
				}
				want, got := grown(t, plain, of, l), grown(t, made, of, l)
				if diff := cmp.Diff(want, got); diff != "" {
					t.Fatalf("round %d, %+v, %+v (-trees +productions):\n%s", round, of, l, diff)
				}
				found += len(want)
			}
		}
	}
	if found < 10_000 {
		t.Errorf("%d lines were compared", found)
	}
}

// grown returns what growth visits in a range, and its counts.
func grown(t *testing.T, items *Items, r index.Range, l index.Limits) []string {
	t.Helper()
	items.Seal()
	v := new(listing)
	counts, err := items.Grow(r, index.Weights{}, l, v)
	if err != nil {
		t.Fatal(err)
	}
	return append(strings.Split(v.String(), "\n"), fmt.Sprint(counts))
}

// After Expect(1/8), productions and children can grow to 8 times their number without new memory.
func TestExpect(t *testing.T) {
	syms := index.NewSymbols()
	one := randomTrees(rand.New(rand.NewPCG(27, 2)), syms, 50)
	it := &Items{Symbols: syms}
	addAll := func() {
		for i := range one {
			it.Add(uint32(i), &one[i], index.All, index.Limits{})
		}
	}
	addAll()
	nodes, kids := len(it.Prod), len(it.Kids)
	before := slices.Clone(it.Prod)
	it.Expect(1.0 / 8)
	bytes := it.Bytes()
	if c := cap(it.Prod); c < 8*nodes || c > 10*nodes {
		t.Errorf("room for %d of %d items", c, 8*nodes)
	}
	if c := cap(it.Kids); c < 8*kids || c > 10*kids {
		t.Errorf("room for %d of %d children", c, 8*kids)
	}
	for range 7 {
		addAll()
	}
	if grew := it.Bytes() - bytes - it.with.Bytes(8*nodes) + it.with.Bytes(nodes); grew != 0 {
		t.Errorf("%d bytes more", grew)
	}
	if !slices.Equal(it.Prod[:nodes], before) || !slices.Equal(it.Prod[7*nodes:], before) {
		t.Error("other productions")
	}
	it.Expect(0.999) // as it is
	if len(it.Prod) != 8*nodes {
		t.Errorf("%d items", len(it.Prod))
	}
	empty := &Items{Symbols: syms}
	empty.Expect(1.0 / 8)
	if empty.Bytes() != (&Items{Symbols: syms}).Bytes() {
		t.Errorf("no items take %d bytes", empty.Bytes())
	}
}

// Reading a damaged tree gives an error, or productions that can be grown without a panic.
func TestExpansionsOfDamagedTrees(t *testing.T) {
	r := rand.New(rand.NewPCG(27, 3))
	syms := index.NewSymbols()
	trees := randomTrees(r, syms, 20)
	add := Space{}.Expansions()
	l := index.Limits{MaxOrder: 3}
	// This renumbering has only half of the symbols.
	var ids index.Renumbering
	for c := range ids {
		ids[c] = make([]uint32, syms.Len(index.Class(c))/2+1)
		for i := range ids[c] {
			ids[c][i] = uint32(i)
		}
	}
	bad := 0
	for round := range 4000 {
		b := index.AppendTree(nil, &trees[r.IntN(len(trees))])
		switch r.IntN(3) {
		case 0:
			b = b[:r.IntN(len(b))]
		default:
			for range 1 + r.IntN(3) {
				b[r.IntN(len(b))] = byte(r.Uint32())
			}
		}
		e := index.NewExpander(syms, nil, index.All, nil)
		if round%2 == 1 {
			e = index.NewExpander(syms, &ids, index.All, nil)
		}
		list, err := e.Read(b)
		if err != nil {
			if list != nil || errors.Unwrap(err) == nil {
				t.Fatalf("%x: %v, %v", b, list, err)
			}
			bad++
			continue
		}
		it := &Items{Symbols: syms}
		if len(list) > 0 {
			add(it, 0, list, index.All, l)
		}
		grown(t, it, index.All, l)
	}
	if bad < 1000 {
		t.Errorf("%d of the trees were damaged", bad)
	}
}
