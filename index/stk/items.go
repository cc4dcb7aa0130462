package stk

import (
	"math"
	"sync"

	"fstore/index"
	"fstore/index/internal/growth"
)

// What stands in Items.Kids where a nonterminal child is no item.
const (
	Childless = -1 // it has no production
	Excluded  = -2 // it lies outside what the range needs
)

// Items are the nodes with productions of many samples, as parallel arrays: the
// columns of growth hold item numbers, and everything growth asks of one is a
// single load. 16 bytes a node.
type Items struct {
	Symbols  *index.Symbols
	MaxDepth int // of fragments; 0 is any
	Prod     []uint32
	Sample   []uint32
	Kid      []uint32 // the nonterminal children of i stand from Kids[Kid[i]] on
	Kids     []int32  // item numbers, or Childless, Excluded

	with growth.Inverted[int32] // after Seal: the items of each production, ascending

	growers sync.Pool // *grower: their scratch is as large as the symbol table

	itemOf []int32
	left   []int32
}

// Add appends the nodes of t that have a production; with a range that is not
// everything, only those that a fragment of order l.MaxOrder with its root in r
// can reach (one level more in closed mode, which looks at what is below). Where r is
// a part of one first step, roots are those that a second step in r extends.
func (it *Items) Add(sample uint32, t *index.Tree, r index.Range, l index.Limits) {
	if cap(it.itemOf) < len(t.Nodes) {
		it.itemOf = make([]int32, len(t.Nodes)+len(t.Nodes)/2)
		it.left = make([]int32, cap(it.itemOf))
	}
	itemOf := it.itemOf[:len(t.Nodes)]
	if r == index.All {
		for i := range t.Nodes {
			itemOf[i] = Childless
			if p := t.Nodes[i].Prod; p != 0 {
				itemOf[i] = it.add(p, sample)
			}
		}
	} else {
		it.addBelow(sample, t, r, l, itemOf)
	}
	for i := range t.Nodes {
		if itemOf[i] < 0 {
			continue
		}
		it.Kid[itemOf[i]] = uint32(len(it.Kids))
		end := i + int(t.Nodes[i].Size)
		for k := i + 1; k < end; k += int(t.Nodes[k].Size) {
			if !t.Nodes[k].Word {
				it.Kids = append(it.Kids, itemOf[k])
			}
		}
	}
}

// addBelow adds what lies near enough below a root in r; left[i] is the number
// of levels, i's included, that a fragment reaching i may still have.
func (it *Items) addBelow(sample uint32, t *index.Tree, r index.Range, l index.Limits, itemOf []int32) {
	levels := int32(math.MaxInt32)
	if l.MaxOrder > 0 {
		levels = int32(min(l.MaxOrder, math.MaxInt32-1))
		if l.Closed {
			levels++
		}
	}
	left := it.left[:len(t.Nodes)]
	for i := range t.Nodes {
		n := &t.Nodes[i]
		left[i] = 0
		if n.Parent >= 0 && left[n.Parent] > 0 {
			left[i] = left[n.Parent] - 1
		}
		itemOf[i] = Childless
		if n.Prod == 0 {
			continue
		}
		if r.Contains(index.Step{Sym: n.Prod}.Packed()) && (r.Hi2 == 0 || hasSecond(t, i, r)) {
			left[i] = levels
		}
		itemOf[i] = Excluded
		if left[i] > 0 {
			itemOf[i] = it.add(n.Prod, sample)
		}
	}
}

// hasSecond says whether a second step in r extends the fragment rooted at node i.
func hasSecond(t *index.Tree, i int, r index.Range) (found bool) {
	eachSecond(t, i, func(second uint64) { found = found || r.Lo2 <= second && second < r.Hi2 })
	return found
}

// eachSecond calls f with the second steps at node i: its nonterminal children.
func eachSecond(t *index.Tree, i int, f func(second uint64)) {
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

// SecondSteps implements index.Splitter.
func (Space) SecondSteps() index.SecondSteps { return secondSteps }

func secondSteps(t *index.Tree, first uint64, f func(second uint64)) {
	for i := range t.Nodes {
		if p := t.Nodes[i].Prod; p != 0 && (index.Step{Sym: p}).Packed() == first {
			eachSecond(t, i, f)
		}
	}
}

func (it *Items) add(prod, sample uint32) int32 {
	it.Prod = append(it.Prod, prod)
	it.Sample = append(it.Sample, sample)
	it.Kid = append(it.Kid, 0)
	return int32(len(it.Prod) - 1)
}

// Seal groups the items by production.
func (it *Items) Seal() {
	it.with.Begin(it.Symbols.Len(index.Productions) + 1)
	for _, p := range it.Prod {
		it.with.Count(p)
	}
	it.with.Counted()
	for i, p := range it.Prod {
		it.with.Put(p, int32(i))
	}
}

// Of returns the items of production p, ascending.
func (it *Items) Of(p uint32) []int32 { return it.with.Of(int(p), int(p)+1) }

// Bytes is the memory held, and what Seal will take.
func (it *Items) Bytes() int64 {
	return 4*int64(cap(it.Prod)+cap(it.Sample)+cap(it.Kid)+cap(it.Kids)+
		cap(it.itemOf)+cap(it.left)) + it.with.Bytes(len(it.Prod))
}

// Reset empties it.
func (it *Items) Reset() {
	it.Prod, it.Sample, it.Kid, it.Kids = it.Prod[:0], it.Sample[:0], it.Kid[:0], it.Kids[:0]
	it.with.Reset()
}
