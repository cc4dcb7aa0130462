package pattern

import "fstore/index"

// Each calls f for each hit in t, until f returns false. Node k of the pattern (see Nodes) is at node row[k]
// of t. Hits are in the order of their roots, then of the nodes below. The slice is valid until f returns.
func (m *Matcher) Each(t *index.Tree, f func(row []int32) bool) {
	l := &lister{m: m, row: make([]int32, len(m.p.nodes))}
	for i := range m.begin(t) {
		if m.count(m.root, i) > 0 && !l.node(m.root, i, func() bool { return f(l.row) }) {
			return
		}
	}
}

// lister lists hits. It tries only nodes that lead to a hit.
type lister struct {
	m   *Matcher
	row []int32
}

// node assigns tree node i to pattern node n, and calls `then` for each way to assign the nodes below n.
// There must be a hit of n at i.
func (l *lister) node(n *bound, i int32, then func() bool) bool {
	l.row[n.number] = i
	if n.leaf() {
		return then()
	}
	p := &placement{l: l, n: n, head: i, children: l.m.children(nil, i), then: then}
	p.look()
	return p.place(0, 0, 0)
}

// placement lays the children of `n`, a node of the pattern, on children of `head`, a node of the tree. A
// state says which children of `n` are laid already.
type placement struct {
	l        *lister
	n        *bound
	head     int32
	children []int32
	open     []bool // by child and state: whether a hit can be completed from there
	then     func() bool
}

func (p *placement) states() int { return (len(p.n.kids) + 1) << len(p.n.free) }

func (p *placement) state(j, mask int) int { return j<<len(p.n.free) + mask }

// look sets p.open, which says from which states a hit can be completed.
func (p *placement) look() {
	states := p.states()
	p.open = make([]bool, (len(p.children)+1)*states)
	p.open[len(p.open)-1] = true
	for c := len(p.children) - 1; c >= 0; c-- {
		at, next := p.open[c*states:], p.open[(c+1)*states:]
		for j := range len(p.n.kids) + 1 {
			for mask := range 1 << len(p.n.free) {
				p.steps(c, j, mask, func(j2, mask2 int, _ *bound) bool {
					at[p.state(j, mask)] = next[p.state(j2, mask2)]
					return !next[p.state(j2, mask2)]
				})
			}
		}
	}
}

// steps calls f for each way to use child c: c is either assigned to a node of the pattern, or skipped. It
// stops when f returns false.
func (p *placement) steps(c, j, mask int, f func(j, mask int, kid *bound) bool) bool {
	child := p.children[c]
	is := func(kid *bound) bool {
		return p.l.m.mayBe(kid, child, p.head) && p.l.m.count(kid, child) > 0
	}
	if j < len(p.n.kids) && is(p.n.kids[j]) && !f(j+1, mask, p.n.kids[j]) {
		return false
	}
	for b, kid := range p.n.free {
		if mask>>b&1 == 0 && is(kid) && !f(j, mask|1<<b, kid) {
			return false
		}
	}
	return !p.n.gaps[j] || f(j, mask, nil)
}

// place lays the remaining children of p.n on p.children[c:]. The first j of p.n.kids are laid already, and
// so are those of p.n.free whose bits are set in `mask`.
func (p *placement) place(c, j, mask int) bool {
	if c == len(p.children) {
		return p.then()
	}
	next := p.open[(c+1)*p.states():]
	return p.steps(c, j, mask, func(j, mask int, kid *bound) bool {
		switch {
		case !next[p.state(j, mask)]:
			return true
		case kid == nil:
			return p.place(c+1, j, mask)
		}
		return p.l.node(kid, p.children[c], func() bool { return p.place(c+1, j, mask) })
	})
}
