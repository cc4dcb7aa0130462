package projection

import (
	"fstore/index"
	"fstore/index/internal/growth"
)

// grower grows patterns. Of an occurrence, growth.Place has in At where what may follow
// begins, and in From the row. Each stands for itself alone.
type grower struct {
	*growth.Counter
	it      *Items
	v       index.Visitor
	code    []byte
	entries []growth.Entry
}

// Grow is index.Space's.
func (it *Items) Grow(r index.Range, w index.Weights, l index.Limits, v index.Visitor) (index.Counts, error) {
	c, _ := it.counters.Get().(*growth.Counter)
	if c == nil {
		c = growth.NewCounter(it.numbers.Symbols(), 0)
	}
	c.Begin(w, l)
	g := &grower{Counter: c, it: it, v: v}
	lo, hi := it.numbers.In(r)
	first := it.with[it.start[lo]:it.start[hi]]
	if err := g.grow(1, func(f func([]growth.Entry)) { g.roots(first, f) }); err != nil {
		return c.Counts(), err
	}
	it.counters.Put(c)
	return c.Counts(), nil
}

// grow grows the extensions of the present code, which have this order and which each
// lists.
func (g *grower) grow(order int, each func(func([]growth.Entry))) error {
	g.Start(g.code, order)
	each(g.Tally)
	more, err := g.Keep(0)
	if err != nil {
		return err
	}
	if more {
		each(g.Put)
	}
	g.Close()
	if err := g.Visit(g.v); err != nil {
		return err
	}
	length := len(g.code)
	for _, e := range g.Extensions() {
		g.code = index.AppendStep(g.code[:length], e.Step)
		last := g.Places(e)
		if err := g.grow(order+1, func(f func([]growth.Entry)) { g.following(last, f) }); err != nil {
			return err
		}
	}
	g.code = g.code[:length]
	g.End()
	return nil
}

// chunk is about how many entries are handed over at a time.
const chunk = 1 << 12

// roots calls f with the places of first symbols.
func (g *grower) roots(first []place, f func([]growth.Entry)) {
	g.entries = g.entries[:0]
	for _, p := range first {
		g.add(p.at, p.row)
		if len(g.entries) >= chunk {
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
		if len(g.entries) >= chunk {
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
