package glob

// Tree is a fragment as a labelled tree, with its nodes in preorder. A label is a list of numbers, and the
// space chooses their meaning.
//
// If order matters, the children opened by OpenLeft come before the others.
type Tree struct {
	size   []int32 // nodes below and at each node
	left   []bool
	end    []int32 // the label of node i is values[end[i-1]:end[i]]
	values []uint32
	open   []int32
}

// Reset empties t.
func (t *Tree) Reset() {
	t.size, t.left, t.end, t.values, t.open = t.size[:0], t.left[:0], t.end[:0], t.values[:0], t.open[:0]
}

// Open adds a node below the innermost open node, and opens it. The first node is the root.
func (t *Tree) Open(label ...uint32) {
	t.open = append(t.open, int32(len(t.size)))
	t.size, t.left = append(t.size, 1), append(t.left, false)
	t.values = append(t.values, label...)
	t.end = append(t.end, int32(len(t.values)))
}

// OpenLeft is Open for a node on the left of its head.
func (t *Tree) OpenLeft(label ...uint32) {
	t.Open(label...)
	t.left[len(t.left)-1] = true
}

// Close closes the node opened last.
func (t *Tree) Close() {
	i := t.open[len(t.open)-1]
	t.open = t.open[:len(t.open)-1]
	t.size[i] = int32(len(t.size)) - i
}

// Depth is the number of open nodes.
func (t *Tree) Depth() int { return len(t.open) }

func (t *Tree) label(i int32) []uint32 {
	from := int32(0)
	if i > 0 {
		from = t.end[i-1]
	}
	return t.values[from:t.end[i]]
}
