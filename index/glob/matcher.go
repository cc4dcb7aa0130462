package glob

// Matcher compares one pattern with trees, for one goroutine. It allocates memory only for a tree that is
// larger than all trees before.
//
// It compares each pair of nodes at most once. So the time is at most the product of the sizes of the pattern
// and the tree.
type Matcher struct {
	p *Pattern
	t *Tree

	// These fields are the memory of the recursive method `unordered`. A call uses the elements after those
	// of its caller.
	kids  []int32
	fits  []bool  // a row for each kid of the pattern, a column for each child of the tree
	taken []int32 // by child: the kid that has it, or -1
	seen  []bool  // by child

	// The memory of the method `embedded`, which meets pairs of nodes more than once.
	numbers map[*Node]int // the number of each node of the pattern
	known   []verdict     // a row for each node of the pattern, a column for each node of the tree
}

// verdict says whether a pair of nodes fits, or that the pair was not compared yet.
type verdict uint8

const (
	unknown verdict = iota
	fit
	unfit
)

// NewMatcher returns a matcher that compares p with trees.
func NewMatcher(p *Pattern) *Matcher {
	m := &Matcher{p: p}
	if p.Embedded {
		m.numbers = make(map[*Node]int)
		m.number(p.Root)
	}
	return m
}

func (m *Matcher) number(p *Node) {
	m.numbers[p] = len(m.numbers)
	for _, kid := range p.Kids {
		m.number(kid)
	}
}

func (m *Matcher) begin(t *Tree) {
	m.t = t
	m.known = append(m.known[:0], make([]verdict, len(m.numbers)*len(t.size))...)
}

// Fits says whether the pattern fits t at the root of t.
func (m *Matcher) Fits(t *Tree) bool {
	m.begin(t)
	return len(t.size) > 0 && m.node(m.p.Root, 0)
}

// FitsSomewhere says whether the pattern fits t at some node of t.
func (m *Matcher) FitsSomewhere(t *Tree) bool {
	m.begin(t)
	for i := range t.size {
		if m.node(m.p.Root, int32(i)) {
			return true
		}
	}
	return false
}

// node says whether p and all pattern nodes below it fit at node i of the tree.
func (m *Matcher) node(p *Node, i int32) bool {
	if !p.fitsLabel(m.t.label(i)) {
		return false
	}
	end := i + m.t.size[i]
	switch {
	case m.p.Embedded:
		return m.embedded(p.Kids, i+1, end)
	case m.p.Unordered:
		return m.unordered(p.Left, i+1, end, true) && m.unordered(p.Kids, i+1, end, false)
	}
	first := i + 1 // the first child that is not left of the head
	for first < end && m.t.left[first] {
		first += m.t.size[first]
	}
	return m.ordered(p.Left, i+1, first) && m.ordered(p.Kids, first, end)
}

// ordered says whether the kids fit the siblings [c, end), in order. If a kid does not fit, the last [Rest]
// before it takes one more sibling.
func (m *Matcher) ordered(kids []*Node, c, end int32) bool {
	k, rest, restEnd := 0, -1, int32(0)
	for {
		switch {
		case k < len(kids) && kids[k] == nil:
			rest, restEnd = k, c
			k++
			continue
		case k == len(kids) && c == end:
			return true
		case k < len(kids) && c < end && m.node(kids[k], c):
			k++
			c += m.t.size[c]
			continue
		}
		if rest < 0 || restEnd == end {
			return false
		}
		restEnd += m.t.size[restEnd]
		k, c = rest+1, restEnd
	}
}

// embedded says whether the kids fit nodes of [c, end) in separate subtrees, from left to right. Each kid
// takes the fitting node that ends first, which leaves most nodes for the next kids.
func (m *Matcher) embedded(kids []*Node, c, end int32) bool {
	for _, kid := range kids {
		first := end + 1
		for ; c < min(first, end); c++ {
			if to := c + m.t.size[c]; to < first && m.fitsOnce(kid, c) {
				first = to
			}
		}
		if first > end {
			return false
		}
		c = first
	}
	return true
}

// fitsOnce returns m.node(p, i), but computes it only once for each p and i.
func (m *Matcher) fitsOnce(p *Node, i int32) bool {
	v := &m.known[m.numbers[p]*len(m.t.size)+int(i)]
	if *v == unknown {
		*v = unfit
		if m.node(p, i) {
			*v = fit
		}
	}
	return *v == fit
}

// unordered says whether kids fit different siblings in [c, end), in any order. It looks at one side of the
// head only, and finds a bipartite matching by augmenting paths.
func (m *Matcher) unordered(kids []*Node, c, end int32, left bool) bool {
	base := len(m.kids)
	for ; c < end; c += m.t.size[c] {
		if m.t.left[c] == left {
			m.kids = append(m.kids, c)
		}
	}
	children := len(m.kids) - base
	named := 0
	for _, p := range kids {
		if p != nil {
			named++
		}
	}
	first := len(m.fits)
	ok := named == children || named < children && named < len(kids)
	for k := 0; ok && k < len(kids); k++ {
		if kids[k] == nil {
			continue
		}
		ok = false // until a child fits
		for c := range children {
			fits := m.node(kids[k], m.kids[base+c])
			m.fits = append(m.fits, fits)
			ok = ok || fits
		}
	}
	ok = ok && m.assign(m.fits[first:], named, children)
	m.kids, m.fits = m.kids[:base], m.fits[:first]
	return ok
}

// assign says whether n kids can get different children of the tree. Kid k fits child c if fits[k*children+c]
// is set.
func (m *Matcher) assign(fits []bool, n, children int) bool {
	m.taken = m.taken[:0]
	for range children {
		m.taken = append(m.taken, -1)
	}
	for k := range n {
		m.seen = append(m.seen[:0], make([]bool, children)...)
		if !m.augment(fits, k, children) {
			return false
		}
	}
	return true
}

// augment finds a child of the tree for node k of the pattern. If another node has this child already,
// augment tries to move that node to another child.
func (m *Matcher) augment(fits []bool, k, children int) bool {
	for c := range children {
		if !fits[k*children+c] || m.seen[c] {
			continue
		}
		m.seen[c] = true
		if m.taken[c] < 0 || m.augment(fits, int(m.taken[c]), children) {
			m.taken[c] = int32(k)
			return true
		}
	}
	return false
}
