package dep

// pattern is a code taken apart: the arcs of a fragment in preorder.
type pattern struct {
	sym    []uint32
	depth  []int32 // of the head
	before []int32 // the sibling before, -1
	right  []bool  // under the rule side: the modifier stands right of the head
	path   []int32 // the arcs on the rightmost path, by depth
	paths  []int32 // for pop: how much of the path, and what, an arc replaced
}

func (p *pattern) reset() {
	p.sym, p.depth, p.before = p.sym[:0], p.depth[:0], p.before[:0]
	p.right, p.path, p.paths = p.right[:0], p.path[:0], p.paths[:0]
}

// push adds an arc whose head is at a depth of the rightmost path.
func (p *pattern) push(depth int, right bool, sym uint32) {
	before := int32(-1)
	if depth < len(p.path) {
		before = p.path[depth]
	}
	p.paths = append(p.paths, p.path[depth:]...)
	p.paths = append(p.paths, int32(len(p.path)-depth))
	p.path = append(p.path[:depth], int32(len(p.sym)))
	p.sym, p.depth = append(p.sym, sym), append(p.depth, int32(depth))
	p.before, p.right = append(p.before, before), append(p.right, right)
}

// pop takes the last arc back.
func (p *pattern) pop() {
	n := len(p.sym) - 1
	depth := p.depth[n]
	p.sym, p.depth, p.before, p.right = p.sym[:n], p.depth[:n], p.before[:n], p.right[:n]
	end := len(p.paths) - 1
	k := int(p.paths[end])
	p.path = append(p.path[:depth], p.paths[end-k:end]...)
	p.paths = p.paths[:end-k]
}
