package ptk

import (
	"math"
	"slices"
	"sync"

	"fstore/index"
)

// Items are the nodes of many samples: 24 bytes a node, and 4 where it stands among
// those with its label.
type Items struct {
	forest
	syms *index.Symbols
	plan planter

	// After Seal: labels are numbered by falling frequency, so that what growth counts
	// most lies side by side in its slots; numberOf is the inverse of forest.labels, and
	// the nodes with a label are with[withEnd[n-1]:withEnd[n]], ascending.
	numberOf []uint32 // by label; none where it does not occur
	with     []int32
	withEnd  []uint32

	growers sync.Pool // *grower: their slots are as many as the labels
}

// none is the number of a label that has none.
const none = math.MaxUint32

// NewItems returns an empty *Items.
func (s *Space) NewItems(syms *index.Symbols) index.Items { return &Items{syms: syms} }

// Tally counts the nodes of t by label.
func (s *Space) Tally(t *index.Tree, _ *index.Symbols, sample uint32, tally *index.Tally) {
	for i := range t.Nodes {
		tally.Add(index.Step{Sym: labelOf(&t.Nodes[i])}, sample)
	}
}

// SecondSteps implements index.Splitter: the labels of the children of each node with
// the first label.
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

// secondStep is the packed step of a child of the root.
func secondStep(label uint32) uint64 { return index.Step{Off: 1, Sym: label}.Packed() }

// Add appends the nodes of t; with a range that is not everything, only those that a
// fragment of order l.MaxOrder with its root in r can reach.
func (it *Items) Add(sample uint32, t *index.Tree, r index.Range, l index.Limits) {
	if r == index.All {
		it.plan.keepAll(t)
	} else if !it.plan.keepBelow(t, r, l) {
		return
	}
	it.forest.add(t, &it.plan, sample)
}

// keepBelow keeps what lies near enough below a root in r; where r is a part of one
// first step, the root and its children from the first on that is a second step in r.
// It says whether that is anything.
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

// Seal numbers the labels and lists the nodes with each.
func (it *Items) Seal() {
	count := make([]uint32, labels(it.syms))
	it.labels = it.labels[:0]
	for i := range it.nodes {
		l := it.nodes[i].label
		if count[l] == 0 {
			it.labels = append(it.labels, l)
		}
		count[l]++
	}
	slices.SortFunc(it.labels, func(a, b uint32) int {
		if count[a] != count[b] {
			return int(count[b]) - int(count[a])
		}
		return int(a) - int(b)
	})
	it.withEnd = it.withEnd[:0]
	total := uint32(0)
	for _, l := range it.labels {
		total += count[l]
		it.withEnd = append(it.withEnd, total)
	}
	// The counts become the numbers.
	for i := range count {
		count[i] = none
	}
	for n, l := range it.labels {
		count[l] = uint32(n)
	}
	it.numberOf = count
	it.with = slices.Grow(it.with[:0], len(it.nodes))[:len(it.nodes)]
	for i := len(it.nodes) - 1; i >= 0; i-- {
		n := it.numberOf[it.nodes[i].label]
		it.nodes[i].label = n
		it.withEnd[n]--
		it.with[it.withEnd[n]] = int32(i)
	}
	// withEnd[n] is where n's nodes start now.
	copy(it.withEnd, it.withEnd[min(1, len(it.withEnd)):])
	if n := len(it.withEnd); n > 0 {
		it.withEnd[n-1] = total
	}
}

// nodesWith returns the nodes with a label.
func (it *Items) nodesWith(label uint32) []int32 {
	if int(label) >= len(it.numberOf) || it.numberOf[label] == none {
		return nil
	}
	n, from := it.numberOf[label], uint32(0)
	if n > 0 {
		from = it.withEnd[n-1]
	}
	return it.with[from:it.withEnd[n]]
}

// Bytes implements index.Items: the memory held, and what Seal will take.
func (it *Items) Bytes() int64 {
	return 24*int64(cap(it.nodes)) +
		4*int64(max(cap(it.nodes), cap(it.with))+cap(it.labels)+cap(it.numberOf)+cap(it.withEnd))
}

// Reset implements index.Items.
func (it *Items) Reset() {
	it.nodes, it.labels = it.nodes[:0], it.labels[:0]
	it.numberOf, it.with, it.withEnd = nil, it.with[:0], it.withEnd[:0]
}
