package stk

import (
	"math"
	"slices"

	"fstore/index"
	"fstore/index/expansion"
)

// Matcher finds the stored fragments of trees (index/README.md, "Matching").
type Matcher struct {
	x      *expansion.Index
	nodes  []walkNode
	kids   []uint64       // production<<32 | node, then padding
	front  []uint64       // a stack of frontiers, with entries as in kids
	roots  []uint64       // rank of the production among first steps<<32 | node
	Hits   expansion.Hits // the hits since Begin
	visits int64
	budget int64
	err    error
}

// walkNode is a node of the tree. One load reads all that the walk needs of the node.
type walkNode struct {
	prod uint32 // 0 if it is not a symbol of the index
	kid  uint32 // its nonterminal children are kids[kid:kid+n]
	n    uint32
}

// short is the number of entries that copyShort copies, so m.kids and m.front need this much room at the end.
// A copy of variable length cost a tenth of the walk on IcePaHC.
const short = 4

// scanMax is the largest number of leaves that are compared one by one with the frontier. If there are more,
// each frontier position is looked up among the leaves.
const scanMax = 64

// NewMatcher implements index.Space.
func (Space) NewMatcher(x index.Automaton, _ *index.Symbols, _ float64) index.Matcher {
	return NewMatcher(x)
}

// NewMatcher returns a matcher for the index of a space with stk codes.
func NewMatcher(x index.Automaton) *Matcher {
	return &Matcher{x: x.(*expansion.Index)}
}

// Match implements index.Matcher.
func (m *Matcher) Match(t *index.Tree, budget int64) ([]index.Hit, error) {
	m.Begin(budget)
	m.Load(t)
	m.WalkAll()
	return m.End()
}

// Begin removes all hits, and sets the budget of the next sample.
func (m *Matcher) Begin(budget int64) {
	m.Hits.Reset()
	m.visits, m.budget, m.err = 0, budget, nil
}

// Load lays out t. Nodes keep their indexes. A node whose production is not in the index gets no children.
func (m *Matcher) Load(t *index.Tree) {
	m.nodes = slices.Grow(m.nodes[:0], len(t.Nodes))[:len(t.Nodes)]
	m.kids, m.roots = m.kids[:0], m.roots[:0]
	for i := len(t.Nodes) - 1; i >= 0; i-- {
		n := &t.Nodes[i]
		if n.Prod == 0 || !m.x.Live(n.Prod) {
			m.nodes[i] = walkNode{}
			continue
		}
		from := len(m.kids)
		for k := i + 1; k < i+int(n.Size); k += int(t.Nodes[k].Size) {
			if !t.Nodes[k].Word {
				m.kids = append(m.kids, uint64(m.nodes[k].prod)<<32|uint64(k))
			}
		}
		m.nodes[i] = walkNode{n.Prod, uint32(from), uint32(len(m.kids) - from)}
		if rank, ok := m.x.First(n.Prod); ok {
			m.roots = append(m.roots, uint64(rank)<<32|uint64(i))
		}
	}
	m.kids = slices.Grow(m.kids, short)
}

// WalkAll walks from every node, in the order of productions, so only the hits of one production at a time
// must be sorted. (On IcePaHC, sorting all hits of a tree took a quarter of the walk's time. Prefetching, and
// walking many trees at once, gained nothing.)
func (m *Matcher) WalkAll() {
	slices.Sort(m.roots)
	for i := 0; i < len(m.roots) && m.err == nil; {
		rank := uint32(m.roots[i] >> 32)
		r := m.x.At(rank)
		first := m.Hits.Len()
		k := i
		for ; k < len(m.roots) && uint32(m.roots[k]>>32) == rank; k++ {
			m.front = m.front[:0]
			m.visit(r, m.roots[k], 0, 1)
		}
		if k > i+1 {
			m.Hits.Sort(first)
		}
		i = k
	}
}

// visit records the feature of the state r, and goes on below r. `x` is the node expanded last, and
// m.front[right:] is the rest of the frontier.
func (m *Matcher) visit(r *expansion.Record, x uint64, right, order int) {
	m.visits++
	if r.Out != 0 {
		m.Hits.Add(r.Out, order)
	}
	if r.N != 0 {
		m.enter(r, x, right, order)
	}
}

// enter walks on from the state r to the states below it. Its parameters are those of visit.
func (m *Matcher) enter(r *expansion.Record, x uint64, right, order int) {
	if m.over() {
		return
	}
	n := m.nodes[uint32(x)]
	if r.Single() {
		if p, _ := at(m.kids[n.kid:n.kid+n.n], m.front[right:], int(r.MaxOff)); p == r.Start {
			m.leaf(r, 0, order+1)
		}
		return
	}
	if steps := m.x.Leaves(r); steps != nil {
		m.leaves(r, steps, n, right, order+1)
		return
	}
	// The new frontier begins with the children of the expanded node. The rest of the old frontier follows,
	// as far as the edges of r can reach.
	need := int(r.MaxOff) + 1
	mark := len(m.front)
	kids := min(int(n.n), need)
	if need <= short {
		if cap(m.front) < mark+2*short {
			m.front = slices.Grow(m.front, 2*short)
		}
		f := m.front[:mark+2*short]
		copyShort((*[short]uint64)(f[mark:]), (*[short]uint64)(m.kids[n.kid:n.kid+short]))
		copyShort((*[short]uint64)(f[mark+kids:]), (*[short]uint64)(f[right:]))
		m.front = f[:mark+min(kids+mark-right, need)]
	} else {
		if need > int(expansion.Skip.Off) {
			need = math.MaxInt
			kids = int(n.n)
		}
		m.front = append(m.front, m.kids[n.kid:n.kid+uint32(kids)]...)
		m.front = append(m.front, m.front[right:mark][:min(mark-right, need-kids)]...)
	}
	m.step(r, mark, order)
	m.front = m.front[:mark]
}

// copyShort copies entry by entry, to save a function call.
func copyShort(dst, src *[short]uint64) {
	dst[0], dst[1], dst[2], dst[3] = src[0], src[1], src[2], src[3]
}

// step tries each edge of r with the nodes of the frontier m.front[start:].
func (m *Matcher) step(r *expansion.Record, start, order int) {
	front := m.front[start:]
	if r.Sorted() {
		// Look up the frontier position of each edge, at most 64 positions. (On IcePaHC this is faster than a
		// binary search for each position.)
		block := m.x.Block(r)
		for i := range block {
			c := &block[i]
			if int(c.Off) >= len(front) {
				break
			}
			if c.Sym == 0 {
				m.skip(c, start, order)
			} else if x := front[c.Off]; uint32(x>>32) == c.Sym {
				m.visit(c, x, start+int(c.Off)+1, order+1)
				front = m.front[start:]
			} else {
				continue
			}
			if m.err != nil {
				return
			}
		}
		return
	}
	for off := 0; off < len(front) && off <= int(r.MaxOff); off++ {
		if off == int(expansion.Skip.Off) {
			if c := m.x.Lookup(r, uint8(off), 0); c != nil {
				m.skip(c, start, order)
			}
			return
		}
		x := front[off]
		if x>>32 == 0 {
			continue
		}
		if c := m.x.Lookup(r, uint8(off), uint32(x>>32)); c != nil {
			m.visit(c, x, start+off+1, order+1)
			front = m.front[start:]
			if m.err != nil {
				return
			}
		}
	}
}

// leaves adds a hit for each leaf in `steps` that fits the frontier: the children of n, then m.front[right:].
func (m *Matcher) leaves(r *expansion.Record, steps []uint32, n walkNode, right, order int) {
	kids := m.kids[n.kid : n.kid+n.n]
	rest := m.front[right:]
	if len(steps) <= scanMax {
		for i, step := range steps {
			x, ok := at(kids, rest, int(step>>expansion.LeafBits))
			if !ok {
				return
			}
			if x == step&(1<<expansion.LeafBits-1) {
				m.leaf(r, i, order)
			}
		}
		return
	}
	for off := range int(r.MaxOff) + 1 {
		x, ok := at(kids, rest, off)
		if !ok {
			return
		}
		if i, ok := expansion.FindLeaf(steps, uint8(off), x); ok {
			m.leaf(r, i, order)
		}
	}
}

// leaf records the hit of the i-th child of r.
func (m *Matcher) leaf(r *expansion.Record, i, order int) {
	m.visits++
	m.Hits.Add(r.Out+1+uint32(i), order)
}

// at returns the production at the given offset of the frontier, which is `kids` followed by `rest`.
func at(kids, rest []uint64, off int) (prod uint32, ok bool) {
	if off < len(kids) {
		return uint32(kids[off] >> 32), true
	}
	if off -= len(kids); off < len(rest) {
		return uint32(rest[off] >> 32), true
	}
	return 0, false
}

// skip goes on after the next Skip.Off positions of the frontier.
func (m *Matcher) skip(c *expansion.Record, from, order int) {
	if len(m.front)-from > int(expansion.Skip.Off) {
		m.step(c, from+int(expansion.Skip.Off), order)
	}
}

// over says whether the budget is spent. The walk then ends.
func (m *Matcher) over() bool {
	if m.visits > m.budget && m.budget > 0 {
		m.err = index.BudgetError(m.budget)
	}
	return m.err != nil
}

// End returns the hits since Begin, which ascend.
func (m *Matcher) End() ([]index.Hit, error) {
	if m.over() {
		return nil, m.err
	}
	return m.Hits.Merged(), nil
}
