package ptk

import (
	"slices"

	"fstore/index"
)

// Locate implements index.Space: the nodes of each match, ascending.
func (s *Space) Locate(t *index.Tree, c index.Code, _ *index.Symbols) []index.Occurrence {
	pattern, ok := s.Unfold(c)
	if !ok {
		return nil
	}
	l := &locator{pattern: pattern, row: make([]int32, len(pattern)), latest: make([]int32, len(pattern))}
	l.plan.keepAll(t)
	l.forest.add(t, &l.plan, 0)
	l.fit()
	for v := 0; v < len(t.Nodes) && len(l.found) < index.MaxLocated; v++ {
		if n := l.plan.number[v]; l.fits(0, n) {
			l.place(0, n)
		}
	}
	return l.found
}

// locator lays a pattern on a tree, of which it has the forest.
type locator struct {
	pattern []index.PreorderNode
	forest  forest
	plan    planter
	can     []bool  // by pattern node and node of the forest: it and what is below it fit
	row     []int32 // the node that each pattern node is laid on
	latest  []int32 // the last place of each that leaves room for its later siblings
	found   []index.Occurrence
}

// fit fills l.can, from the last pattern node to the first.
func (l *locator) fit() {
	nodes := l.forest.nodes
	l.can = make([]bool, len(l.pattern)*len(nodes))
	for i := len(l.pattern) - 1; i >= 0; i-- {
		for n := range nodes {
			l.can[i*len(nodes)+n] = nodes[n].label == l.pattern[i].Sym && l.room(i, int32(n))
		}
	}
}

// fits says whether pattern node i and what is below it can be laid on node n.
func (l *locator) fits(i int, n int32) bool { return l.can[i*len(l.forest.nodes)+int(n)] }

// room says whether the children of pattern node i can be laid on children of node n, and
// sets the latest place of each.
func (l *locator) room(i int, n int32) bool {
	at := int32(l.forest.nodes[n].kidEnd)
	from := int32(l.forest.nodes[n].kid)
	for k := l.pattern[i].Last; k >= 0; k = l.pattern[k].Before {
		for at--; at >= from && !l.fits(k, at); at-- {
		}
		if at < from {
			return false
		}
		l.latest[k] = at
	}
	return true
}

// place lays pattern node i on node n, where it fits, and the pattern nodes after it in
// every way. None of them is laid where the rest would not fit, so every path ends in a
// match.
func (l *locator) place(i int, n int32) {
	l.row[i] = n
	if i+1 == len(l.row) {
		l.emit()
		return
	}
	l.room(i, n)
	next := &l.pattern[i+1]
	from := int32(l.forest.nodes[l.row[next.Parent]].kid)
	if next.Before >= 0 {
		from = l.row[next.Before] + 1
	}
	for at := from; at <= l.latest[i+1] && len(l.found) < index.MaxLocated; at++ {
		if l.fits(i+1, at) {
			l.place(i+1, at)
		}
	}
}

// emit keeps the present match.
func (l *locator) emit() {
	o := make(index.Occurrence, len(l.row))
	for i, n := range l.row {
		o[i] = l.plan.queue[n]
	}
	slices.Sort(o)
	l.found = append(l.found, o)
}
