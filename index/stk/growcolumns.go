package stk

// kidColumns appends the columns of the nonterminal children that items (all of
// production prod) have, from position 0 on.
func (g *grower) kidColumns(dst []column, items []int32, prod uint32) []column {
	it := g.it
	for k := range uint32(g.it.Symbols.Arity(prod)) {
		col := g.arena.alloc(len(items))
		live := false
		for i, x := range items {
			c := it.Kids[it.Kid[x]+k]
			col[i] = c
			live = live || c >= 0
		}
		if live {
			dst = append(dst, column{k, col})
		}
	}
	return dst
}

// share returns items at the given positions: items itself where that is all.
func (g *grower) share(items, at []int32, all bool) []int32 {
	if all {
		return items
	}
	return g.gather(items, at)
}

func (g *grower) gather(items, at []int32) []int32 {
	dst := g.arena.alloc(len(at))
	for i, a := range at {
		dst[i] = items[a]
	}
	return dst
}
