package emb

import (
	"slices"

	"fstore/index"
	"fstore/index/internal/growth"
)

// grower grows patterns depth first. An extension adds a last node at any depth of the rightmost path. In a
// growth.Place, At is the new node, and From is the index of the row of embeddings that it extends.
type grower struct {
	extender
	*growth.Counter
	roots   []uint32      // the nodes where the present growth begins
	rows    []*embeddings // by order of the pattern
	reach   *reaches      // set if growth sums values
	entries []growth.Entry
}

// Grow implements index.Items. If a fragment has too many embeddings, the error is an *index.OccurrenceError.
func (it *Items) Grow(r index.Range, w index.Weights, l index.Limits, v index.Visitor) (index.Counts, error) {
	g, _ := it.growers.Get().(*grower)
	if g == nil {
		g = &grower{Counter: growth.NewCounter(it.numbers.Symbols(), maxKept, growth.Roots)}
		g.nodes = it.nodes
	}
	g.valued, g.lambda, g.reach = w.Lambda != 0, w.Lambda, nil
	if g.valued {
		g.reach = it.reachesOf(w.Lambda)
	}
	g.Begin(w, l)
	g.roots = it.with.Of(it.numbers.In(r))
	counts, err := g.Counter.Grow(v, nil, 1, g.segments)
	if err == nil {
		it.growers.Put(g) // another goroutine may have g from here on
	}
	return counts, err
}

// segments counts the extensions of the pattern e, or the roots if e is nil.
func (g *grower) segments(e *growth.Extension, order int) error {
	if e == nil {
		return g.Segment(0, g.first)
	}
	r, err := g.take(e, order-1)
	for d := 1; err == nil && d <= r.stride; d++ {
		err = g.Segment(uint32(d), func(f func([]growth.Entry)) { g.extensions(r, d, f) })
	}
	return err
}

// first calls f with the roots.
func (g *grower) first(f func([]growth.Entry)) {
	for chunk := range slices.Chunk(g.roots, growth.Chunk) {
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

// take returns the embeddings of the extension e. If there are too many, the error is an
// *index.OccurrenceError.
func (g *grower) take(e *growth.Extension, order int) (*embeddings, error) {
	for order >= len(g.rows) {
		g.rows = append(g.rows, &embeddings{})
	}
	r, d := g.rows[order], int(e.Step.Off)
	places := g.Places(e)
	if len(places) > maxPath/(d+1) {
		sample := growth.MostOften(func(add func(uint32, float64)) {
			for _, p := range places {
				add(g.nodes[p.At].sample, 1)
			}
		})
		return nil, &index.OccurrenceError{Order: order, Limit: uint64(maxPath / (d + 1)), Sample: sample + 1}
	}
	r.reset(d + 1)
	for _, p := range places {
		r.add(g.rows[order-1], p.From, p.At, d, float64(p.W))
	}
	r.value = append(r.value, g.Values(e)...)
	return r, nil
}

// extensions calls f with the extensions of r by a node at depth d.
func (g *grower) extensions(r *embeddings, d int, f func([]growth.Entry)) {
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
