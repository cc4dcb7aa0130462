package ptk

import (
	"math"
	"slices"
	"sync"

	"fstore/index"
	"fstore/index/internal/growth"
)

// Items are the nodes of many samples: 24 bytes a node, and 4 more after Seal.
type Items struct {
	forest
	mu      float64
	plan    planter
	numbers growth.Numbering
	with    growth.Inverted[int32] // after Seal: the nodes of each label, ascending

	growers sync.Pool // *grower: each has a slot for every label
	reach   growth.Memo[float64, *reaches]
}

// NewItems returns an empty *Items.
func (s *Space) NewItems(*index.Symbols) index.Items { return &Items{mu: s.mu} }

// Tally counts the nodes of t by label.
func (s *Space) Tally(t *index.Tree, _ *index.Symbols, sample uint32, tally *index.Tally) {
	for i := range t.Nodes {
		tally.Add(index.Step{Sym: labelOf(&t.Nodes[i])}, sample)
	}
}

// SecondSteps implements index.Splitter. A second step is the label of a child of a node with the first
// label.
func (s *Space) SecondSteps() index.SecondSteps { return secondSteps }

func secondSteps(t *index.Tree, first uint64, f func(second uint64)) {
	for i := range t.Nodes {
		if first == (index.Step{Sym: labelOf(&t.Nodes[i])}).Packed() {
			for k := i + 1; k < i+int(t.Nodes[i].Size); k += int(t.Nodes[k].Size) {
				f(secondStep(labelOf(&t.Nodes[k])))
			}
		}
	}
}

// secondStep returns the packed step of a child of the root.
func secondStep(label uint32) uint64 { return index.Step{Off: 1, Sym: label}.Packed() }

// Add appends the nodes of t that growth in the range r can reach.
func (it *Items) Add(sample uint32, t *index.Tree, r index.Range, l index.Limits) {
	if r == index.All {
		it.plan.keepAll(t)
	} else if !it.plan.keepBelow(t, r, l) {
		return
	}
	from := len(it.nodes)
	it.forest.add(t, &it.plan, sample)
	for i := from; i < len(it.nodes); i++ {
		it.nodes[i].label = it.numbers.Of(it.nodes[i].label)
	}
}

// keepBelow marks the roots in the range r, and the nodes below them that a fragment can reach. It says
// whether there are any.
func (p *planter) keepBelow(t *index.Tree, r index.Range, l index.Limits) (any bool) {
	levels := int32(math.MaxInt32) // below a root
	if l.MaxOrder > 0 {
		levels = int32(min(l.MaxOrder, math.MaxInt32)) - 1
	}
	p.left = slices.Grow(p.left[:0], len(t.Nodes))[:len(t.Nodes)]
	for i := range p.left {
		p.left[i] = -1
	}
	for i := range t.Nodes {
		n := &t.Nodes[i]
		if n.Parent >= 0 && p.left[n.Parent] > 0 {
			p.left[i] = max(p.left[i], p.left[n.Parent]-1)
		}
		switch {
		case !r.Contains(index.Step{Sym: labelOf(n)}.Packed()):
			continue
		case r.Hi2 == 0:
			p.left[i], any = levels, true
			continue
		}
		begun := false
		for k := i + 1; k < i+int(n.Size) && levels > 0; k += int(t.Nodes[k].Size) {
			s := secondStep(labelOf(&t.Nodes[k]))
			if begun = begun || r.Lo2 <= s && s < r.Hi2; begun {
				p.left[k] = levels - 1
			}
		}
		if begun {
			p.left[i], any = max(p.left[i], 0), true
		}
	}
	return any
}

// Seal gives the labels new numbers in ascending order, and lists the nodes of each label.
func (it *Items) Seal() {
	renumbered := it.numbers.Sort()
	for i := range it.nodes {
		it.nodes[i].label = renumbered[it.nodes[i].label]
	}
	it.forest.invert(&it.with, len(it.numbers.Symbols()))
}

// isSecond says whether r has the second step for a child with this label number.
func (it *Items) isSecond(label uint32, r index.Range) bool {
	s := secondStep(it.numbers.Symbols()[label])
	return r.Lo2 <= s && s < r.Hi2
}

// Bytes implements index.Items. It includes the memory that Seal will take.
func (it *Items) Bytes() int64 {
	return 24*int64(cap(it.nodes)) + it.with.Bytes(cap(it.nodes)) + it.numbers.Bytes()
}

// reachesOf returns the bounds for these decays, and keeps them for the next call.
func (it *Items) reachesOf(mu, lambda float64) *reaches {
	return it.reach.Of(lambda, func() *reaches { return newReaches(it.nodes, mu, lambda) })
}

// Reset implements index.Items.
func (it *Items) Reset() {
	it.numbers.Reset()
	it.with.Reset()
	it.nodes = it.nodes[:0]
	it.growers = sync.Pool{}
	it.reach.Reset()
}
