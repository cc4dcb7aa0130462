package growth

import "fstore/index"

// lists grows fragments that are lists of symbols.
type lists struct {
	*Counter
	v         index.Visitor
	following func(last []Place, f func([]Entry))
	code      []byte
}

// GrowLists grows, after Begin, the fragments that are lists of symbols, each a step with
// Off 0: first lists the first symbols, and following, as a Lister does, what can follow
// the given occurrences of a fragment.
func (c *Counter) GrowLists(v index.Visitor, first Lister, following func(last []Place, f func([]Entry))) error {
	g := &lists{Counter: c, v: v, following: following}
	return g.grow(1, first)
}

// grow grows the extensions of the present code, which have this order.
func (g *lists) grow(order int, list Lister) error {
	g.Start(g.code, order)
	if err := g.Segment(0, list); err != nil {
		return err
	}
	if err := g.Visit(g.v); err != nil {
		return err
	}
	length := len(g.code)
	for _, e := range g.Extensions() {
		g.code = index.AppendStep(g.code[:length], e.Step)
		last := g.Places(e)
		if err := g.grow(order+1, func(f func([]Entry)) { g.following(last, f) }); err != nil {
			return err
		}
	}
	g.code = g.code[:length]
	g.End()
	return nil
}
