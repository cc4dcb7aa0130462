package dep

import (
	"cmp"
	"slices"
	"strings"

	"fstore/index"
)

// Locate implements index.Space. An occurrence is the tokens of an embedding, ascending, without the
// artificial root.
func (s *Space) Locate(t *index.Tree, c index.Code, syms *index.Symbols) []index.Occurrence {
	var f fragment
	if !f.unfold(s, c) {
		return nil
	}
	p := s.planter()
	defer s.planters.Put(p)
	l := &locator{s: s, f: &f, row: make([]int32, len(f.arcs))}
	p.keys.know(s, syms, false)
	l.forest.layOut(t, p, func(key []byte) uint32 { return syms.Lookup(index.Features, key) })
	l.place(0)
	found := make([]index.Occurrence, len(l.found))
	slices.SortStableFunc(l.found, func(a, b []int32) int {
		return cmp.Compare(t.Tokens[p.order[a[0]]].Head, t.Tokens[p.order[b[0]]].Head)
	})
	for i, row := range l.found {
		o := index.Occurrence{}
		if h := t.Tokens[p.order[row[0]]].Head; h > 0 {
			o = append(o, h-1)
		}
		for _, a := range row {
			o = append(o, p.order[a])
		}
		slices.Sort(o)
		found[i] = o
	}
	return found
}

// locator lays the arcs of a fragment on the arcs of a tree, in preorder.
type locator struct {
	s      *Space
	f      *fragment
	forest forest
	row    []int32
	found  [][]int32
}

// equal says whether two arcs of the fragment are alike, with all arcs below them.
func (l *locator) equal(i, k int) bool {
	if l.f.arcs[i].sym != l.f.arcs[k].sym || l.f.arcs[i].word != l.f.arcs[k].word {
		return false
	}
	i, k = l.f.arcs[i].first, l.f.arcs[k].first
	for ; i >= 0 && k >= 0; i, k = l.f.arcs[i].next, l.f.arcs[k].next {
		if !l.equal(i, k) {
			return false
		}
	}
	return i < 0 && k < 0
}

// place lays arc i and the later arcs of the fragment on the tree, and adds each result to l.found.
func (l *locator) place(i int) {
	if i == len(l.row) {
		l.found = append(l.found, slices.Clone(l.row))
		return
	}
	from, to := l.family(i)
	for a := from; a < to && len(l.found) < index.MaxLocated; a++ {
		if l.fits(i, a) {
			l.row[i] = a
			l.place(i + 1)
		}
	}
}

// family returns the arcs [from, to) of the tree that may be arc i of the fragment.
func (l *locator) family(i int) (from, to int32) {
	arcs := l.forest.arcs
	switch p := l.f.arcs[i].parent; {
	case i == 0:
		return 0, int32(l.forest.len())
	case p < 0:
		first := &arcs[l.row[0]]
		return int32(first.begin), int32(first.end)
	default:
		return int32(arcs[l.row[p]].kid), int32(arcs[l.row[p]].kidEnd)
	}
}

// fits says whether arc i can be laid on arc a of the tree, if the arcs before i are laid already.
func (l *locator) fits(i int, a int32) bool {
	if !slices.Contains(l.forest.featsOf(a), l.f.arcs[i].sym) {
		return false
	}
	if w := l.f.arcs[i].word; w != 0 && l.forest.words[a][1] != w {
		return false
	}
	if w := l.f.word; w != 0 && i == 0 && l.forest.words[a][0] != w {
		return false
	}
	right := uint32(a) >= l.forest.arcs[a].mid
	if l.s.rule == side && right != l.f.arcs[i].right {
		return false
	}
	b := l.f.arcs[i].before
	if b < 0 {
		return true
	}
	if !l.near(b, a) {
		return false
	}
	if l.s.unordered {
		if a < l.row[b] && l.equal(b, i) { // equal siblings count once: with ascending arcs
			return false
		}
		for ; b >= 0; b = l.f.arcs[b].before {
			if l.row[b] == a {
				return false
			}
		}
		return true
	}
	switch last := l.row[b]; {
	case l.s.rule == anyChild:
		return a > last
	case l.s.rule == side && l.f.arcs[b].right != right:
		return true // the first dependent on the right
	default:
		return a == last+1
	}
}

// near says whether max-span allows arc `a` of the tree for the sibling after arc b of the fragment.
func (l *locator) near(b int, a int32) bool {
	if l.s.maxSpan == 0 {
		return true
	}
	first, last := a, a
	for ; b >= 0; b = l.f.arcs[b].before {
		first, last = min(first, l.row[b]), max(last, l.row[b])
	}
	return uint32(last-first) < l.s.maxSpan
}

// Implied implements index.Implying, for spaces that name nodes by UPOS and arcs by relations, as patterns
// do.
func (s *Space) Implied() (im index.Implied, ok bool) {
	if !slices.Equal(s.LabelFields(), []string{index.UPOS.String()}) || s.labels.rel < 0 || s.rootArcs {
		return im, false
	}
	id := s.ID()
	return index.Implied{
		Same:     id == "dep" || strings.HasPrefix(id, "dep:max-span=") && !strings.Contains(id, ","),
		Sides:    s.Sides(),
		Siblings: s.rule == anyChild,
		Spanned:  s.maxSpan > 0,
	}, true
}
