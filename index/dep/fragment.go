package dep

import (
	"fmt"
	"slices"

	"fstore/index"
)

// fragment is a code unfolded: arcs in preorder.
type fragment struct {
	arcs []part
	tops []int // the arcs of the root
}

// part is one arc.
type part struct {
	sym          uint32
	parent       int // the arc of its head, -1 at the root
	before, next int // the siblings beside it, -1
	right        bool
	kids         []int
}

// unfold returns the arcs of a code; ok is false where it is none.
func (s *Space) unfold(c index.Code) (f *fragment, ok bool) {
	f = &fragment{}
	var path []int
	for len(c) > 0 {
		st, rest, ok := c.Next()
		depth := s.depthOf(st.Off)
		if !ok || uint64(depth) > uint64(len(path)) {
			return nil, false
		}
		c = rest
		parent := -1
		if depth > 0 {
			parent = path[depth-1]
		}
		path = append(path[:depth], len(f.arcs))
		f.add(st.Sym, parent, s.rule == side && st.Off&1 == 1)
	}
	return f, len(f.arcs) > 0
}

// add appends an arc, the last of its head.
func (f *fragment) add(sym uint32, parent int, right bool) {
	run := &f.tops
	if parent >= 0 {
		run = &f.arcs[parent].kids
	}
	p := part{sym: sym, parent: parent, before: -1, next: -1, right: right}
	if n := len(*run); n > 0 {
		p.before = (*run)[n-1]
		f.arcs[p.before].next = len(f.arcs)
	}
	*run = append(*run, len(f.arcs))
	f.arcs = append(f.arcs, p)
}

// appendSteps appends the steps of these sibling arcs, whose head is at depth, and
// of what is below them, without arc skip, a leaf.
func (s *Space) appendSteps(dst []index.Step, f *fragment, arcs []int, depth, skip int) []index.Step {
	first := len(dst)
	var ends []int
	for _, i := range arcs {
		if i == skip {
			continue
		}
		dst = append(dst, index.Step{Off: s.offOf(depth, f.arcs[i].right), Sym: f.arcs[i].sym})
		dst = s.appendSteps(dst, f, f.arcs[i].kids, depth+1, skip)
		ends = append(ends, len(dst))
	}
	if s.unordered && len(ends) > 1 {
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
	return index.EncodeSteps(nil, s.appendSteps(nil, f, f.tops, 0, -1))
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
		if len(f.arcs[i].kids) == 0 && s.atEnd(f, i) {
			add(s.appendSteps(nil, f, f.tops, 0, i))
		}
	}
	if len(f.tops) == 1 {
		add(s.appendSteps(nil, f, f.arcs[f.tops[0]].kids, 0, -1))
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
	for i := range f.arcs {
		if t, _ := s.decode(f.arcs[i].sym, syms, nil); t == nil {
			return fmt.Errorf("code %x: %d is no feature of the space", []byte(c), f.arcs[i].sym)
		}
	}
	for i := range f.arcs {
		p := &f.arcs[i]
		if s.rule == side && p.before >= 0 && f.arcs[p.before].right && !p.right {
			return fmt.Errorf("code %x: a dependent left of its head after one right of it", []byte(c))
		}
	}
	if s.unordered && !s.descend(c, f) {
		return fmt.Errorf("code %x: not canonical", []byte(c))
	}
	if s.labels != nil && !s.labels.agree(s, f, syms) {
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
		if n := len(p.kids); n > 0 {
			end[i] = end[p.kids[n-1]]
		}
		if p.next >= 0 && compareSteps(steps[i:p.next], steps[p.next:end[p.next]]) < 0 {
			return false
		}
	}
	return true
}
