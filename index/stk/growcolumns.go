package stk

import "fstore/index"

// kidColumns appends a column for each child position at which some child is an item. The given items must
// have the production `prod`.
func (g *grower) kidColumns(dst []column, items []int32, prod uint32, depth int) []column {
	it := g.it
	if !g.deeper(depth) {
		return dst
	}
	for k := range uint32(g.it.Symbols.Arity(prod)) {
		col := g.arena.alloc(len(items))
		live := false
		for i, x := range items {
			c := it.Kids[it.Kid[x]+k]
			col[i] = c
			live = live || c >= 0
		}
		if live {
			dst = append(dst, column{k, col, depth + 1})
		}
	}
	return dst
}

// share returns the items at the given positions. If isAll is set, it returns `items` itself.
func (g *grower) share(items, at []int32, isAll bool) []int32 {
	if isAll {
		return items
	}
	dst := g.arena.alloc(len(at))
	for i, a := range at {
		dst[i] = items[a]
	}
	return dst
}

// inRange returns the items of a column, with Excluded for items whose second step is outside the range.
func (g *grower) inRange(c *column) []int32 {
	items := g.arena.alloc(len(c.items))
	for i, x := range c.items {
		items[i] = Excluded
		if x < 0 {
			continue
		}
		if s := (index.Step{Off: c.off, Sym: g.it.Prod[x]}).Packed(); g.r.Lo2 <= s && s < g.r.Hi2 {
			items[i] = x
		}
	}
	return items
}

// extensions adds the frequent extensions to `lv` and `b`. In closed mode it leaves out extensions that
// certainly lead to no closed fragment. It returns the number of candidates, and how many of them are below
// the minimum support.
func (g *grower) extensions(lv *level, b *index.Batch, depth int, roots []int32) (seen, below uint64) {
	for c := range lv.cols {
		first := len(lv.groups)
		items := lv.cols[c].items
		if depth == 1 && g.r.Hi2 != 0 {
			items = g.inRange(&lv.cols[c])
		}
		s := g.group(lv, c, items)
		seen += uint64(s)
		found := lv.groups[first:]
		below += uint64(s - len(found))
		lv.groups = lv.groups[:first]
		for _, gr := range found {
			from := len(g.Samples)
			support := g.support(gr.at, roots)
			if enough := support >= g.l.MinSupport; !enough || g.l.Closed && g.leftUniform(lv, &gr) {
				if g.Samples = g.Samples[:from]; !enough {
					below++
				}
				continue
			}
			g.Occurrences(b, from, support, g.w, g.l)
			if g.l.Closed {
				b.Closed = append(b.Closed, g.isClosed(lv, &gr))
			}
			g.Step(b, index.Step{Off: lv.cols[c].off, Sym: gr.prod})
			lv.groups = append(lv.groups, gr)
		}
	}
	return seen, below
}

// support appends the sample of each occurrence to g.Samples, and returns the number of different samples.
// `at` has items, or indexes of `roots` if this list is not nil.
func (g *grower) support(at, roots []int32) (n uint32) {
	last := ^uint32(0)
	for _, a := range at {
		if roots != nil {
			a = roots[a]
		}
		s := g.it.Sample[a]
		if s != last {
			n++
			last = s
		}
		g.Samples = append(g.Samples, s)
	}
	return n
}

// moveDepth is the depth from which the last extension of a pattern takes over the pattern's memory. Without
// this, a chain of 10,000 nodes would keep the items of 10,000 patterns at once.
const moveDepth = 64

// move frees the arena from `base` on, but keeps `roots` and the columns of lv. It returns the new roots.
func (g *grower) move(base arenaMark, lv *level, roots []int32) []int32 {
	g.spare = g.spare[:0]
	for _, list := range [][]column{lv.cols, lv.given} {
		for _, c := range list {
			g.spare = append(g.spare, c.items...)
		}
	}
	g.spare = append(g.spare, roots...)
	g.arena.release(base)
	from := g.spare
	take := func(n int) []int32 {
		items := g.arena.alloc(n)
		copy(items, from)
		from = from[n:]
		return items
	}
	for _, list := range [][]column{lv.cols, lv.given} {
		for i := range list {
			list[i].items = take(len(list[i].items))
		}
	}
	if roots == nil {
		return nil
	}
	return take(len(roots))
}
