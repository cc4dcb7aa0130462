package sstbow

import (
	"slices"

	"fstore/index"
	"fstore/index/stk"
)

// merged has the distinct parts (components) of the trees: first those of stk, then the words.
type merged struct {
	index.Multisets
	trees *stk.Merged
	words []uint64 // ascending
}

// Merge implements index.Merging.
func (k *kernel) Merge(all []any) index.Merged {
	m := &merged{}
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
		for n, c := range components {
			m.Add(c, counts[n])
		}
		for _, w := range p.(*prepared).words {
			at, _ := slices.BinarySearch(m.words, w.step)
			m.Add(subtrees+uint32(at), uint32(w.n))
		}
		m.End()
	}
	return m
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

// Items implements index.Growable. Each bare word is a sample of its own.
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
