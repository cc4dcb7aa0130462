package stk

import (
	"slices"

	"fstore/index"
	"fstore/index/internal/growth"
)

// Growth stores the occurrences of a pattern in columns (index/README.md, "Growth"): one for the roots, and
// one for each frontier position that can still grow. To extend the pattern, growth groups one column by
// production. A group of all occurrences shares the pattern's columns. (Dropping columns without a frequent
// production saves nothing: IcePaHC, order ≤ 5, support 2, 0.48 s with and without.)

// column is one frontier position of a pattern.
type column struct {
	off   uint32  // position among all frontier nonterminals of the pattern
	items []int32 // for each root occurrence: an item number, Childless or Excluded
	depth int     // the depth of a production that expands it, which is 1 at the root
}

// group has the occurrences of one extension, as positions in the parent's arrays.
type group struct {
	col  int32 // index into the columns
	prod uint32
	at   []int32 // ascending
}

// level has the data of a pattern at one depth of growth. The data last while the pattern's extensions grow.
type level struct {
	cols, given []column // given: the columns given up, used in closed mode only
	groups      []group
	batch       index.Batch
}

type grower struct {
	it     *Items
	r      index.Range
	w      index.Weights
	l      index.Limits
	arena  arena
	spare  []int32 // scratch of move
	code   []byte
	levels growth.Levels[level]
	count  []uint32 // per production; zero between uses
	seen   []uint32 // productions counted
	start  []uint32 // where the positions of a frequent production go
	pairs  [smallGroup]uint64
	counts index.Counts

	growth.Batches
}

// smallGroup is the length up to which a column is grouped by insertion sort. On IcePaHC, 16 to 32 are
// equally fast.
const smallGroup = 24

// group groups column c by production. It appends the groups of at least MinSupport occurrences to lv.groups,
// by ascending production, and returns the number of all groups.
func (g *grower) group(lv *level, c int, items []int32) (seen int) {
	if len(items) <= smallGroup {
		return g.groupSmall(lv, c, items)
	}
	prod, count := g.it.Prod, g.count
	g.seen = g.seen[:0]
	for _, x := range items {
		if x < 0 {
			continue
		}
		p := prod[x]
		if count[p] == 0 {
			g.seen = append(g.seen, p)
		}
		count[p]++
	}
	// Each frequent production gets a part of one array. Other productions get a count of 0, so the second
	// pass leaves them out.
	kept := g.seen[:0]
	total := uint32(0)
	seen = len(g.seen)
	for _, p := range g.seen {
		if count[p] < g.l.MinSupport {
			count[p] = 0
			continue
		}
		total += count[p]
		kept = append(kept, p)
	}
	if len(kept) == 0 {
		return seen
	}
	slices.Sort(kept)
	at := g.arena.alloc(int(total))
	end := uint32(0)
	for _, p := range kept {
		n := count[p]
		lv.groups = append(lv.groups, group{int32(c), p, at[end : end+n : end+n]})
		g.start[p] = end
		end += n
	}
	for i, x := range items {
		if x < 0 {
			continue
		}
		if p := prod[x]; count[p] > 0 {
			at[g.start[p]] = int32(i)
			g.start[p]++
		}
	}
	for _, p := range kept {
		count[p] = 0
	}
	return seen
}

// groupSmall does the work of the method `group` for short columns. It uses insertion sort.
func (g *grower) groupSmall(lv *level, c int, items []int32) (seen int) {
	prod := g.it.Prod
	pairs := g.pairs[:0]
	for i, x := range items {
		if x < 0 {
			continue
		}
		v := uint64(prod[x])<<32 | uint64(i)
		pairs = append(pairs, v)
		k := len(pairs) - 1
		for ; k > 0 && pairs[k-1] > v; k-- {
			pairs[k] = pairs[k-1]
		}
		pairs[k] = v
	}
	for i := 0; i < len(pairs); {
		p := uint32(pairs[i] >> 32)
		k := i + 1
		for k < len(pairs) && uint32(pairs[k]>>32) == p {
			k++
		}
		seen++
		if uint32(k-i) >= g.l.MinSupport {
			at := g.arena.alloc(k - i)
			for j := range at {
				at[j] = int32(uint32(pairs[i+j]))
			}
			lv.groups = append(lv.groups, group{int32(c), p, at})
		}
		i = k
	}
	return seen
}

// deeper says whether children of a production at this depth are allowed to be expanded.
func (g *grower) deeper(depth int) bool { return g.it.MaxDepth == 0 || depth < g.it.MaxDepth }

// isClosed says whether an extension is closed (mine/README.md, "Closed fragments"). It assumes that
// leftUniform is false.
func (g *grower) isClosed(lv *level, gr *group) bool {
	for k := int(gr.col) + 1; k < len(lv.cols); k++ {
		if g.uniformAt(lv.cols[k].items, gr.at) {
			return false
		}
	}
	col := &lv.cols[gr.col]
	return !g.deeper(col.depth) || !g.anyKidUniform(col.items, gr.at, gr.prod)
}

// leftUniform says whether all occurrences have the same production at a position that growth has given up.
// Then no fragment of the branch is closed (mine/README.md, "Closed fragments").
func (g *grower) leftUniform(lv *level, gr *group) bool {
	for k := range lv.given {
		if g.uniformAt(lv.given[k].items, gr.at) {
			return true
		}
	}
	for k := range lv.cols[:gr.col] {
		if g.uniformAt(lv.cols[k].items, gr.at) {
			return true
		}
	}
	return false
}

// uniformAt says whether the items of a column at these positions have the same production.
func (g *grower) uniformAt(items, at []int32) bool {
	if items[at[0]] < 0 {
		return false
	}
	p := g.it.Prod[items[at[0]]]
	for _, a := range at[1:] {
		if x := items[a]; x < 0 || g.it.Prod[x] != p {
			return false
		}
	}
	return true
}

// anyKidUniform says whether kidUniform is true for some child. All items have the production prod.
func (g *grower) anyKidUniform(items, at []int32, prod uint32) bool {
	for k := range uint32(g.it.Symbols.Arity(prod)) {
		if g.kidUniform(items, at, k) {
			return true
		}
	}
	return false
}

// kidUniform says whether the k-th children of the items have the same production. `at` has the indexes of
// these items; nil means all.
func (g *grower) kidUniform(items, at []int32, k uint32) bool {
	it := g.it
	n := len(at)
	if at == nil {
		n = len(items)
	}
	p := uint32(0)
	for i := range n {
		x := items[i]
		if at != nil {
			x = items[at[i]]
		}
		c := it.Kids[it.Kid[x]+k]
		if c < 0 || i > 0 && it.Prod[c] != p {
			return false
		}
		p = it.Prod[c]
	}
	return true
}

// arena is a stack of int32 slices. release frees all slices allocated since a mark.
type arena struct {
	chunks [][]int32
	at     int // the chunk in use
	used   int
}

type arenaMark struct{ at, used int }

const arenaChunk = 1 << 16

func (a *arena) mark() arenaMark     { return arenaMark{a.at, a.used} }
func (a *arena) release(m arenaMark) { a.at, a.used = m.at, m.used }

// alloc returns a slice of n numbers, which are not cleared.
func (a *arena) alloc(n int) []int32 {
	for {
		if a.at < len(a.chunks) {
			if c := a.chunks[a.at]; a.used+n <= len(c) {
				s := c[a.used : a.used+n : a.used+n]
				a.used += n
				return s
			}
			if a.used > 0 || len(a.chunks[a.at]) >= n {
				a.at++
				a.used = 0
				continue
			}
			a.chunks[a.at] = make([]int32, n) // an untouched chunk that is too small
			continue
		}
		a.chunks = append(a.chunks, make([]int32, max(arenaChunk, n)))
		a.used = 0
	}
}
