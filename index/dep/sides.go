package dep

import "fstore/index"

// maxTurned is how many arcs OtherSides turns at most: there are 2^n ways.
const maxTurned = 8

// OtherSides implements index.Sided.
func (s *Space) OtherSides(text string, syms *index.Symbols) (all []index.Code) {
	if !s.marksSide() || s.labels == nil {
		return nil
	}
	r := &reader{s: s, syms: syms, text: text}
	n, err := r.fragment()
	if err != nil {
		return nil
	}
	arcs := arcsOf(n)
	if arcs > maxTurned {
		return nil
	}
	for turned := uint(1); turned < 1<<arcs; turned++ {
		r, f, left := &reader{s: s, syms: syms}, &fragment{}, turned
		if err := r.resolve(f, turn(n, &left), -1); err == nil && !r.absent {
			all = append(all, s.code(f))
		}
	}
	return all
}

// arcsOf counts the arcs below a node.
func arcsOf(n *textNode) (arcs int) {
	for _, a := range n.kids {
		arcs += 1 + arcsOf(a.node)
	}
	return arcs
}

// turn returns a node with those of the arcs below it on the other side whose bit is set,
// the left ones first; it takes as many bits as there are arcs.
func turn(n *textNode, turned *uint) *textNode {
	var left, right []textArc
	for _, a := range n.kids {
		a.left = a.left != (*turned&1 == 1)
		*turned >>= 1
		a.node = turn(a.node, turned)
		if a.left {
			left = append(left, a)
		} else {
			right = append(right, a)
		}
	}
	return &textNode{name: n.name, group: n.group, kids: append(left, right...)}
}
