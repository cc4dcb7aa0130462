package emb

import "slices"

// prepared is a tree as the kernel reads it: nodes in preorder.
type prepared struct {
	label  []uint32 // packed; 0 if there is none
	end    []int32
	parent []int32  // -1 for a root
	depth  []int32  // 0 for a root
	each   []uint32 // the distinct labels, ascending
}

// pruned is a tree in preorder, as the method `prune` leaves it. A spine is a node, its last child, the last
// child of that child, and so on.
type pruned struct {
	label      []uint32
	end, depth []int32
	next       []int32 // the next node on the spine, or -1
	spines     []int32 // the first node of each spine, ascending
	span       int64   // the total size of the subtrees at the first nodes of spines

	keep  []bool  // scratch of prune
	place []int32 // scratch: in prune, how many nodes before are kept; in findSpines, a node by its end
}

// prune copies to x the nodes of t whose labels are also in `partner`, and all nodes above them. Often more
// than half of t is left out.
func (x *pruned) prune(t, partner *prepared) {
	n := len(t.label)
	x.keep = append(x.keep[:0], make([]bool, n)...)
	for i := n - 1; i >= 0; i-- {
		if l := t.label[i]; l != 0 && !x.keep[i] {
			_, x.keep[i] = slices.BinarySearch(partner.each, l)
		}
		if p := t.parent[i]; x.keep[i] && p >= 0 {
			x.keep[p] = true
		}
	}
	x.place = append(x.place[:0], 0)
	for i, kept := range x.keep {
		before := x.place[i]
		if kept {
			before++
		}
		x.place = append(x.place, before)
	}
	x.label, x.end, x.depth = x.label[:0], x.end[:0], x.depth[:0]
	for i, kept := range x.keep {
		if kept {
			x.label, x.depth = append(x.label, t.label[i]), append(x.depth, t.depth[i])
			x.end = append(x.end, x.place[t.end[i]])
		}
	}
	x.findSpines()
}

// mirror fills x with the mirror image of y.
func (x *pruned) mirror(y *pruned) {
	n := len(y.label)
	x.label, x.end, x.depth = slices.Grow(x.label[:0], n)[:n], slices.Grow(x.end[:0], n)[:n], slices.Grow(x.depth[:0], n)[:n]
	for i, end := range y.end {
		// In the mirror image, i comes after the nodes above it and the nodes right of its subtree.
		at := int32(n) - end + y.depth[i]
		x.label[at], x.depth[at] = y.label[i], y.depth[i]
		x.end[at] = at + end - int32(i)
	}
	x.findSpines()
}

// findSpines sets x.next, x.spines and x.span.
func (x *pruned) findSpines() {
	n := len(x.label)
	x.next = slices.Grow(x.next[:0], n)[:n]
	x.place = slices.Grow(x.place[:0], n+1)[:n+1]
	for i := range x.place {
		x.place[i] = -1
	}
	for i := n - 1; i >= 0; i-- {
		x.next[i] = x.place[x.end[i]]
		x.place[x.end[i]] = int32(i)
	}
	x.spines, x.span = x.spines[:0], 0
	for i, end := range x.end {
		if x.place[end] == int32(i) {
			x.spines = append(x.spines, int32(i))
			x.span += int64(end) - int64(i)
		}
	}
}
