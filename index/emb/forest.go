package emb

import (
	"fstore/index"
	"fstore/index/internal/growth"
)

// nodes are the nodes of samples, each sample in preorder. The nodes below node i have the indexes [i+1,
// end).
type nodes []treeNode

type treeNode struct {
	num    uint32 // number of its symbol; 0 if it has none
	end    uint32
	parent int32 // -1 if the list does not have the parent
	sample uint32
}

// invert puts the nodes of each symbol into `with`, ascending. The numbers of symbols are below n.
func (all nodes) invert(with *growth.Inverted[uint32], n int) {
	with.Fill(n, func() {
		for i := range all {
			with.Put(all[i].num, uint32(i))
		}
	})
}

// planter lays out the nodes of one tree at a time, and reuses its memory.
type planter struct {
	s *Space
	index.PlacedNodes
	deps index.Dependents
	open []visit
}

// visit is a token on the way down. `node` is the index of its node, and `done` counts its visited
// dependents.
type visit struct{ token, node, done int32 }

func (p *planter) plan(t *index.Tree) {
	p.Label, p.Size, p.At = p.Label[:0], p.Size[:0], p.At[:0]
	if t.Kind == index.Dependency {
		p.tokens(t)
		return
	}
	for i := range t.Nodes {
		n := &t.Nodes[i]
		p.add(n.Child(), n.Size, int32(i))
	}
}

func (p *planter) add(label index.Child, size, at int32) {
	p.Label, p.Size, p.At = append(p.Label, label.Packed()), append(p.Size, size), append(p.At, at)
}

// tokens lays out the nodes of a dependency tree without cycles.
func (p *planter) tokens(t *index.Tree) {
	p.deps.Fill(t)
	p.open = append(p.open[:0], visit{token: -1, node: -1})
	for len(p.open) > 0 {
		v := &p.open[len(p.open)-1]
		if deps := p.deps.Of(v.token); int(v.done) < len(deps) {
			k := deps[v.done]
			v.done++
			p.open = append(p.open, visit{token: k, node: int32(len(p.Label))})
			p.add(index.Child{Sym: p.s.unit.Of(&t.Tokens[k]), Word: true}, 1, k)
			continue
		}
		if v.node >= 0 {
			p.Size[v.node] = int32(len(p.Label)) - v.node
		}
		p.open = p.open[:len(p.open)-1]
	}
}

// appendTo appends node i of the tree that p has laid out, and all nodes below it. numberOf returns the
// number of a label.
func (p *planter) appendTo(dst nodes, i int, sample uint32, numberOf func(label uint32) uint32) nodes {
	base := len(dst) - i
	for k := i; k < i+int(p.Size[i]); k++ {
		num := uint32(0)
		if p.Label[k] != 0 && numberOf != nil {
			num = numberOf(p.Label[k])
		}
		dst = append(dst, treeNode{num: num, end: uint32(base + k + int(p.Size[k])), parent: -1, sample: sample})
	}
	// In preorder, the parent of a node is the last node before it whose subtree contains it.
	for k := len(dst) - 1; k >= base+i; k-- {
		for c := k + 1; c < int(dst[k].end); c = int(dst[c].end) {
			dst[c].parent = int32(k)
		}
	}
	return dst
}

// Locate implements index.Space. An occurrence has the nodes of an embedding, without the skipped nodes.
func (s *Space) Locate(t *index.Tree, c index.Code, _ *index.Symbols) []index.Occurrence {
	p := planter{s: s}
	p.plan(t)
	return s.LocateIn(p.PlacedNodes, c, false)
}
