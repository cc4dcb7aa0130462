package projection

import (
	"fstore/index"
	"fstore/index/internal/growth"
)

// grower grows patterns. Of an occurrence, growth.Place has in At where what may follow
// begins, and in From the row. Each stands for itself alone.
type grower struct {
	it      *Items
	entries []growth.Entry
}

// Grow is index.Space's.
func (it *Items) Grow(r index.Range, w index.Weights, l index.Limits, v index.Visitor) (index.Counts, error) {
	c, _ := it.counters.Get().(*growth.Counter)
	if c == nil {
		c = growth.NewCounter(it.numbers.Symbols(), 0)
	}
	c.Begin(w, l)
	g := &grower{it: it}
	first := it.with.Of(it.numbers.In(r))
	if err := c.GrowLists(v, func(f func([]growth.Entry)) { g.roots(first, f) }, g.following); err != nil {
		return c.Counts(), err
	}
	it.counters.Put(c)
	return c.Counts(), nil
}

// roots calls f with the places of first symbols.
func (g *grower) roots(first []place, f func([]growth.Entry)) {
	g.entries = g.entries[:0]
	for _, p := range first {
		g.add(p.at, p.row)
		if len(g.entries) >= growth.Chunk {
			f(g.entries)
			g.entries = g.entries[:0]
		}
	}
	f(g.entries)
}

// following calls f with what follows occurrences.
func (g *grower) following(last []growth.Place, f func([]growth.Entry)) {
	g.entries = g.entries[:0]
	for _, p := range last {
		end := g.it.rows[p.From].end
		if w := uint32(g.it.width); w > 0 {
			end = min(p.At+w, end)
		}
		for at := p.At; at < end; at++ {
			g.add(at, p.From)
		}
		if len(g.entries) >= growth.Chunk {
			f(g.entries)
			g.entries = g.entries[:0]
		}
	}
	f(g.entries)
}

// add appends the symbol at a place of a row to the entries.
func (g *grower) add(at, row uint32) {
	g.entries = append(g.entries, growth.Entry{
		Num: g.it.syms[at], Sample: g.it.rows[row].sample,
		Place: growth.Place{At: g.it.after(at), From: row, W: 1},
	})
}

// after is where what may follow the symbol at a place begins.
func (it *Items) after(at uint32) uint32 {
	if it.width == 0 {
		return at + 1
	}
	w := uint32(it.width)
	return at - at%w + w
}
