package emb

import "slices"

// embeddings has rows for the embeddings of a pattern, by ascending sample. A row has the nodes that match
// the pattern's rightmost path, from the root to the last node. These nodes decide how the embedding can
// grow. (The last node alone does not decide it, because a child can match any descendant.) Embeddings with
// the same row are merged. Rows ascend, node by node, so that rows with the same first nodes stand together.
type embeddings struct {
	stride int // nodes in a row
	path   []uint32
	count  []float64 // number of embeddings, exact below 2^53
	value  []float64 // the sum of their values, if matches are valued
}

func (r *embeddings) len() int { return len(r.count) }

func (r *embeddings) reset(stride int) {
	r.stride = stride
	r.path, r.count, r.value = r.path[:0], r.count[:0], r.value[:0]
}

func (r *embeddings) row(i int) []uint32 { return r.path[i*r.stride : (i+1)*r.stride] }

// add appends a row to r. The row has the first d nodes of old.row(row), and then the given node at depth d.
// If d is 0, add does not read old.
func (r *embeddings) add(old *embeddings, row uint32, node uint32, d int, count float64) {
	if d > 0 {
		r.path = append(r.path, old.row(int(row))[:d]...)
	}
	r.path, r.count = append(r.path, node), append(r.count, count)
}

// These limits hold while a pattern grows or is matched. maxKept is the largest number of occurrences that a
// pattern's extensions can have, at all depths together. maxPath is the largest number of nodes that the rows
// of one extension can have. Above a limit, the extension fails with an index.OccurrenceError. For example,
// in a chain of sixty equal labels, a chain of five has 5.5 million embeddings, and a chain of six has 50
// million. 4M occurrences and 16M nodes take some 150 MB.
const (
	maxKept = 1 << 22
	maxPath = 1 << 24
)

// extender finds the extensions of a pattern from its embeddings. It reads the embeddings group by group. All
// embeddings of a group have the same nodes above the new node.
type extender struct {
	nodes  nodes
	valued bool
	lambda float64

	// These fields describe the group of embeddings that is read at present. For each node below base,
	// count[i] and value[i] are the number and the value of the embeddings whose new node is base+i. Index 0
	// means nothing.
	base   uint32
	from   int // the first node that can be the new one
	count  []float64
	value  []float64
	passed []float64 // scratch: Σ of the value of embeddings to the left, by parent
	ended  []float64 // scratch: the value of the embeddings whose last node is this node or below it
}

// group reads the group of rows that begins at row `at`, for a new node at depth d. It returns the index of
// the row at which the next group starts.
func (x *extender) group(r *embeddings, at, d int) (next int) {
	x.base = r.row(at)[d-1]
	n := int(x.nodes[x.base].end - x.base)
	x.count = slices.Grow(x.count[:0], n)[:n]
	if d == r.stride {
		x.from = 1
		x.below(r, at)
		return at + 1
	}
	// The new node must lie to the right of its left sibling and of all nodes below that sibling. Only these
	// nodes, from x.from on, are looked at. A deep tree often has no such node.
	above := r.row(at)[:d]
	x.from = n
	for next = at; next < r.len() && slices.Equal(r.row(next)[:d], above); next++ {
		x.from = min(x.from, int(x.nodes[r.row(next)[d]].end-x.base))
	}
	clear(x.count[x.from:])
	for row := at; row < next; row++ {
		if i := int(x.nodes[r.row(row)[d]].end - x.base); i < n {
			x.count[i] += r.count[row]
		}
	}
	for i := x.from + 1; i < n; i++ {
		x.count[i] += x.count[i-1]
	}
	if x.valued && x.from < n {
		x.rightOf(r, at, next, d)
	}
	return next
}

// below fills the group of one row. The new node is the first child of the row's last node, and can be any
// node below that node. Each node between the two is skipped, and multiplies the value by λ.
func (x *extender) below(r *embeddings, at int) {
	for i := range x.count {
		x.count[i] = r.count[at]
	}
	if !x.valued {
		return
	}
	x.value = slices.Grow(x.value[:0], len(x.count))[:len(x.count)]
	for i := 1; i < len(x.value); i++ {
		if p := x.parent(i); p == 0 {
			x.value[i] = r.value[at]
		} else {
			x.value[i] = float64(x.lambda * x.value[p])
		}
	}
}

// rightOf computes the values of one group, which is the rows of r with indexes from at to next-1. The nodes
// on the path from the parent (x.base) down to the left sibling have been skipped already. So a step up from
// that sibling is free, and so is a step to the right. A step down skips a node, and multiplies the value by
// λ.
func (x *extender) rightOf(r *embeddings, at, next, d int) {
	n := len(x.count)
	x.value = slices.Grow(x.value[:0], n)[:n]
	x.ended = slices.Grow(x.ended[:0], n)[:n]
	x.passed = slices.Grow(x.passed[:0], n)[:n]
	clear(x.ended)
	clear(x.passed)
	for i := at; i < next; i++ {
		x.ended[r.row(i)[d]-x.base] += r.value[i]
	}
	for i := n - 1; i > 0; i-- {
		x.ended[x.parent(i)] += x.ended[i]
	}
	x.value[0] = 0
	for i := 1; i < n; i++ {
		p := x.parent(i)
		x.value[i] = x.passed[p] + float64(x.lambda*x.value[p])
		x.passed[p] += x.ended[i]
	}
}

// parent returns the parent of the i-th node of the group, relative to base.
func (x *extender) parent(i int) int { return int(uint32(x.nodes[int(x.base)+i].parent) - x.base) }
