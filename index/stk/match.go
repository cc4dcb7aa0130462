package stk

import (
	"math"
	"slices"

	"fstore/index"
	"fstore/index/expansion"
)

// Matcher walks the expansion index along trees (ALGORITHMS.md §4): a state is a
// trie node and the rest of the frontier in preorder. It allocates nothing once
// warm.
type Matcher struct {
	x      *expansion.Index
	nodes  []walkNode
	kids   []int32  // indices into nodes
	front  []int32  // a stack of frontiers
	roots  []uint64 // production<<32 | node
	hits   []uint64 // id<<32 | order
	out    []index.Hit
	visits int64
	budget int64
	err    error
}

// walkNode is a node of the tree: what the walk asks of it in one load.
type walkNode struct {
	prod uint32 // 0 where it is no symbol of the index
	kid  uint32 // its nonterminal children are kids[kid:kid+n]
	n    uint32
}

// NewMatcher implements index.Space.
func (Space) NewMatcher(x index.Automaton, _ *index.Symbols, _ float64) index.Matcher {
	return NewMatcher(x)
}

// NewMatcher returns a walker over the index of a space with stk codes.
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

// Begin starts a sample.
func (m *Matcher) Begin(budget int64) {
	m.hits, m.visits, m.budget, m.err = m.hits[:0], 0, budget, nil
}

// Load lays out t: nodes and kids are numbered as in t, and the kids of what is no
// symbol of the index are left out.
func (m *Matcher) Load(t *index.Tree) {
	m.nodes, m.kids, m.roots = m.nodes[:0], m.kids[:0], m.roots[:0]
	for i := range t.Nodes {
		n := &t.Nodes[i]
		if n.Prod == 0 || !m.x.Live(n.Prod) {
			m.nodes = append(m.nodes, walkNode{})
			continue
		}
		from := len(m.kids)
		for k := i + 1; k < i+int(n.Size); k += int(t.Nodes[k].Size) {
			if !t.Nodes[k].Word {
				m.kids = append(m.kids, int32(k))
			}
		}
		m.nodes = append(m.nodes, walkNode{n.Prod, uint32(from), uint32(len(m.kids) - from)})
		m.roots = append(m.roots, uint64(n.Prod)<<32|uint64(i))
	}
}

// WalkAll walks from every node, by ascending production: feature ids are ranks
// in code order, so that the hits of one root come ascending, those of another
// production lie wholly above, and only roots that share a production have to be
// merged. (Sorting all hits of a tree cost a quarter of the walk on IcePaHC.
// Walking many trees at once, so that a production's branches stay in the cache,
// was measured to gain nothing.)
func (m *Matcher) WalkAll() {
	slices.Sort(m.roots)
	root := m.x.Root()
	for i := 0; i < len(m.roots) && m.err == nil; {
		p := uint32(m.roots[i] >> 32)
		to := i + 1
		for to < len(m.roots) && uint32(m.roots[to]>>32) == p {
			to++
		}
		if r, ok := m.x.Find(&root, 0, p); ok {
			first := len(m.hits)
			for _, x := range m.roots[i:to] {
				m.front = append(m.front[:0], int32(uint32(x)))
				m.enter(r, 0, 1, 1)
			}
			if to > i+1 {
				m.Sort(first)
			}
		}
		i = to
	}
}

// Sort orders the hits from the given one on; those before are all lower.
func (m *Matcher) Sort(first int) { slices.Sort(m.hits[first:]) }

// Hits is the number of hits so far.
func (m *Matcher) Hits() int { return len(m.hits) }

// Hit records a feature of this order.
func (m *Matcher) Hit(id uint32, order int) {
	m.hits = append(m.hits, uint64(id)<<32|uint64(uint32(order)))
}

// enter arrives at state r, which expands frontier position off of the frontier
// that starts at m.front[from]; order counts the nodes expanded, r's included.
func (m *Matcher) enter(r expansion.Record, from, off, order int) {
	if m.visits++; m.visits > m.budget && m.budget > 0 {
		m.err = index.BudgetError(m.budget)
		return
	}
	if r.Out != 0 {
		m.Hit(r.Out, order)
	}
	if r.N == 0 {
		return
	}
	// The new frontier: the children of what was expanded, then what stands to
	// its right, as far as any edge looks; a skip may look at all of it.
	need := int(r.MaxOff) + 1
	if need > int(expansion.Skip.Off) {
		need = math.MaxInt
	}
	mark := len(m.front)
	n := &m.nodes[m.front[from+off-1]]
	m.front = append(m.front, m.kids[n.kid:n.kid+uint32(min(int(n.n), need))]...)
	if have := len(m.front) - mark; have < need {
		right := m.front[from+off : mark]
		m.front = append(m.front, right[:min(len(right), need-have)]...)
	}
	m.step(r, mark, order)
	m.front = m.front[:mark]
}

// step tries the edges of r on the frontier m.front[from:].
func (m *Matcher) step(r expansion.Record, from, order int) {
	front := m.front[from:]
	if r.Sorted() && int(r.N) <= scanMax {
		// Few edges: look up what each asks for.
		block := m.x.Block(&r)
		for i := range block {
			c := &block[i]
			if int(c.Off) >= len(front) {
				break
			}
			if c.Sym == 0 {
				m.skip(*c, from, order)
			} else if m.nodes[front[c.Off]].prod == c.Sym {
				m.enter(*c, from, int(c.Off)+1, order+1)
				front = m.front[from:]
			}
			if m.err != nil {
				return
			}
		}
		return
	}
	for off := 0; off < len(front) && off <= int(r.MaxOff); off++ {
		if off == int(expansion.Skip.Off) {
			if c, ok := m.x.Find(&r, uint8(off), 0); ok {
				m.skip(c, from, order)
			}
			return
		}
		p := m.nodes[front[off]].prod
		if p == 0 {
			continue
		}
		if c, ok := m.x.Find(&r, uint8(off), p); ok {
			m.enter(c, from, off+1, order+1)
			front = m.front[from:]
			if m.err != nil {
				return
			}
		}
	}
}

// scanMax is the number of edges up to which they are tried one by one.
const scanMax = 8

// skip gives up Skip.Off frontier positions.
func (m *Matcher) skip(c expansion.Record, from, order int) {
	if len(m.front)-from > int(expansion.Skip.Off) {
		m.step(c, from+int(expansion.Skip.Off), order)
	}
}

// End returns the hits since Begin, which ascend.
func (m *Matcher) End() ([]index.Hit, error) {
	m.out = m.out[:0]
	if m.err != nil {
		return nil, m.err
	}
	for i := 0; i < len(m.hits); {
		k := i + 1
		for k < len(m.hits) && m.hits[k] == m.hits[i] {
			k++
		}
		m.out = append(m.out, index.Hit{
			ID: uint32(m.hits[i] >> 32), Order: int32(uint32(m.hits[i])),
			Match: index.Match{Count: float64(k - i)},
		})
		i = k
	}
	return m.out, nil
}
