package emb

import "slices"

// embeddings has the embeddings of a pattern. Each row lists the nodes that match the rightmost path, and
// stands for all embeddings with these nodes. Rows ascend.
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

// add appends a row to r: the first d nodes of a row of src, and then the new node.
func (r *embeddings) add(src *embeddings, row uint32, node uint32, d int, count float64) {
	if d > 0 {
		r.path = append(r.path, src.row(int(row))[:d]...)
	}
	r.path, r.count = append(r.path, node), append(r.count, count)
}

// Limits that keep the extensions of a pattern within some 150 MB. Above a limit, the error is an
// *index.OccurrenceError.
//   - maxKept: the occurrences of all extensions
//   - maxPath: the nodes on the rightmost paths of one extension's occurrences
const (
	maxKept = 1 << 22
	maxPath = 1 << 24
)

// extender finds the extensions of a pattern by one node. It reads together all embeddings that have the same
// nodes above the new node.
type extender struct {
	nodes  nodes
	valued bool
	lambda float64

	// For the present group of rows: count[i] embeddings have the new node base+i, and value[i] is the sum of
	// their values.
	base   uint32
	from   int // the first node that can be the new one
	count  []float64
	value  []float64
	passed []float64 // scratch: Σ of the value of embeddings to the left, by parent
	ended  []float64 // scratch: the value of the embeddings whose last node is this node or below it
}

// group reads all rows from `at` on that have the same first d nodes, for a new node at depth d. It returns
// the index of the next row.
func (x *extender) group(r *embeddings, at, d int) (next int) {
	x.base = r.row(at)[d-1]
	n := int(x.nodes[x.base].end - x.base)
	x.count = slices.Grow(x.count[:0], n)[:n]
	if d == r.stride {
		x.from = 1
		x.below(r, at)
		return at + 1
	}
	// A new node must be right of its left sibling's subtree.
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

// below sets x.count and x.value for new nodes below the last node of a row.
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

// rightOf sets x.value for new nodes to the right of the nodes at depth d in the rows [at, next).
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

// parent returns the parent of node i. Both are counted from x.base.
func (x *extender) parent(i int) int { return int(uint32(x.nodes[int(x.base)+i].parent) - x.base) }
