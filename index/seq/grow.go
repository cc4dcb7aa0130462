package seq

import (
	"fstore/index"
	"fstore/index/internal/growth"
)

// Growth is PrefixSpan's (SI05 §4): what follows the occurrences of a pattern is
// counted by symbol. An occurrence is the position of its last symbol, At, in a
// sequence, From, with the number of matches that end there: two matches that end at
// one position go on alike, whatever lies before.
type grower struct {
	*growth.Counter
	it      *Items
	v       index.Visitor
	code    []byte
	entries []growth.Entry
}

// Additive implements index.Additive.
func (*Space) Additive() bool { return true }

// Grow implements index.Space.
func (s *Space) Grow(items index.Items, r index.Range, w index.Weights, l index.Limits, v index.Visitor) (index.Counts, error) {
	it := items.(*Items)
	l.MaxOrder = s.limit(l.MaxOrder)
	c, _ := it.counters.Get().(*growth.Counter)
	if c == nil {
		c = growth.NewCounter(it.numbers.Symbols(), 0)
	}
	c.Begin(w, l)
	g := &grower{Counter: c, it: it, v: v}
	lo, hi := it.numbers.In(r)
	if err := g.roots(lo, hi); err != nil {
		return c.Counts(), err
	}
	it.counters.Put(c)
	return c.Counts(), nil
}

// roots grows the fragments whose first symbol has a number from lo up to hi-1.
func (g *grower) roots(lo, hi int) error {
	first := g.it.with[g.it.start[lo]:g.it.start[hi]]
	return g.grow(1, func(f func([]growth.Entry)) {
		for from := 0; from < len(first); from += chunk {
			g.entries = g.entries[:0]
			for _, p := range first[from:min(from+chunk, len(first))] {
				g.entries = append(g.entries, growth.Entry{
					Num: g.it.syms[p.pos], Sample: g.it.seqs[p.seq].sample,
					Place: growth.Place{At: p.pos, From: p.seq, W: 1},
				})
			}
			f(g.entries)
		}
	})
}

// chunk is how many entries are handed over at a time.
const chunk = 1 << 12

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

// following calls f with what follows the given occurrences, sequence by sequence: each
// position with the number of matches that end before it, near enough.
func (g *grower) following(last []growth.Place, f func([]growth.Entry)) {
	g.entries = g.entries[:0]
	for i := 0; i < len(last); {
		k := i + 1
		for k < len(last) && last[k].From == last[i].From {
			k++
		}
		g.follow(last[i:k])
		if len(g.entries) >= chunk || k == len(last) {
			f(g.entries)
			g.entries = g.entries[:0]
		}
		i = k
	}
}

// follow appends what follows occurrences in one sequence.
func (g *grower) follow(last []growth.Place) {
	it, seq := g.it, last[0].From
	end, sample := it.seqs[seq].end, it.seqs[seq].sample
	lo, hi, sum := 0, 0, 0.0 // last[lo:hi] end near enough before pos; sums are exact
	for pos := last[0].At + 1; pos < end; pos++ {
		for hi < len(last) && last[hi].At < pos {
			sum += last[hi].W
			hi++
		}
		for lo < hi && int(pos-last[lo].At)-1 > g.it.s.maxGap {
			sum -= last[lo].W
			lo++
		}
		if lo == hi {
			if hi == len(last) {
				return
			}
			pos = last[hi].At
			continue
		}
		g.entries = append(g.entries, growth.Entry{
			Num: it.syms[pos], Sample: sample, Place: growth.Place{At: pos, From: seq, W: sum},
		})
	}
}
