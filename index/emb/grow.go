package emb

import (
	"slices"

	"fstore/index"
	"fstore/index/internal/growth"
)

// Growth is depth first: a pattern gets a new last node, at any depth of its rightmost
// path. An occurrence is a node, At, that is added to the embeddings of a row, From.
type grower struct {
	extender
	*growth.Counter
	it      *Items
	v       index.Visitor
	code    []byte
	rows    []*rows  // by order of the pattern
	reach   *reaches // where values are weighed
	entries []growth.Entry
}

// Grow implements index.Items. A fragment with more embeddings than are kept is an
// *index.OccurrenceError.
func (it *Items) Grow(r index.Range, w index.Weights, l index.Limits, v index.Visitor) (index.Counts, error) {
	g, _ := it.growers.Get().(*grower)
	if g == nil {
		g = &grower{it: it, Counter: growth.NewCounter(it.numbers.Symbols(), maxKept, growth.Roots)}
		g.nodes = it.nodes
	}
	g.v, g.code = v, g.code[:0]
	g.valued, g.lambda, g.reach = w.Lambda != 0, w.Lambda, nil
	if g.valued {
		g.reach = it.reachesOf(w.Lambda)
	}
	g.Begin(w, l)
	if err := g.roots(r); err != nil {
		return g.Counts(), err
	}
	counts := g.Counts() // another goroutine may have g after Put
	it.growers.Put(g)
	return counts, nil
}

// roots grows the fragments whose root lies in r.
func (g *grower) roots(r index.Range) error {
	with := g.it.with.Of(g.it.numbers.In(r))
	g.Start(nil, 1)
	each := func(f func([]growth.Entry)) {
		for chunk := range slices.Chunk(with, growth.Chunk) {
			g.entries = g.entries[:0]
			for _, i := range chunk {
				n := &g.nodes[i]
				e := growth.Entry{Num: n.num, Sample: n.sample, Place: growth.Place{At: i, Root: i}, W: 1}
				if g.valued {
					e.Value, e.Most = 1, g.reach.below(growth.NewReach(), i).Most()
				}
				g.entries = append(g.entries, e)
			}
			f(g.entries)
		}
	}
	if err := g.Segment(0, each); err != nil {
		return err
	}
	return g.visit(1, nil)
}

// visit hands the extensions of the present code over, which have this order, and grows
// those that are wanted; from has the rows of the code.
func (g *grower) visit(order int, from *rows) error {
	if err := g.Visit(g.v); err != nil {
		return err
	}
	length := len(g.code)
	for _, e := range g.Extensions() {
		r, err := g.take(e, order, from)
		if err != nil {
			return err
		}
		g.code = index.AppendStep(g.code[:length], e.Step)
		g.Start(g.code, order+1)
		for d := 1; d <= r.stride; d++ {
			if err := g.Segment(uint32(d), func(f func([]growth.Entry)) { g.extensions(r, d, f) }); err != nil {
				return err
			}
		}
		if err := g.visit(order+1, r); err != nil {
			return err
		}
	}
	g.code = g.code[:length]
	g.End()
	return nil
}

// take returns the rows of an extension.
func (g *grower) take(e growth.Extension, order int, from *rows) (*rows, error) {
	for order >= len(g.rows) {
		g.rows = append(g.rows, &rows{})
	}
	r, d := g.rows[order], int(e.Step.Off)
	places := g.Places(e)
	if len(places) > maxPath/(d+1) {
		return nil, &index.OccurrenceError{Order: order, Limit: uint64(maxPath / (d + 1)), Sample: g.mostOften(places) + 1}
	}
	r.reset(d + 1)
	for _, p := range places {
		if d == 0 {
			r.path = append(r.path, p.At)
		} else {
			r.addAfter(from, p.From, p.At, d)
		}
		r.count = append(r.count, float64(p.W))
	}
	r.value = append(r.value, g.Values(e)...)
	return r, nil
}

// mostOften returns the sample with the most of these places.
func (g *grower) mostOften(places []growth.Place) (sample uint32) {
	n := map[uint32]int{}
	for _, p := range places {
		s := g.nodes[p.At].sample
		if n[s]++; n[s] > n[sample] {
			sample = s
		}
	}
	return sample
}

// extensions calls f with what extends r at depth d.
func (g *grower) extensions(r *rows, d int, f func([]growth.Entry)) {
	g.entries = g.entries[:0]
	for at := 0; at < r.len(); {
		row := at
		at = g.group(r, at, d)
		sample, root := g.nodes[g.base].sample, r.row(row)[0]
		var above growth.Reach
		if g.valued {
			above = g.reach.along(r.row(row)[:d])
		}
		for i := g.from; i < len(g.count); i++ {
			if w := g.count[i]; w > 0 {
				node := g.base + uint32(i)
				e := growth.Entry{
					Num: g.nodes[node].num, Sample: sample,
					Place: growth.Place{At: node, From: uint32(row), Root: root}, W: w,
				}
				if g.valued {
					e.Value = g.value[i]
					e.Most = float64(e.Value * g.reach.below(g.reach.beside(above, g.base, node), node).Most())
				}
				g.entries = append(g.entries, e)
			}
		}
		if len(g.entries) >= growth.Chunk || at == r.len() {
			f(g.entries)
			g.entries = g.entries[:0]
		}
		if g.Over() {
			return
		}
	}
}
