package emb

import (
	"slices"

	"fstore/index"
)

// prepared is a tree as the kernel reads it: nodes in preorder.
type prepared struct {
	label  []uint32 // packed, 0 where there is none
	end    []int32
	parent []int32  // -1 a root's
	depth  []int32  // 0 a root's
	each   []uint32 // the distinct labels, ascending
	keep   []bool   // scratch of prune
	place  []int32  // scratch of prune
}

// Prepare implements index.Kernel.
func (k *kernel) Prepare(t *index.Tree) (any, error) {
	p := &k.plan
	p.plan(t)
	n := len(p.label)
	x := &prepared{label: slices.Clone(p.label), end: make([]int32, n), parent: make([]int32, n), depth: make([]int32, n)}
	for i := range n {
		x.end[i] = int32(i) + p.size[i]
		x.parent[i] = -1
	}
	for i := range x.end {
		for c := int32(i) + 1; c < x.end[i]; c = x.end[c] {
			x.parent[c], x.depth[c] = int32(i), x.depth[i]+1
		}
	}
	x.each = slices.Clone(x.label)
	slices.Sort(x.each)
	x.each = slices.Compact(x.each)
	return x, nil
}

// prune fills x with what is left of t where what has no label of other is taken out,
// with all below it: half of a tree and more, as most words are in one of two trees only.
func (x *prepared) prune(t, other *prepared) {
	n := len(t.label)
	x.keep = append(x.keep[:0], make([]bool, n)...)
	for i := n - 1; i >= 0; i-- {
		if l := t.label[i]; l != 0 && !x.keep[i] {
			_, x.keep[i] = slices.BinarySearch(other.each, l)
		}
		if p := t.parent[i]; x.keep[i] && p >= 0 {
			x.keep[p] = true
		}
	}
	x.label, x.end, x.parent, x.depth = x.label[:0], x.end[:0], x.parent[:0], x.depth[:0]
	x.place = slices.Grow(x.place[:0], n)[:n]
	for i, kept := range x.keep {
		if !kept {
			continue
		}
		x.place[i] = int32(len(x.label))
		up := t.parent[i]
		if up >= 0 {
			up = x.place[up]
		}
		x.label, x.parent, x.depth = append(x.label, t.label[i]), append(x.parent, up), append(x.depth, t.depth[i])
		x.end = append(x.end, int32(len(x.label)))
	}
	for i := len(x.end) - 1; i > 0; i-- {
		if up := x.parent[i]; up >= 0 {
			x.end[up] = max(x.end[up], x.end[i])
		}
	}
}
