package ptk

import (
	"slices"

	"fstore/index"
	"fstore/index/internal/growth"
)

// grower grows patterns depth first: a pattern gets a new last node, at any depth of its rightmost path.
type grower struct {
	extender
	*growth.Counter
	it      *Items
	r       index.Range
	occ     occurrences // the occurrences of the pattern that is being extended
	st      occurrences // the entries of its extensions at one depth
	reach   *reaches    // set if growth sums values
	entries []growth.Entry
}

// Additive implements index.Additive.
func (s *Space) Additive() bool { return true }

// Grow implements index.Items. If a pattern has more than 2^32-1 matches, the error is an
// *index.OccurrenceError.
func (it *Items) Grow(r index.Range, w index.Weights, l index.Limits, v index.Visitor) (index.Counts, error) {
	g, _ := it.growers.Get().(*grower)
	if g == nil {
		g = &grower{extender: extender{f: &it.forest}, it: it, Counter: growth.NewCounter(it.numbers.Symbols(), 0, growth.Roots)}
	}
	g.r = r
	g.decays, g.lambda, g.reach = w.Lambda != 0, w.Lambda, nil
	if g.decays {
		g.reach = it.reachesOf(it.mu, w.Lambda)
	}
	g.Begin(w, l)
	var code index.Code
	order := 1
	if r.Hi2 != 0 { // the one root has been visited
		code, order = index.AppendStep(nil, index.Unpack(r.Lo)), 2
	}
	counts, err := g.Counter.Grow(v, code, order, g.segments)
	if err == nil {
		it.growers.Put(g) // another goroutine may have g from here on
	}
	return counts, err
}

// segments counts the extensions of the pattern e. A nil e is the pattern with which growth begins.
func (g *grower) segments(e *growth.Extension, order int) error {
	g.occ.reset()
	switch {
	case e != nil:
		for _, p := range g.Places(e) {
			g.occ.node, g.occ.count = append(g.occ.node, int32(p.At)), append(g.occ.count, float64(p.W))
		}
		g.occ.decay = append(g.occ.decay, g.Values(e)...)
		return g.extendBy(e.Step, order)
	case order == 1:
		return g.Segment(0, g.roots)
	}
	value := 0.0
	if g.decays {
		value = g.reach.leaf
	}
	for _, i := range g.it.with.Of(g.it.numbers.In(index.Range{Lo: g.r.Lo, Hi: g.r.Lo + 1})) {
		g.add(&g.occ, i, 1, value)
	}
	return g.extendBy(index.Unpack(g.r.Lo), order)
}

// roots calls f with the nodes whose label is in the range.
func (g *grower) roots(f func([]growth.Entry)) {
	for chunk := range slices.Chunk(g.it.with.Of(g.it.numbers.In(g.r)), growth.Chunk) {
		g.entries = g.entries[:0]
		for _, i := range chunk {
			n := &g.f.nodes[i]
			e := growth.Entry{Num: n.label, Sample: n.sample, Place: growth.Place{At: uint32(i), Root: uint32(i)}, W: 1}
			if g.decays {
				e.Value = g.reach.leaf
				e.Most = float64(e.Value * g.reach.most(g.f, i, 0))
			}
			g.entries = append(g.entries, e)
		}
		f(g.entries)
	}
}

// extendBy counts the extensions of the pattern that has the occurrences g.occ and ends with lastStep.
func (g *grower) extendBy(lastStep index.Step, order int) error {
	g.begin(&g.occ, int(lastStep.Off), 1)
	for d := 1; d <= int(lastStep.Off)+1; d++ {
		g.st.reset()
		g.extend(&g.st, d)
		if len(g.st.node) == 0 {
			continue
		}
		g.entries = g.entries[:0]
		above, root := int32(-1), int32(0)
		for i, n := range g.st.node {
			x := &g.f.nodes[n]
			if x.up != above {
				above, root = x.up, g.f.above(x.up, d-1)
			}
			e := growth.Entry{Num: x.label, Sample: x.sample, Place: growth.Place{At: uint32(n), Root: uint32(root)}, W: g.st.count[i]}
			if g.decays {
				e.Value = float64(g.st.decay[i] * g.reach.node(d > int(lastStep.Off)))
				e.Most = float64(e.Value * g.reach.most(g.f, n, d))
			}
			if order == 2 && g.r.Hi2 != 0 && !g.it.isSecond(x.label, g.r) {
				e.Num = 0
			}
			g.entries = append(g.entries, e)
		}
		if err := g.Segment(uint32(d), func(f func([]growth.Entry)) { f(g.entries) }); err != nil {
			return err
		}
	}
	return nil
}
