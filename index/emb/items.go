package emb

import (
	"sync"

	"fstore/index"
	"fstore/index/internal/growth"
)

// Items are the nodes of many samples. They take 16 bytes a node, and 4 more after Seal.
type Items struct {
	plan    planter
	numbers growth.Numbering
	nodes   nodes
	with    growth.Inverted[uint32] // after Seal: the nodes of each symbol, ascending

	growers sync.Pool // *grower: each has a slot for every symbol
	reach   growth.Memo[float64, *reaches]
}

// NewItems returns an empty *Items.
func (s *Space) NewItems(*index.Symbols) index.Items { return &Items{plan: planter{s: s}} }

func root(label uint32) index.Step { return index.Step{Sym: label} }

// Tally counts the nodes of t by label.
func (s *Space) Tally(t *index.Tree, _ *index.Symbols, sample uint32, tally *index.Tally) {
	p := &planter{s: s}
	p.plan(t)
	for _, label := range p.Label {
		if label != 0 {
			tally.Add(root(label), sample)
		}
	}
}

// Add appends the nodes of t that a fragment with its root in r can have.
func (it *Items) Add(sample uint32, t *index.Tree, r index.Range, _ index.Limits) {
	p := &it.plan
	p.plan(t)
	for i := 0; i < len(p.Label); {
		if p.Label[i] == 0 || !r.Contains(root(p.Label[i]).Packed()) {
			i++
			continue
		}
		it.nodes = p.appendTo(it.nodes, i, sample, it.numbers.Of)
		i += int(p.Size[i])
	}
}

// Seal numbers the symbols, and lists the nodes of each symbol.
func (it *Items) Seal() {
	renumbered := it.numbers.Sort()
	for i := range it.nodes {
		it.nodes[i].num = renumbered[it.nodes[i].num]
	}
	it.nodes.invert(&it.with, len(it.numbers.Symbols()))
}

// Bytes implements index.Items.
func (it *Items) Bytes() int64 {
	return 16*int64(cap(it.nodes)) + it.with.Bytes(cap(it.nodes)) + it.numbers.Bytes()
}

// reachesOf returns the bounds (reaches) for the decay lambda, and keeps them for the next call.
func (it *Items) reachesOf(lambda float64) *reaches {
	return it.reach.Of(lambda, func() *reaches { return newReaches(it.nodes, lambda) })
}

// Reset implements index.Items.
func (it *Items) Reset() {
	it.numbers.Reset()
	it.with.Reset()
	it.nodes = it.nodes[:0]
	it.growers = sync.Pool{}
	it.reach.Reset()
}
