package stk

import "fstore/index"

// kidColumns appends the columns of the nonterminal children that items (all of
// production prod) have, from position 0 on; they stand at this depth, and where nothing may be
// deeper, there are none.
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

// deeper says whether what has this depth may be expanded.
func (g *grower) deeper(depth int) bool { return g.it.MaxDepth == 0 || depth < g.it.MaxDepth }

// share returns items at the given positions: items itself where that is all.
func (g *grower) share(items, at []int32, all bool) []int32 {
	if all {
		return items
	}
	dst := g.arena.alloc(len(at))
	for i, a := range at {
		dst[i] = items[a]
	}
	return dst
}

// extensions groups the columns' items, and appends the groups that are kept to lv and b. It returns
// how many there were, and how many of them are below the least support. In closed mode it leaves out
// those whose branch holds nothing closed.
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

// moveDepth is the depth from which the last extension of a pattern takes the pattern's room.
// A chain of 10,000 nodes would else hold the items of 10,000 patterns at once; above it, to
// copy items costs more than it saves.
const moveDepth = 64

// move puts the columns of lv, and roots, where the arena has base: nothing from there on is
// needed but these. It returns where roots are now.
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
