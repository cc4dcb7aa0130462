package pattern

import (
	"slices"

	"fstore/index"
)

// AppendInstance appends a hit as a fragment, with the names of its nodes in t. In a constituency tree, a
// node that has children in the pattern gets all its children in t.
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

// brackets appends node n of the pattern. If n has children in the pattern, it also appends all its children
// in the tree.
func (x *instance) brackets(dst []byte, n *node) []byte {
	at := x.row[n.number]
	if len(n.kids) == 0 {
		return x.name(dst, at, !n.word)
	}
	dst = x.name(dst, at, true)
	dst = dst[:len(dst)-1]
	kids := n.kids
	for c := at + 1; c < at+x.t.Nodes[at].Size; c += x.t.Nodes[c].Size {
		dst = append(dst, ' ')
		if len(kids) > 0 && x.row[kids[0].number] == c {
			dst = x.brackets(dst, kids[0])
			kids = kids[1:]
		} else {
			dst = x.name(dst, c, !x.t.Nodes[c].Word)
		}
	}
	return append(dst, ')')
}

// name appends the name of node i of the tree, without its children.
func (x *instance) name(dst []byte, i int32, brackets bool) []byte {
	c := x.t.Nodes[i].Child()
	name := x.syms.Bytes(c.Class(), c.Sym)
	if !brackets {
		return index.AppendEscaped(dst, name)
	}
	return append(index.AppendEscaped(append(dst, '('), name), ')')
}

func (x *instance) arcs(dst []byte, n *node) []byte {
	at := x.row[n.number]
	var lefts, rights []*node
	for _, k := range n.children() {
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
