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
	sym    uint32
	parent int // the arc of its head, -1 at the root
	right  bool
	kids   []int
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
		f.add(part{sym: st.Sym, parent: parent, right: s.rule == side && st.Off&1 == 1})
	}
	return f, len(f.arcs) > 0
}

// add appends an arc.
func (f *fragment) add(p part) {
	if n := len(f.arcs); p.parent < 0 {
		f.tops = append(f.tops, n)
	} else {
		f.arcs[p.parent].kids = append(f.arcs[p.parent].kids, n)
	}
	f.arcs = append(f.arcs, p)
}

// siblings are the arcs beside arc i, and itself.
func (f *fragment) siblings(i int) []int {
	if p := f.arcs[i].parent; p >= 0 {
		return f.arcs[p].kids
	}
	return f.tops
}

// steps returns the steps of these sibling arcs, whose head is at depth, and of
// what is below them, without arc skip, a leaf.
func (s *Space) steps(f *fragment, arcs []int, depth, skip int) []index.Step {
	var all [][]index.Step
	for _, i := range arcs {
		if i == skip {
			continue
		}
		one := []index.Step{{Off: s.offOf(depth, f.arcs[i].right), Sym: f.arcs[i].sym}}
		all = append(all, append(one, s.steps(f, f.arcs[i].kids, depth+1, skip)...))
	}
	if s.unordered {
		slices.SortFunc(all, func(a, b []index.Step) int { return -compareSteps(a, b) })
	}
	return slices.Concat(all...)
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
	return index.EncodeSteps(nil, s.steps(f, f.tops, 0, -1))
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
			add(s.steps(f, f.tops, 0, i))
		}
	}
	if len(f.tops) == 1 {
		add(s.steps(f, f.arcs[f.tops[0]].kids, 0, -1))
	}
	return dst
}

// atEnd says whether the siblings of arc i are what the rule allows without it.
func (s *Space) atEnd(f *fragment, i int) bool {
	if s.rule == anyChild {
		return true
	}
	run := f.siblings(i)
	k := slices.Index(run, i)
	end := func(k int) bool {
		return k < 0 || k == len(run) || s.rule == side && f.arcs[run[k]].right != f.arcs[i].right
	}
	return end(k-1) || end(k+1)
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
	if s.rule == side {
		for i := range f.arcs {
			if run := f.siblings(i); run[0] == i && !slices.IsSortedFunc(run, f.leftFirst) {
				return fmt.Errorf("code %x: a dependent left of its head after one right of it", []byte(c))
			}
		}
	}
	if s.unordered && string(s.code(f)) != string(c) {
		return fmt.Errorf("code %x: not canonical", []byte(c))
	}
	if s.labels != nil && !s.labels.agree(s, f, syms) {
		return fmt.Errorf("code %x: the features of its arcs do not fit together", []byte(c))
	}
	return nil
}

// leftFirst compares arcs by the side of their modifiers.
func (f *fragment) leftFirst(i, k int) int {
	switch a, b := f.arcs[i].right, f.arcs[k].right; {
	case a == b:
		return 0
	case b:
		return -1
	}
	return 1
}
