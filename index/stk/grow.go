package stk

import (
	"slices"

	"fstore/index"
)

// Additive implements index.Additive.
func (Space) Additive() bool { return true }

// Grow implements index.Items.
func (it *Items) Grow(r index.Range, w index.Weights, l index.Limits, v index.Visitor) (index.Counts, error) {
	l.MinSupport = max(l.MinSupport, 1)
	n := it.Symbols.Len(index.Productions)
	g, _ := it.growers.Get().(*grower)
	if g == nil || len(g.count) <= n {
		g = &grower{count: make([]uint32, n+1), start: make([]uint32, n+1)}
	}
	g.it, g.r, g.w, g.l, g.Visitor = it, r, w, l, v
	g.counts = index.Counts{}
	grow := g.roots
	if r.Hi2 != 0 {
		grow = g.root
	}
	err := grow(r, n)
	counts := g.counts // another goroutine may have g after Put
	if err == nil {
		it.growers.Put(g)
	}
	return counts, err
}

// roots visits the first steps in r, and grows the fragments that begin with them.
func (g *grower) roots(r index.Range, n int) error {
	lv := g.levels.At(0)
	b := &lv.batch
	g.Start(b, nil, 1)
	lv.groups = lv.groups[:0]
	lo, hi := max(r.Lo, 1), min(r.Hi, uint64(n)+1)
	below := uint64(0)
	seen := uint64(0)
	for p := lo; p < hi; p++ {
		at := g.it.Of(uint32(p))
		if len(at) == 0 {
			continue
		}
		seen++
		from, support := len(g.Samples), uint32(0)
		if uint32(len(at)) >= g.l.MinSupport {
			support = g.support(at, nil)
		}
		if support < g.l.MinSupport {
			g.Samples = g.Samples[:from]
			below++
			continue
		}
		g.Occurrences(b, from, support, g.w, g.l)
		if g.l.Closed {
			b.Closed = append(b.Closed, !g.deeper(1) || !g.anyKidUniform(at, nil, uint32(p)))
		}
		g.Step(b, index.Step{Sym: uint32(p)})
		lv.groups = append(lv.groups, group{prod: uint32(p), at: at})
	}
	g.counts.Count(1, seen, below)
	if err := g.Visit(b); err != nil {
		return err
	}
	for i := range lv.groups {
		if gr := &lv.groups[i]; b.Descend[i] && g.l.MaxOrder != 1 {
			if err := g.below(gr.prod, gr.at); err != nil {
				return err
			}
		}
	}
	return nil
}

// root grows the fragments whose first step is r.Lo and whose second step is in r.
func (g *grower) root(r index.Range, n int) error {
	p := r.Lo
	if p == 0 || p > uint64(n) {
		return nil
	}
	if at := g.it.Of(uint32(p)); len(at) > 0 {
		return g.below(uint32(p), at)
	}
	return nil
}

// below grows the extensions of a production. It gets the indexes of the items that have the production.
func (g *grower) below(prod uint32, at []int32) error {
	m := g.arena.mark()
	defer g.arena.release(m)
	child := g.levels.At(1)
	child.cols = g.kidColumns(child.cols[:0], at, prod, 1)
	child.given = child.given[:0]
	if len(child.cols) == 0 {
		return nil
	}
	g.code = index.AppendStep(g.code[:0], index.Step{Sym: prod})
	return g.grow(1, at, m)
}

// grow visits the extensions of the pattern g.code, and grows them. The pattern occurs at the items `roots`,
// and uses the arena from `base` on.
func (g *grower) grow(depth int, roots []int32, base arenaMark) error {
	lv := g.levels.At(depth)
	mark := g.arena.mark()
	defer g.arena.release(mark)
	b := &lv.batch
	g.Start(b, g.code, depth+1)
	lv.groups = lv.groups[:0]
	seen, below := g.extensions(lv, b, depth, roots)
	g.counts.Count(depth+1, seen, below)
	if err := g.Visit(b); err != nil {
		return err
	}
	if g.l.MaxOrder > 0 && depth+1 >= g.l.MaxOrder {
		return nil
	}
	for i, wanted := range b.Descend {
		if wanted {
			last := !slices.Contains(b.Descend[i+1:], true)
			if err := g.descend(depth, i, roots, base, last); err != nil {
				return err
			}
		}
	}
	return nil
}

// descend grows extension i of the level at this depth. The last extension to grow can reuse the memory from
// `base` on.
func (g *grower) descend(depth, i int, roots []int32, base arenaMark, isLast bool) error {
	lv := g.levels.At(depth)
	gr := &lv.groups[i]
	col := &lv.cols[gr.col]
	m := g.arena.mark()
	defer g.arena.release(m)
	all := len(gr.at) == len(roots)
	items := g.share(col.items, gr.at, all)
	child := g.levels.At(depth + 1)
	child.cols = g.kidColumns(child.cols[:0], items, gr.prod, col.depth)
	shift := uint32(g.it.Symbols.Arity(gr.prod)) - col.off - 1 // modulo 2^32
	for k := int(gr.col) + 1; k < len(lv.cols); k++ {
		child.cols = append(child.cols, column{lv.cols[k].off + shift, g.share(lv.cols[k].items, gr.at, all), lv.cols[k].depth})
	}
	if len(child.cols) == 0 {
		return nil
	}
	if g.l.Closed {
		child.given = child.given[:0]
		for k := range lv.given {
			child.given = append(child.given, column{items: g.share(lv.given[k].items, gr.at, all)})
		}
		for k := range lv.cols[:gr.col] {
			child.given = append(child.given, column{items: g.share(lv.cols[k].items, gr.at, all)})
		}
	}
	roots = g.share(roots, gr.at, all)
	n := len(g.code)
	g.code = index.AppendStep(g.code, index.Step{Off: col.off, Sym: gr.prod})
	if isLast && depth >= moveDepth {
		m = base
		roots = g.move(base, child, roots)
	}
	err := g.grow(depth+1, roots, m)
	g.code = g.code[:n]
	return err
}
