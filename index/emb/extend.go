package emb

import "slices"

// rows are the embeddings of a pattern, by ascending sample, as far as they decide how
// it can grow: a row is the nodes that the pattern's rightmost path is laid on, from the
// root to the last node. (Where a node lies among the descendants of its parent's is
// free, so the last node alone does not tell them.) Embeddings with the same row are
// merged; rows ascend, node by node, so that those with the same first nodes are side by
// side.
type rows struct {
	stride int // nodes in a row
	path   []uint32
	count  []float64 // embeddings, exact below 2^53
	value  []float64 // their values, where matches are valued
}

func (r *rows) len() int { return len(r.count) }

func (r *rows) reset(stride int) {
	r.stride = stride
	r.path, r.count, r.value = r.path[:0], r.count[:0], r.value[:0]
}

func (r *rows) row(i int) []uint32 { return r.path[i*r.stride : (i+1)*r.stride] }

// add appends the row of from that at is added to, at depth d of a pattern; at depth 0 there is no from.
func (r *rows) add(from *rows, row uint32, at uint32, d int, count float64) {
	if d > 0 {
		r.path = append(r.path, from.row(int(row))[:d]...)
	}
	r.path, r.count = append(r.path, at), append(r.count, count)
}

// What is kept while a pattern grows or is matched: occurrences of its extensions, at
// all depths, and nodes of the rows of one extension. More is an index.OccurrenceError:
// a chain of sixty equal labels has 5.5 million embeddings of five of them, 50 million
// of six. 4M occurrences and 16M nodes are some 150 MB.
const (
	maxKept = 1 << 22
	maxPath = 1 << 24
)

// extender finds what extends the rows of a pattern, group by group: a group is the rows
// that have the same nodes above the new one.
type extender struct {
	nodes  nodes
	valued bool
	lambda float64

	// Of the present group: the nodes below base can be the new one, each with the
	// number and the value of the embeddings that this makes. Indices are relative to
	// base, whose own entry means nothing.
	base   uint32
	from   int // the first that can be the new one
	count  []float64
	value  []float64
	passed []float64 // scratch: Σ of the value of embeddings to the left, by parent
	ended  []float64 // scratch: the value of the embeddings whose last node is at or below a node
}

// group reads the group that starts at row at, for a new node at depth d, and returns
// where the next one starts.
func (x *extender) group(r *rows, at, d int) (next int) {
	x.base = r.row(at)[d-1]
	n := int(x.nodes[x.base].end - x.base)
	x.count = slices.Grow(x.count[:0], n)[:n]
	if d == r.stride {
		x.from = 1
		x.below(r, at)
		return at + 1
	}
	// The new node must lie to the right of the sibling before it, and of all below that. In
	// a deep tree there is most often nothing: nothing is done for all that lies before.
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

// below fills the group of one row whose last node gets its first child: anywhere below,
// skipping what is on the way.
func (x *extender) below(r *rows, at int) {
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

// rightOf values the group of rows at..next-1: what the new node skips is what lies
// between it and the path from base to the sibling before, which has been skipped
// already. So going up from that sibling is free, and so is a step to the right, while
// each step down costs λ.
func (x *extender) rightOf(r *rows, at, next, d int) {
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

// parent is the parent of the i-th node of the group, relative to base.
func (x *extender) parent(i int) int { return int(uint32(x.nodes[int(x.base)+i].parent) - x.base) }
