package pattern

import (
	"slices"

	"fstore/index"
	"fstore/index/glob"
)

// AppendInstance appends what the pattern is in a hit of t: its own text, with the names that the
// nodes have there.
func (p *Pattern) AppendInstance(dst []byte, t *index.Tree, row []int32, syms *index.Symbols) []byte {
	x := &instance{p, t, row, syms}
	if p.kind == index.Dependency {
		return x.arcs(dst, p.root)
	}
	return x.brackets(dst, p.root)
}

type instance struct {
	p    *Pattern
	t    *index.Tree
	row  []int32
	syms *index.Symbols
}

func (x *instance) brackets(dst []byte, n *node) []byte {
	k := &x.t.Nodes[x.row[n.number]]
	class := index.Labels
	if k.Word {
		class = index.Words
	}
	name := x.syms.Bytes(class, k.Sym)
	if n.word {
		return index.AppendEscaped(dst, name)
	}
	dst = index.AppendEscaped(append(dst, '('), name)
	for i, kid := range n.kids {
		if n.gaps[i] {
			dst = append(append(dst, ' '), glob.Rest...)
		}
		dst = x.brackets(append(dst, ' '), kid)
	}
	if len(n.kids) > 0 && n.gaps[len(n.kids)] {
		dst = append(append(dst, ' '), glob.Rest...)
	}
	return append(dst, ')')
}

func (x *instance) arcs(dst []byte, n *node) []byte {
	at := x.row[n.number]
	var lefts, rights []*node
	for _, k := range slices.Concat(n.kids, n.free) {
		if x.row[k.number] < at {
			lefts = append(lefts, k)
		} else {
			rights = append(rights, k)
		}
	}
	for _, k := range x.inOrder(lefts) {
		dst = append(x.dependent(dst, k), " <"...)
		dst = append(x.relation(dst, k), ' ')
	}
	dst = index.AppendEscapedWith(dst, x.syms.Bytes(index.Words, x.t.Tokens[at].UPOS), arcSpecial)
	for _, k := range x.inOrder(rights) {
		dst = x.relation(append(dst, " >"...), k)
		dst = x.dependent(append(dst, ' '), k)
	}
	return dst
}

func (x *instance) inOrder(nodes []*node) []*node {
	slices.SortFunc(nodes, func(a, b *node) int { return int(x.row[a.number] - x.row[b.number]) })
	return nodes
}

func (x *instance) relation(dst []byte, n *node) []byte {
	return index.AppendEscapedWith(dst, x.syms.Bytes(index.Words, x.t.Tokens[x.row[n.number]].Rel), arcSpecial)
}

func (x *instance) dependent(dst []byte, n *node) []byte {
	if len(n.kids)+len(n.free) == 0 {
		return x.arcs(dst, n)
	}
	return append(x.arcs(append(dst, '('), n), ')')
}
