package stk

import (
	"cmp"
	"encoding/binary"
	"slices"

	"fstore/index"
	"fstore/index/internal/treekernel"
)

// Merged is many trees as one directed acyclic graph, in which equal subtrees are one node (Pighin &
// Moschitti 2010; index/README.md, "Growth"). Its nodes are the components of index.Merged, with parents
// before children.
type Merged struct {
	index.Multisets
	nodes treekernel.Tree // a child without a production is Childless
	flat  []bool          // as in Prepared
	depth int             // the largest depth of fragments; 0 is any
}

// Merge returns the graph of trees.
func Merge(trees []*Prepared) *Merged {
	m := &Merged{}
	g := graph{kid: []uint32{0}}
	var nodes index.Table // the nodes of the graph, by production and children
	var key []byte
	var number []int32 // for each node of a tree: its number in the graph
	for _, t := range trees {
		number = slices.Grow(number[:0], len(t.Sym))[:len(t.Sym)]
		for i := len(t.Sym) - 1; i >= 0; i-- { // children come after their parents
			kids := t.Kids(int32(i))
			key = binary.AppendUvarint(key[:0], uint64(t.Sym[i]))
			for _, k := range kids {
				if k >= 0 {
					k = number[k]
				}
				key = binary.AppendVarint(key, int64(k))
			}
			id, isNew := nodes.Intern(key)
			number[i] = int32(id - 1)
			if isNew {
				g.add(t.Sym[i], kids, number)
			}
		}
		slices.SortFunc(number, func(a, b int32) int { return cmp.Compare(b, a) })
		for _, c := range number {
			m.Add(uint32(c), 1)
		}
		m.End()
	}
	m.nodes = g.reversed()
	m.flat = flat(&m.nodes)
	for i, c := range m.Component {
		m.Component[i] = uint32(len(g.prod)) - 1 - c
	}
	return m
}

// graph is a Merged under construction: its nodes, leaves first.
type graph struct {
	prod []uint32 // the production of each node
	kid  []uint32 // the nonterminal children of i are kids[kid[i]:kid[i+1]]
	kids []int32
}

// add appends a node to the graph, from its production and its children in a tree. nodeOf[k] is the graph's
// node for node k of the tree.
func (g *graph) add(prod uint32, kids, nodeOf []int32) {
	g.prod = append(g.prod, prod)
	for _, k := range kids {
		if k >= 0 {
			k = nodeOf[k]
		}
		g.kids = append(g.kids, k)
	}
	g.kid = append(g.kid, uint32(len(g.kids)))
}

// reversed returns the nodes in reverse order, so that children come after their parents.
func (g *graph) reversed() treekernel.Tree {
	last := len(g.prod) - 1
	kid, kids := make([]uint32, 1, len(g.kid)), make([]int32, 0, len(g.kids))
	for i := last; i >= 0; i-- {
		for _, k := range g.kids[g.kid[i]:g.kid[i+1]] {
			if k >= 0 {
				k = int32(last) - k
			}
			kids = append(kids, k)
		}
		kid = append(kid, uint32(len(kids)))
	}
	slices.Reverse(g.prod)
	return treekernel.New(g.prod, kid, kids)
}

// Items implements index.Growable.
func (m *Merged) Items(s *index.Symbols, _ index.Limits, tally *index.Tally) index.Items {
	it := &Items{}
	m.Fill(it, s, tally)
	return it
}

// Fill adds the nodes of m to empty Items, and tallies them.
func (m *Merged) Fill(it *Items, s *index.Symbols, tally *index.Tally) {
	it.Symbols, it.MaxDepth = s, m.depth
	it.Prod = slices.Clone(m.nodes.Sym)
	for i, p := range it.Prod {
		it.Sample, it.Kid = append(it.Sample, uint32(i)), append(it.Kid, uint32(len(it.Kids)))
		it.Kids = append(it.Kids, m.nodes.Kids(int32(i))...)
		tally.Add(index.Step{Sym: p}, uint32(i))
	}
}

// Merge implements index.Merging.
func (k *DeltaKernel) Merge(prepared []any) index.Merged {
	trees := make([]*Prepared, len(prepared))
	for i, p := range prepared {
		trees[i] = p.(*Prepared)
	}
	m := Merge(trees)
	m.depth = k.Depth
	return m
}

// Sums implements index.Merging.
func (k *DeltaKernel) Sums(dst []float64, m index.Merged, x any) {
	k.SumAll(dst, m.(*Merged), x.(*Prepared))
}

// SumAll sums C(d, n) (see DeltaKernel) over all nodes n of x. It sets dst[d] to the sum for node d of m.
func (k *DeltaKernel) SumAll(dst []float64, m *Merged, x *Prepared) {
	clear(dst)
	k.group, _ = x.Match(k.group[:0], &m.nodes)
	k.small.Pairs(&x.Tree, &m.nodes, k.group, func(n, g int32, with []int32) {
		if x.flat[x.Of[n]] && m.flat[g] {
			for _, d := range with {
				dst[d] += k.Lambda
			}
			return
		}
		k.add(0, dst, &x.Tree, &m.nodes, n, with)
	})
}

// Pairs implements index.Pairing. It computes each C (see DeltaKernel) anew, which is quick.
func (k *DeltaKernel) Pairs(a, b index.Merged, wanted []bool, f func(x, y uint32, c float64)) {
	m, n := a.(*Merged), b.(*Merged)
	match, _ := m.nodes.Match(nil, &n.nodes)
	for x, p := range m.nodes.Of {
		g := match[p]
		if g < 0 {
			continue
		}
		flat := m.flat[p] && n.flat[g]
		for _, y := range n.nodes.With(g) {
			switch {
			case !wanted[y]:
			case flat:
				f(uint32(x), uint32(y), k.Lambda)
			default:
				f(uint32(x), uint32(y), k.pair(&m.nodes, &n.nodes, int32(x), y, k.Depth))
			}
		}
	}
}

// pair returns C(x, y) (see DeltaKernel) of node x of m and node y of n, which have the same production. A
// depth of 0 means no limit.
func (k *DeltaKernel) pair(m, n *treekernel.Tree, x, y int32, depth int) float64 {
	c := k.Lambda
	if depth == 1 {
		return c
	}
	others := n.Kids(y)
	for i, v := range m.Kids(x) {
		w := others[i]
		if v < 0 || w < 0 || m.Sym[v] != n.Sym[w] {
			if k.Whole && (v >= 0 || w >= 0) {
				return 0
			}
			continue
		}
		d := k.pair(m, n, v, w, depth-1)
		if !k.Whole {
			d++
		}
		c = float64(c * d) // rounded, not fused with a sum
	}
	return c
}
