package sstbow

import (
	"slices"

	"fstore/index"
	"fstore/index/stk"
)

// merged is stk's and the distinct words of the trees, which are the components after
// the subtrees.
type merged struct {
	trees *stk.Merged
	words []uint64 // ascending

	tree       []uint32 // tree i has components[tree[i]:tree[i+1]]
	components []uint32
	counts     []uint32
}

// Merge implements index.Merging.
func (k *kernel) Merge(all []any) index.Merged {
	m := &merged{tree: []uint32{0}}
	trees := make([]*stk.Prepared, len(all))
	for i, p := range all {
		x := p.(*prepared)
		trees[i] = x.Prepared
		for _, w := range x.words {
			m.words = append(m.words, w.step)
		}
	}
	slices.Sort(m.words)
	m.words = slices.Compact(m.words)
	m.trees = stk.Merge(trees)
	subtrees := uint32(m.trees.Components())
	for i, p := range all {
		components, counts := m.trees.Of(i)
		m.components, m.counts = append(m.components, components...), append(m.counts, counts...)
		for _, w := range p.(*prepared).words {
			at, _ := slices.BinarySearch(m.words, w.step)
			m.components, m.counts = append(m.components, subtrees+uint32(at)), append(m.counts, uint32(w.n))
		}
		m.tree = append(m.tree, uint32(len(m.components)))
	}
	return m
}

// Components implements index.Merged.
func (m *merged) Components() int { return m.trees.Components() + len(m.words) }

// Of implements index.Merged.
func (m *merged) Of(i int) (components, counts []uint32) {
	a, b := m.tree[i], m.tree[i+1]
	return m.components[a:b], m.counts[a:b]
}

// Sums implements index.Merging.
func (k *kernel) Sums(dst []float64, all index.Merged, x any) {
	m, p := all.(*merged), x.(*prepared)
	subtrees := m.trees.Components()
	k.SumAll(dst[:subtrees], m.trees, p.Prepared)
	clear(dst[subtrees:])
	for _, w := range p.words {
		if at, ok := slices.BinarySearch(m.words, w.step); ok {
			dst[subtrees+at] = float64(k.Lambda * w.n)
		}
	}
}

// Items implements index.Growable: a word is a sample with one occurrence of itself.
func (m *merged) Items(s *index.Symbols, _ index.Limits, tally *index.Tally) index.Items {
	it := &Items{}
	m.trees.Fill(&it.Items, s, tally)
	for i, w := range m.words {
		sample := uint32(m.trees.Components() + i)
		it.words = append(it.words, occurrence{w, sample})
		tally.Add(index.Unpack(w), sample)
	}
	return it
}
