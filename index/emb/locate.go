package emb

import (
	"cmp"
	"slices"

	"fstore/index"
)

// Locate implements index.Space: the nodes of each embedding, without those it skips. Of
// more than index.MaxLocated it gives the first in preorder.
func (s *Space) Locate(t *index.Tree, c index.Code, _ *index.Symbols) []index.Occurrence {
	f, ok := s.Unfold(c)
	if !ok {
		return nil
	}
	l := &locator{f: f, p: planter{s: s}, row: make([]int, len(f))}
	l.p.plan(t)
	l.findEnds()
	l.place(0, 0, len(l.p.label))
	// The preorder of tokens is not their order.
	slices.SortStableFunc(l.found, func(a, b located) int { return cmp.Compare(a.root, b.root) })
	sorted := make([]index.Occurrence, len(l.found))
	for i, f := range l.found {
		slices.Sort(f.nodes)
		sorted[i] = f.nodes
	}
	return sorted
}

// locator lays the nodes of a fragment on those of a tree, in preorder.
type locator struct {
	f []index.PreorderNode
	p planter
	// fits[k][i] says whether the k-th node of the fragment, with all below it, can be
	// laid on node i; ends[k][i] is the least end of a node from i on where it can, more
	// than there are nodes where there is none: nothing is begun that cannot be ended.
	fits  [][]bool
	ends  [][]int
	row   []int
	found []located
}

// located is an embedding.
type located struct {
	root  int32
	nodes index.Occurrence
}

func (l *locator) end(i int) int { return i + int(l.p.size[i]) }

func (l *locator) findEnds() {
	n := len(l.p.label)
	l.fits, l.ends = make([][]bool, len(l.f)), make([][]int, len(l.f))
	for k := len(l.f) - 1; k >= 0; k-- {
		fits, ends := make([]bool, n), make([]int, n+1)
		ends[n] = n + 1
		for i := n - 1; i >= 0; i-- {
			ends[i] = ends[i+1]
			if l.p.label[i] != l.f[k].Sym || !l.placeable(k+1, k+l.f[k].Size, i+1, l.end(i)) {
				continue
			}
			fits[i] = true
			ends[i] = min(ends[i], l.end(i))
		}
		l.fits[k], l.ends[k] = fits, ends
	}
}

// placeable says whether the siblings from the k-th node up to last-1 can be laid side by
// side on nodes from..to-1: each where it ends first.
func (l *locator) placeable(k, last, from, to int) bool {
	for ; k < last; k += l.f[k].Size {
		if from = l.ends[k][from]; from > to {
			return false
		}
	}
	return true
}

// place lays the nodes from the k-th on, the k-th on nodes from..to-1, in every way.
func (l *locator) place(k, from, to int) {
	for i := from; i < to && len(l.found) < index.MaxLocated; i++ {
		next := l.nextSibling(k)
		if !l.fits[k][i] || next > 0 && !l.placeable(next, l.lastSibling(k), l.end(i), to) {
			continue
		}
		l.row[k] = i
		switch {
		case k+1 == len(l.f):
			l.keep()
		case l.f[k].Size > 1:
			l.place(k+1, i+1, l.end(i))
		default:
			// On with the next sibling of this node, or of one above it.
			after := k + 1
			before := k
			for l.f[before].Parent != l.f[after].Parent {
				before = l.f[before].Parent
			}
			l.place(after, l.end(l.row[before]), l.end(l.row[l.f[after].Parent]))
		}
	}
}

// nextSibling is the node after the k-th one's subtree, 0 where it is no sibling.
func (l *locator) nextSibling(k int) int {
	next := k + l.f[k].Size
	if k == 0 || next == len(l.f) || l.f[next].Parent != l.f[k].Parent {
		return 0
	}
	return next
}

// lastSibling is where the siblings of the k-th node end.
func (l *locator) lastSibling(k int) int { return l.f[k].Parent + l.f[l.f[k].Parent].Size }

func (l *locator) keep() {
	o := make(index.Occurrence, len(l.row))
	for i, n := range l.row {
		o[i] = l.p.at[n]
	}
	l.found = append(l.found, located{o[0], o})
}
