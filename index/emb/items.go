package emb

import (
	"slices"
	"sync"

	"fstore/index"
	"fstore/index/internal/growth"
)

// Items are the nodes of many samples. 16 bytes a node, and 4 more after Seal.
type Items struct {
	plan    planter
	numbers growth.Numbering
	nodes   nodes

	// After Seal: the nodes with each symbol, ascending, are with[start[n]:start[n+1]].
	with  []uint32
	start []uint32

	growers sync.Pool // *grower: their slots are as many as symbols
}

// NewItems returns an empty *Items.
func (s *Space) NewItems(*index.Symbols) index.Items { return &Items{plan: planter{s: s}} }

// root is the step of a root.
func root(label uint32) index.Step { return index.Step{Sym: label} }

// Tally counts the nodes of t by label.
func (s *Space) Tally(t *index.Tree, _ *index.Symbols, sample uint32, tally *index.Tally) {
	p := &planter{s: s}
	p.plan(t)
	for _, label := range p.label {
		if label != 0 {
			tally.Add(root(label), sample)
		}
	}
}

// Add appends the nodes of t that a fragment with its root in r can hold.
func (it *Items) Add(sample uint32, t *index.Tree, r index.Range, _ index.Limits) {
	p := &it.plan
	p.plan(t)
	for i := 0; i < len(p.label); {
		if p.label[i] == 0 || !r.Contains(root(p.label[i]).Packed()) {
			i++
			continue
		}
		it.nodes = p.appendTo(it.nodes, i, sample, it.numbers.Of)
		i += int(p.size[i])
	}
}

// Seal numbers the symbols and lists the nodes with each.
func (it *Items) Seal() {
	renumbered := it.numbers.Sort()
	n := len(it.numbers.Symbols())
	it.start = append(it.start[:0], make([]uint32, n+1)...)
	for i := range it.nodes {
		it.nodes[i].num = renumbered[it.nodes[i].num]
		it.start[it.nodes[i].num]++
	}
	// Cumulate: start[n] is where the nodes with n end, then, as they are placed from the
	// last to the first, where they start.
	for i := 1; i <= n; i++ {
		it.start[i] += it.start[i-1]
	}
	it.with = slices.Grow(it.with[:0], len(it.nodes))[:len(it.nodes)]
	for i := len(it.nodes) - 1; i >= 0; i-- {
		num := it.nodes[i].num
		it.start[num]--
		it.with[it.start[num]] = uint32(i)
	}
}

// Bytes implements index.Items.
func (it *Items) Bytes() int64 {
	return 16*int64(cap(it.nodes)) + 4*int64(max(cap(it.nodes), cap(it.with))+cap(it.start)) + it.numbers.Bytes()
}

// Reset implements index.Items.
func (it *Items) Reset() {
	it.numbers.Reset()
	it.nodes, it.with, it.start = it.nodes[:0], it.with[:0], it.start[:0]
	it.growers = sync.Pool{}
}
