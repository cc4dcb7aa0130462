package pattern

import (
	"errors"
	"math"
	"math/bits"

	"fstore/index"
)

// ErrTooMany says that a pattern has more hits in one tree than can be counted.
var ErrTooMany = errors.New("the pattern has more than 2^64 hits in one sample")

// Matcher finds a pattern in trees. It is for one goroutine.
//
// It compares a node of the pattern with a node of a tree only after their parents, so it compares each such
// pair at most once. It counts hits without listing them: below a pair of nodes, the hits of the children are
// multiplied, and the products are summed over the ways to place the children.
type Matcher struct {
	p    *Pattern
	root *bound
	t    *index.Tree
	deps index.Dependents

	over bool     // a count was too large
	ways []uint64 // for count, which is recursive: each call uses the part above its caller's
	kids []int32  // for count too, used like ways
}

// bound is a pattern's node whose names were looked up as symbols.
type bound struct {
	*node
	tests []*symbolTest
	rel   *symbolTest // nil if any relation fits, or if there is none
	kids  []*bound
	free  []*bound
}

// NewMatcher returns a matcher that finds p in trees. The symbols of the trees are in syms.
func NewMatcher(p *Pattern, syms *index.Symbols) *Matcher {
	return &Matcher{p: p, root: bind(p.root, syms)}
}

func bind(n *node, syms *index.Symbols) *bound {
	b := &bound{node: n}
	for _, t := range n.tests {
		b.tests = append(b.tests, newSymbolTest(t, syms))
	}
	if n.rel != nil && !n.rel.any {
		b.rel = newSymbolTest(test{field: Relation, names: n.rel}, syms)
	}
	for _, k := range n.kids {
		b.kids = append(b.kids, bind(k, syms))
	}
	for _, k := range n.free {
		b.free = append(b.free, bind(k, syms))
	}
	return b
}

// begin prepares the matcher for a tree. It returns the number of nodes, or 0 for a tree of another kind.
func (m *Matcher) begin(t *index.Tree) int32 {
	m.t, m.over = t, false
	switch {
	case t.Kind != m.p.kind:
		return 0
	case t.Kind == index.Constituency:
		return int32(len(t.Nodes))
	}
	if !t.Unparsed() {
		m.deps.Fill(t)
	}
	return int32(len(t.Tokens))
}

// Count returns the number of hits in t, and the number of nodes of t that are the root of a hit. If there
// are too many hits to count, it returns ErrTooMany.
func (m *Matcher) Count(t *index.Tree) (hits uint64, places int, err error) {
	for i := range m.begin(t) {
		if n := m.count(m.root, i); n > 0 {
			hits = m.add(hits, n)
			places++
		}
	}
	if m.over {
		return 0, 0, ErrTooMany
	}
	return hits, places, nil
}

// fits says whether node i of the tree passes the tests of n. It does not look at children.
func (m *Matcher) fits(n *bound, i int32) bool {
	if m.p.kind == index.Constituency {
		k := &m.t.Nodes[i]
		if k.Word != (n.word && !m.p.oneAlphabet) {
			return false
		}
		for _, t := range n.tests {
			if !t.has(k.Sym) {
				return false
			}
		}
		return true
	}
	k := &m.t.Tokens[i]
	for _, t := range n.tests {
		if !t.has(t.field.Of(k)) {
			return false
		}
	}
	return true
}

// mayBe says whether the side and the relation of child c of node i allow c to stand for n.
func (m *Matcher) mayBe(n *bound, c, i int32) bool {
	if m.p.kind == index.Constituency {
		return true
	}
	if n.side == left && c > i || n.side == right && c < i {
		return false
	}
	return n.rel == nil || n.rel.has(m.t.Tokens[c].Rel)
}

func (m *Matcher) children(dst []int32, i int32) []int32 {
	if m.p.kind == index.Dependency {
		if m.t.Unparsed() {
			return dst
		}
		return append(dst, m.deps.Of(i)...)
	}
	end := i + m.t.Nodes[i].Size
	for c := i + 1; c < end; c += m.t.Nodes[c].Size {
		dst = append(dst, c)
	}
	return dst
}

// leaf says whether n has no children in the pattern, and any children are allowed in the tree.
func (n *bound) leaf() bool { return len(n.kids)+len(n.free) == 0 && n.gaps[0] }

// count returns the number of matches of n and of the nodes below it, with n at node i of the tree.
func (m *Matcher) count(n *bound, i int32) uint64 {
	switch {
	case !m.fits(n, i):
		return 0
	case n.leaf():
		return 1
	}
	base, from := len(m.ways), len(m.kids)
	m.kids = m.children(m.kids, i)
	children := m.kids[from:]
	total := uint64(0)
	if len(children) >= len(n.kids)+len(n.free) {
		total = m.place(n, i, children)
	}
	m.ways, m.kids = m.ways[:base], m.kids[:from]
	return total
}

// unknownHits marks a number of hits that is not counted yet.
const unknownHits = math.MaxUint64

// place returns the number of ways to place the children of n among the children of i. A state is a set of
// children of n that are placed already. m.ways has the number of ways to reach each state, and then the
// results of m.below.
func (m *Matcher) place(n *bound, i int32, children []int32) uint64 {
	masks := 1 << len(n.free)
	states := (len(n.kids) + 1) * masks
	base := len(m.ways)
	m.ways = append(m.ways, make([]uint64, states+len(n.kids)+len(n.free))...)
	m.ways[base] = 1
	for _, c := range children {
		for k := base + states; k < len(m.ways); k++ {
			m.ways[k] = unknownHits
		}
		for j := len(n.kids); j >= 0; j-- {
			for mask := masks - 1; mask >= 0; mask-- {
				m.step(n, i, c, base, j, mask)
			}
		}
	}
	return m.ways[base+states-1]
}

// below returns how many hits the pattern's node `kid` has at the tree's node c, and keeps this number in
// m.ways.
func (m *Matcher) below(kid *bound, c int32, slot int) uint64 {
	if m.ways[slot] == unknownHits {
		hits := m.count(kid, c)
		m.ways[slot] = hits // count may have moved m.ways
	}
	return m.ways[slot]
}

// step updates one state (see place) for one more child c of node i. Call it for the highest state first: it
// reads lower states, which must not have c yet.
func (m *Matcher) step(n *bound, i, c int32, base, j, mask int) {
	masks := 1 << len(n.free)
	at, slots := base+j*masks+mask, base+(len(n.kids)+1)*masks
	sum := uint64(0)
	if n.gaps[j] {
		sum = m.ways[at]
	}
	if j > 0 {
		if w := m.ways[at-masks]; w > 0 && m.mayBe(n.kids[j-1], c, i) {
			sum = m.add(sum, m.times(w, m.below(n.kids[j-1], c, slots+j-1)))
		}
	}
	for b, kid := range n.free {
		if mask>>b&1 == 0 {
			continue
		}
		if w := m.ways[at-1<<b]; w > 0 && m.mayBe(kid, c, i) {
			sum = m.add(sum, m.times(w, m.below(kid, c, slots+len(n.kids)+b)))
		}
	}
	m.ways[at] = sum
}

func (m *Matcher) add(a, b uint64) uint64 {
	sum, carry := bits.Add64(a, b, 0)
	m.over = m.over || carry > 0
	return sum
}

func (m *Matcher) times(a, b uint64) uint64 {
	high, low := bits.Mul64(a, b)
	m.over = m.over || high > 0
	return low
}
