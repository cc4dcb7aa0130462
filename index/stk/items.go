package stk

import (
	"math"
	"slices"
	"sync"

	"fstore/index"
	"fstore/index/internal/growth"
)

// Values in Items.Kids for a nonterminal child that is not an item.
const (
	Childless = -1 // the child has no production
	Excluded  = -2 // growth in the range does not need it
)

// Items are the nodes with a production, of all samples. They are kept as parallel arrays. A node takes
// 16 bytes.
type Items struct {
	Symbols  *index.Symbols
	MaxDepth int  // the largest depth of fragments; 0 is any
	Whole    bool // every node is an item of its own, with Kids
	Prod     []uint32
	Sample   []uint32
	Kid      []uint32 // the nonterminal children of item i begin at Kids[Kid[i]]
	Kids     []int32  // item numbers, Childless or Excluded

	with growth.Inverted[int32] // after Seal: the items of each production, ascending

	growers sync.Pool // *grower: each has scratch as large as the symbol table

	tree []index.Expansion // scratch of Add
	open []opened
	leaf []int32 // by production: the item of all its leaves, plus 1; see addExpansions
}

// NewItems returns an empty *Items.
func (s Space) NewItems(syms *index.Symbols) index.Items {
	return &Items{Symbols: syms, MaxDepth: s.MaxDepth}
}

// Add implements index.Items. A node without a production is no item.
func (it *Items) Add(sample uint32, t *index.Tree, r index.Range, l index.Limits) {
	it.tree = it.tree[:0]
	for i := range t.Nodes {
		if n := &t.Nodes[i]; n.Prod != 0 {
			root := r.Contains(index.Step{Sym: n.Prod}.Packed())
			it.tree = append(it.tree, index.Expansion{Prod: n.Prod, Arity: nonterminals(t, i), Root: root})
		} else if !n.Word {
			it.tree = append(it.tree, index.Expansion{})
		}
	}
	it.addExpansions(sample, it.tree, r, l)
}

// nonterminals returns the number of children of node i that are not words. It does not ask the symbol table,
// to which a reader can add symbols while Add runs.
func nonterminals(t *index.Tree, i int) (n uint32) {
	for k := i + 1; k < i+int(t.Nodes[i].Size); k += int(t.Nodes[k].Size) {
		if !t.Nodes[k].Word {
			n++
		}
	}
	return n
}

// levelsOf returns how many levels of a tree are needed for growth within the limits l. Closed mode needs one
// level more.
func levelsOf(l index.Limits) int32 {
	switch {
	case l.MaxOrder == 0:
		return math.MaxInt32
	case l.Closed:
		return int32(min(l.MaxOrder, math.MaxInt32-1)) + 1
	}
	return int32(min(l.MaxOrder, math.MaxInt32-1))
}

// opened is a nonterminal with children that have not been read yet.
type opened struct {
	kids uint32 // the index in Items.Kids of the next child, if item is set
	more uint32 // children to come
	item bool
	left int32 // levels that a fragment with this nonterminal may still have, its own included
}

// Expansions implements index.Expanded.
func (Space) Expansions() func(it index.Items, sample uint32, tree []index.Expansion, r index.Range, l index.Limits) {
	return func(it index.Items, sample uint32, tree []index.Expansion, r index.Range, l index.Limits) {
		it.(*Items).addExpansions(sample, tree, r, l)
	}
}

// addExpansions adds a tree, given as its nonterminals. If it.Whole is false, all leaves with the same
// production are one item. A leaf is an item that has no Kids and is no root.
func (it *Items) addExpansions(sample uint32, tree []index.Expansion, r index.Range, l index.Limits) {
	levels := levelsOf(l)
	if r.Hi2 != 0 {
		it.secondRoots(tree, r)
	}
	open := it.open[:0]
	for i := range tree {
		x := &tree[i]
		var above *opened
		left := int32(0)
		if n := len(open); n > 0 {
			above = &open[n-1]
			left = max(above.left-1, 0)
			above.more--
		}
		item, kids := int32(Childless), false
		if x.Prod != 0 {
			if x.Root {
				left = levels
			}
			item = Excluded
			if left > 0 {
				// If r has second steps, growth visits all nodes with the first step r.Lo.
				root := x.Root || r.Hi2 != 0 && uint64(x.Prod) == r.Lo
				kids = x.Arity > 0 && !x.Rare && (root || left > 1 || it.Whole)
				if root || kids || it.Whole {
					item = it.add(x.Prod, sample)
				} else {
					item = it.leafOf(x.Prod)
				}
			}
		}
		if above != nil {
			if above.item {
				it.Kids[above.kids] = item
				above.kids++
			}
			if above.more == 0 {
				open = open[:len(open)-1]
			}
		}
		if x.Arity == 0 {
			continue
		}
		o := opened{more: x.Arity, item: kids, left: left}
		if x.Rare {
			o.left = 0
		}
		if kids {
			o.kids = uint32(len(it.Kids))
			it.Kid[item] = o.kids
			it.Kids = slices.Grow(it.Kids, int(x.Arity))[:len(it.Kids)+int(x.Arity)]
		}
		open = append(open, o)
	}
	it.open = open[:0]
}

// leafOf returns the one item for all leaves with this production.
func (it *Items) leafOf(prod uint32) int32 {
	if len(it.leaf) <= int(prod) {
		it.leaf = append(it.leaf, make([]int32, it.Symbols.Len(index.Productions)+1-len(it.leaf))...)
	}
	if it.leaf[prod] == 0 {
		it.leaf[prod] = it.add(prod, 0) + 1
	}
	return it.leaf[prod] - 1
}

// secondRoots clears the field Root of the nodes that have no second step in r.
func (it *Items) secondRoots(tree []index.Expansion, r index.Range) {
	type place struct {
		root      int // -1 if there is none
		off, more uint32
	}
	var open []place
	for i := range tree {
		x := &tree[i]
		if n := len(open); n > 0 {
			above := &open[n-1]
			if s := (index.Step{Off: above.off, Sym: x.Prod}).Packed(); x.Prod != 0 && above.root >= 0 && r.Lo2 <= s && s < r.Hi2 {
				tree[above.root].Root = true
			}
			above.off++
			if above.more--; above.more == 0 {
				open = open[:n-1]
			}
		}
		p := place{root: -1, more: x.Arity}
		if x.Root {
			p.root, x.Root = i, false
		}
		if x.Arity > 0 {
			open = append(open, p)
		}
	}
}

// SecondSteps implements index.Splitter.
func (Space) SecondSteps() index.SecondSteps { return secondSteps }

func secondSteps(t *index.Tree, first uint64, f func(second uint64)) {
	for i := range t.Nodes {
		if p := t.Nodes[i].Prod; p == 0 || (index.Step{Sym: p}).Packed() != first {
			continue
		}
		off := uint32(0)
		for k := i + 1; k < i+int(t.Nodes[i].Size); k += int(t.Nodes[k].Size) {
			if t.Nodes[k].Word {
				continue
			}
			if p := t.Nodes[k].Prod; p != 0 {
				f(index.Step{Off: off, Sym: p}.Packed())
			}
			off++
		}
	}
}

func (it *Items) add(prod, sample uint32) int32 {
	it.Prod = append(it.Prod, prod)
	it.Sample = append(it.Sample, sample)
	it.Kid = append(it.Kid, 0)
	return int32(len(it.Prod) - 1)
}

// Expect implements index.Expecting. It allocates 3 % more memory than predicted, because treebanks are
// uneven.
func (it *Items) Expect(share float64) {
	const spare = 1.03
	n, kids := int(spare*float64(len(it.Prod))/share), int(spare*float64(len(it.Kids))/share)
	for _, of := range [...]*[]uint32{&it.Prod, &it.Sample, &it.Kid} {
		*of = slices.Grow(*of, n-len(*of))
	}
	it.Kids = slices.Grow(it.Kids, kids-len(it.Kids))
}

// Seal groups the items by production.
func (it *Items) Seal() {
	it.with.Fill(it.Symbols.Len(index.Productions)+1, func() {
		for i, p := range it.Prod {
			it.with.Put(p, int32(i))
		}
	})
}

// Of returns the items of production p, ascending.
func (it *Items) Of(p uint32) []int32 { return it.with.Of(int(p), int(p)+1) }

// Bytes is the memory that the items take, plus the memory that Seal will take.
func (it *Items) Bytes() int64 {
	return 4*int64(cap(it.Prod)+cap(it.Sample)+cap(it.Kid)+cap(it.Kids)+3*cap(it.tree)+cap(it.leaf)) + it.with.Bytes(len(it.Prod))
}

// Reset removes all items and keeps the memory.
func (it *Items) Reset() {
	it.Prod, it.Sample, it.Kid, it.Kids = it.Prod[:0], it.Sample[:0], it.Kid[:0], it.Kids[:0]
	it.with.Reset()
	clear(it.leaf)
}
