package dep

import (
	"fmt"
	"slices"

	"fstore/index"
)

// fragment is a code unfolded: arcs in preorder. The arcs of a head are linked.
type fragment struct{ arcs []part }

// part is one arc.
type part struct {
	sym          uint32
	parent       int // the arc of its head, -1 at the root
	before, next int // the siblings beside it, -1
	first, last  int // the arcs of its modifier, -1
	right        bool
}

// unfold returns the arcs of a code; ok is false where it is none.
func (s *Space) unfold(c index.Code) (f fragment, ok bool) {
	var mem [16]int // listings unfold millions
	path := mem[:0]
	f.arcs = make([]part, 0, 8)
	for len(c) > 0 {
		st, rest, ok := c.Next()
		depth := s.depthOf(st.Off)
		if !ok || uint64(depth) > uint64(len(path)) {
			return f, false
		}
		c = rest
		parent, before := -1, -1
		if depth > 0 {
			parent = path[depth-1]
		}
		if int(depth) < len(path) {
			before = path[depth]
		}
		path = append(path[:depth], len(f.arcs))
		f.add(st.Sym, parent, before, s.rule == side && st.Off&1 == 1)
	}
	return f, len(f.arcs) > 0
}

// add appends an arc, the last of its head; before is the one before it, -1.
func (f *fragment) add(sym uint32, parent, before int, right bool) {
	n := len(f.arcs)
	if before >= 0 {
		f.arcs[before].next = n
	}
	if parent >= 0 {
		if before < 0 {
			f.arcs[parent].first = n
		}
		f.arcs[parent].last = n
	}
	f.arcs = append(f.arcs, part{sym: sym, parent: parent, before: before, next: -1, first: -1, last: -1, right: right})
}

// appendSteps appends the steps of arc i and the siblings after it, whose head is at
// depth, and of what is below them, without arc skip, a leaf.
func (s *Space) appendSteps(dst []index.Step, f *fragment, i, depth, skip int) []index.Step {
	first := len(dst)
	var ends []int
	for ; i >= 0; i = f.arcs[i].next {
		if i == skip {
			continue
		}
		dst = append(dst, index.Step{Off: s.offOf(depth, f.arcs[i].right), Sym: f.arcs[i].sym})
		dst = s.appendSteps(dst, f, f.arcs[i].first, depth+1, skip)
		if s.unordered {
			ends = append(ends, len(dst))
		}
	}
	if len(ends) < 2 {
		return dst
	}
	all := slices.Clone(dst[first:])
	runs := make([][]index.Step, len(ends))
	from := 0
	for k, end := range ends {
		runs[k] = all[from : end-first]
		from = end - first
	}
	slices.SortFunc(runs, func(a, b []index.Step) int { return -compareSteps(a, b) })
	dst = dst[:first]
	for _, r := range runs {
		dst = append(dst, r...)
	}
	return dst
}

// compareSteps compares the steps of sibling subtrees: a prefix is less.
func compareSteps(a, b []index.Step) int {
	return slices.CompareFunc(a, b, func(x, y index.Step) int {
		switch x, y := x.Packed(), y.Packed(); {
		case x < y:
			return -1
		case x > y:
			return 1
		}
		return 0
	})
}

// code is the canonical code of f.
func (s *Space) code(f *fragment) index.Code {
	return index.EncodeSteps(nil, s.appendSteps(nil, f, 0, 0, -1))
}

// Parts appends c without one leaf, for each that may go: under the rule any each,
// else the first and the last of a run of siblings; and c without the arc from its
// root to an only child.
func (s *Space) Parts(dst []index.Code, c index.Code, _ *index.Symbols) []index.Code {
	f, ok := s.unfold(c)
	if !ok || len(f.arcs) < 2 {
		return dst
	}
	first := len(dst)
	add := func(steps []index.Step) {
		p := index.EncodeSteps(nil, steps)
		for _, q := range dst[first:] {
			if string(q) == string(p) {
				return
			}
		}
		dst = append(dst, p)
	}
	for i := range f.arcs {
		switch {
		case f.arcs[i].first >= 0 || !s.atEnd(&f, i):
		case i == 0:
			add(s.appendSteps(nil, &f, f.arcs[0].next, 0, -1))
		default:
			add(s.appendSteps(nil, &f, 0, 0, i))
		}
	}
	if f.arcs[0].next < 0 {
		add(s.appendSteps(nil, &f, f.arcs[0].first, 0, -1))
	}
	return dst
}

// atEnd says whether the siblings of arc i are what the rule allows without it.
func (s *Space) atEnd(f *fragment, i int) bool {
	beside := func(k int) bool {
		return k >= 0 && (s.rule != side || f.arcs[k].right == f.arcs[i].right)
	}
	return s.rule == anyChild || !beside(f.arcs[i].before) || !beside(f.arcs[i].next)
}

// Check implements index.Space.
func (s *Space) Check(c index.Code, syms *index.Symbols) error {
	f, ok := s.unfold(c)
	if !ok {
		return fmt.Errorf("code %x: not the arcs of a fragment", []byte(c))
	}
	features, bad := s.features(&f, syms)
	if bad >= 0 {
		return fmt.Errorf("code %x: %d is no feature of the space", []byte(c), f.arcs[bad].sym)
	}
	for i := range f.arcs {
		p := &f.arcs[i]
		if s.rule == side && p.before >= 0 && f.arcs[p.before].right && !p.right {
			return fmt.Errorf("code %x: a dependent left of its head after one right of it", []byte(c))
		}
	}
	if s.unordered && !s.descend(c, &f) {
		return fmt.Errorf("code %x: not canonical", []byte(c))
	}
	if s.labels != nil && !s.labels.agree(s, &f, features) {
		return fmt.Errorf("code %x: the features of its arcs do not fit together", []byte(c))
	}
	return nil
}

// descend says whether siblings descend, with what is below them, in the code c of f.
func (s *Space) descend(c index.Code, f *fragment) bool {
	steps, _ := c.Steps(nil)
	end := make([]int, len(f.arcs)) // of the subtree of each arc, in preorder
	for i := len(f.arcs) - 1; i >= 0; i-- {
		p := &f.arcs[i]
		end[i] = i + 1
		if p.last >= 0 {
			end[i] = end[p.last]
		}
		if p.next >= 0 && compareSteps(steps[i:p.next], steps[p.next:end[p.next]]) < 0 {
			return false
		}
	}
	return true
}

// feature is a feature taken apart.
type feature struct {
	t      *template
	values []uint32
}

// features returns those of the arcs; bad is the first arc whose symbol is none of
// the space, -1.
func (s *Space) features(f *fragment, syms *index.Symbols) (all []feature, bad int) {
	all = make([]feature, len(f.arcs))
	values := make([]uint32, 0, len(f.arcs)*s.width)
	for i := range f.arcs {
		from := len(values)
		all[i].t, values = s.decode(f.arcs[i].sym, syms, values)
		if all[i].t == nil {
			return nil, i
		}
		all[i].values = values[from:len(values):len(values)]
	}
	return all, -1
}
