package stk

import (
	"cmp"
	"encoding/binary"
	"slices"

	"fstore/index"
)

// Merged is many trees as one directed acyclic graph: subtrees that are the same are
// one node (Pighin & Moschitti 2010 evaluate a model's support vectors so;
// index/README.md, "Growth"). Its nodes are the components that index.Merged speaks of, and
// children have larger numbers than their parents.
type Merged struct {
	prod   []uint32 // of each node
	kid    []uint32 // the nonterminal children of i are kids[kid[i]:kid[i+1]]
	kids   []int32  // node numbers, or Childless
	rank   []uint32 // the place of each node among those with its production
	byProd []uint32
	end    []uint32 // byProd[end[p-1]:end[p]] have production p; end[0] = 0
	flat   []bool   // no node with production p has an expanded child

	tree       []uint32 // tree i has components[tree[i]:tree[i+1]]
	components []uint32
	counts     []uint32

	depth int // of fragments at most; 0 is any
}

// Merge merges trees.
func Merge(trees []*Prepared) *Merged {
	m := &Merged{kid: []uint32{0}, tree: []uint32{0}}
	var nodes index.Table // by production and children
	var key []byte
	var number []int32 // of each node of a tree
	for _, t := range trees {
		number = slices.Grow(number[:0], len(t.Sym))[:len(t.Sym)]
		from := len(m.components)
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
				m.add(t.Sym[i], kids, number)
			}
			m.components = append(m.components, id-1)
		}
		m.countFrom(from)
		m.tree = append(m.tree, uint32(len(m.components)))
	}
	m.reverse()
	m.seal()
	return m
}

// add appends a node, whose children are those of a tree's node.
func (m *Merged) add(prod uint32, kids, number []int32) {
	m.prod = append(m.prod, prod)
	for _, k := range kids {
		if k >= 0 {
			k = number[k]
		}
		m.kids = append(m.kids, k)
	}
	m.kid = append(m.kid, uint32(len(m.kids)))
}

// countFrom makes the components of the last tree, which begin at from, descend, each
// once with its count.
func (m *Merged) countFrom(from int) {
	all := m.components[from:]
	slices.SortFunc(all, func(a, b uint32) int { return cmp.Compare(b, a) })
	n := 0
	for i, c := range all {
		if i == 0 || c != all[n-1] {
			all[n] = c
			m.counts = append(m.counts, 0)
			n++
		}
		m.counts[len(m.counts)-1]++
	}
	m.components = m.components[:from+n]
}

// reverse numbers the nodes, found from the leaves up, the other way round.
func (m *Merged) reverse() {
	last := len(m.prod) - 1
	kid, kids := make([]uint32, 1, len(m.kid)), make([]int32, 0, len(m.kids))
	for i := last; i >= 0; i-- {
		for _, k := range m.kids[m.kid[i]:m.kid[i+1]] {
			if k >= 0 {
				k = int32(last) - k
			}
			kids = append(kids, k)
		}
		kid = append(kid, uint32(len(kids)))
	}
	m.kid, m.kids = kid, kids
	slices.Reverse(m.prod)
	for i, c := range m.components {
		m.components[i] = uint32(last) - c
	}
}

// seal groups the nodes by production.
func (m *Merged) seal() {
	last := uint32(0)
	for _, p := range m.prod {
		last = max(last, p)
	}
	m.end = make([]uint32, last+1)
	m.flat = make([]bool, last+1)
	m.rank = make([]uint32, len(m.prod))
	m.byProd = make([]uint32, len(m.prod))
	for i, p := range m.prod {
		m.rank[i] = m.end[p]
		m.end[p]++
	}
	for p := uint32(1); p <= last; p++ {
		m.end[p] += m.end[p-1]
		m.flat[p] = true
	}
	for i, p := range m.prod {
		m.byProd[from(m.end, int(p))+m.rank[i]] = uint32(i)
		for _, k := range m.kids[m.kid[i]:m.kid[i+1]] {
			m.flat[p] = m.flat[p] && k < 0
		}
	}
}

// Items implements index.Growable.
func (m *Merged) Items(s *index.Symbols, _ index.Limits, tally *index.Tally) index.Items {
	it := &Items{}
	m.Fill(it, s, tally)
	return it
}

// Fill makes the nodes the items of it, which is empty.
func (m *Merged) Fill(it *Items, s *index.Symbols, tally *index.Tally) {
	it.Symbols, it.MaxDepth = s, m.depth
	it.Prod, it.Kids = slices.Clone(m.prod), slices.Clone(m.kids)
	it.Kid = slices.Clone(m.kid[:len(m.prod)])
	it.Sample = make([]uint32, len(m.prod))
	for i, p := range m.prod {
		it.Sample[i] = uint32(i)
		tally.Add(index.Step{Sym: p}, uint32(i))
	}
}

func from(ends []uint32, k int) uint32 {
	if k == 0 {
		return 0
	}
	return ends[k-1]
}

// with returns the nodes with a production, ascending.
func (m *Merged) with(prod uint32) []uint32 {
	if uint64(prod) >= uint64(len(m.end)) {
		return nil
	}
	return m.byProd[from(m.end, int(prod)):m.end[prod]]
}

// Components implements index.Merged: the number of distinct subtrees.
func (m *Merged) Components() int { return len(m.prod) }

// Of implements index.Merged.
func (m *Merged) Of(i int) (components, counts []uint32) {
	a, b := m.tree[i], m.tree[i+1]
	return m.components[a:b], m.counts[a:b]
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

// SumAll sets dst[d] to Σ C(d, n) over the nodes n of x, for each node d of m.
func (k *DeltaKernel) SumAll(dst []float64, m *Merged, x *Prepared) {
	clear(dst)
	k.small.Begin(len(x.Sym))
	for n := int32(len(x.Sym)) - 1; n >= 0; n-- {
		switch with := m.with(x.Sym[n]); {
		case len(with) == 0:
		case x.flat[x.Of[n]] && m.flat[x.Sym[n]]:
			for _, d := range with {
				dst[d] += k.Lambda
			}
		default:
			k.against(dst, m, x, n, with)
		}
		k.small.Done(&x.Tree, n)
	}
}

// against adds C(d, n) for the nodes d of m that have n's production, and keeps it for
// the parent of n.
func (k *DeltaKernel) against(dst []float64, m *Merged, x *Prepared, n int32, with []uint32) {
	levels := k.levels()
	row, kids, at := k.small.Take(n, len(with)*levels), x.Kids(n), 0
	for _, d := range with {
		var c float64
		others := m.kids[m.kid[d]:m.kid[d+1]]
		for level := range levels {
			c = k.Lambda
			for i, z := range k.below(kids, level) {
				y := others[i]
				if y < 0 || z < 0 || m.prod[y] != x.Sym[z] {
					if k.Whole && (y >= 0 || z >= 0) {
						c = 0
					}
					continue
				}
				v := k.Lambda
				if r := k.small.Of[z]; r != nil {
					v = r[int(m.rank[y])*levels+max(level-1, 0)]
				}
				if !k.Whole {
					v++
				}
				c = float64(c * v) // never fused with the sum below
			}
			row[at] = c
			at++
		}
		dst[d] += c
	}
}

// Pairs implements index.Pairing. C is not kept: most pairs of nodes with one production differ
// below, and are done at once.
func (k *DeltaKernel) Pairs(a, b index.Merged, wanted []bool, f func(x, y uint32, c float64)) {
	m, n := a.(*Merged), b.(*Merged)
	for x, p := range m.prod {
		with := n.with(p)
		if len(with) == 0 {
			continue
		}
		flat := m.flat[p] && n.flat[p]
		for _, y := range with {
			switch {
			case !wanted[y]:
			case flat:
				f(uint32(x), y, k.Lambda)
			default:
				f(uint32(x), y, k.pair(m, n, int32(x), int32(y), k.Depth))
			}
		}
	}
}

// pair is C of two nodes with one production, of fragments at most so deep; 0 is any.
func (k *DeltaKernel) pair(m, n *Merged, x, y int32, depth int) float64 {
	c := k.Lambda
	if depth == 1 {
		return c
	}
	others := n.kids[n.kid[y]:n.kid[y+1]]
	for i, v := range m.kids[m.kid[x]:m.kid[x+1]] {
		w := others[i]
		if v < 0 || w < 0 || m.prod[v] != n.prod[w] {
			if k.Whole && (v >= 0 || w >= 0) {
				return 0
			}
			continue
		}
		d := k.pair(m, n, v, w, depth-1)
		if !k.Whole {
			d++
		}
		c = float64(c * d) // never fused with a sum
	}
	return c
}
