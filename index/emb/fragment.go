package emb

import "fstore/index"

// fragment is a code taken apart: nodes in preorder.
type fragment []node

type node struct {
	label  index.Child
	depth  int
	parent int // -1 the root's
	size   int // nodes in the subtree, this one included
	kids   int
}

// unfold takes a code apart; ok is false where it is not that of a tree.
func unfold(c index.Code) (f fragment, ok bool) {
	var path []int
	for len(c) > 0 {
		st, rest, ok := c.Next()
		n := node{label: index.UnpackChild(st.Sym), depth: int(st.Off), parent: -1, size: 1}
		if !ok || n.depth > len(path) || (n.depth == 0) != (len(f) == 0) {
			return nil, false
		}
		if n.depth > 0 {
			n.parent = path[n.depth-1]
			f[n.parent].kids++
		}
		path = append(path[:n.depth], len(f))
		f = append(f, n)
		c = rest
	}
	for i := len(f) - 1; i > 0; i-- {
		f[f[i].parent].size += f[i].size
	}
	return f, len(f) > 0
}

// code returns the code.
func (f fragment) code() (c index.Code) {
	for i := range f {
		c = index.AppendStep(c, index.Step{Off: uint32(f[i].depth), Sym: f[i].label.Packed()})
	}
	return c
}

// Parts implements index.Space: a fragment without one of its nodes, whose children its
// parent takes over. The root can go where it has one child.
func (s *Space) Parts(dst []index.Code, c index.Code, _ *index.Symbols) []index.Code {
	f, ok := unfold(c)
	if !ok || len(f) < 2 {
		return dst
	}
	first := len(dst)
	for i := range f {
		if i == 0 && f[0].kids > 1 {
			continue
		}
		part := make(fragment, 0, len(f)-1)
		for k, n := range f {
			if k > i && k < i+f[i].size {
				n.depth--
			}
			if k != i {
				part = append(part, n)
			}
		}
		dst = index.AppendPart(dst, first, part.code())
	}
	return dst
}
