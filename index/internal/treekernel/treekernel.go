// Package treekernel is the common part of the kernels of stk and ptk. They sum a value over pairs of nodes
// that have the same symbol, one node of each tree. The value of a pair is computed from the values of pairs
// of children. The package imports nothing of the project.
package treekernel

import "slices"

// Tree has the nodes of a tree in preorder, and also by symbol.
type Tree struct {
	Sym  []uint32
	Top  []bool   // by node: it is not a child of any node
	Each []uint32 // the distinct symbols, ascending
	Of   []uint32 // by node: the index of its symbol in Each
	Rank []uint32 // by node: its index among the nodes with its symbol

	kid  []uint32 // the children of i are kids[kid[i]:kid[i+1]]
	kids []int32
	end  []uint32 // with[end[g]:end[g+1]] are the nodes with Each[g], ascending
	with []int32
}

// New returns the tree of nodes with these symbols. The children of node i are kids[kid[i]:kid[i+1]]. A
// negative child is not a node.
func New(sym, kid []uint32, kids []int32) Tree {
	n := len(sym)
	t := Tree{
		Sym: sym, Top: slices.Repeat([]bool{true}, n), Each: slices.Clone(sym), Of: make([]uint32, n), Rank: make([]uint32, n),
		kid: kid, kids: kids, with: make([]int32, n),
	}
	for _, x := range kids {
		if x >= 0 {
			t.Top[x] = false
		}
	}
	slices.Sort(t.Each)
	t.Each = slices.Compact(t.Each)
	t.end = make([]uint32, len(t.Each)+1)
	for i, s := range sym {
		g, _ := slices.BinarySearch(t.Each, s)
		t.Of[i], t.Rank[i] = uint32(g), t.end[g+1]
		t.end[g+1]++
	}
	for g := range t.Each {
		t.end[g+1] += t.end[g]
	}
	for i, g := range t.Of {
		t.with[t.end[g]+t.Rank[i]] = int32(i)
	}
	return t
}

// Kids returns the children of node i.
func (t *Tree) Kids(i int32) []int32 { return t.kids[t.kid[i]:t.kid[i+1]] }

// With returns the nodes with symbol Each[g], ascending.
func (t *Tree) With(g int32) []int32 { return t.with[t.end[g]:t.end[g+1]] }

// fewSymbols is a ratio. If u has more than fewSymbols times as many symbols as t, t.Match(dst, u) looks up
// each symbol of t in u.
const fewSymbols = 8

// Match appends to dst, for each symbol of t, its index in u.Each, or -1. It also returns whether t and u
// have a symbol in common.
func (t *Tree) Match(dst []int32, u *Tree) (_ []int32, any bool) {
	j := 0
	few := len(t.Each) < len(u.Each)/fewSymbols
	for _, s := range t.Each {
		if few {
			k, _ := slices.BinarySearch(u.Each[j:], s)
			j += k
		}
		for j < len(u.Each) && u.Each[j] < s {
			j++
		}
		at := int32(-1)
		if j < len(u.Each) && u.Each[j] == s {
			at, any = int32(j), true
		}
		dst = append(dst, at)
	}
	return dst, any
}

// Rows keeps values of pairs of nodes: one from each of two trees, with the same symbol. `Of[i]` has the
// values of node i of the first tree, until Pairs has passed the parent of i.
type Rows[T any] struct {
	Of   [][]T // by node; nil if no row is kept
	free [][]T
}

// Pairs calls f(i, g, others) for each node i of `a` with a symbol that b also has: g is the symbol's index
// in b.Each, and the others are the nodes of b with this symbol. Children come before their parents. inB must
// come from a.Match.
func (r *Rows[T]) Pairs(a, b *Tree, inB []int32, f func(i, g int32, others []int32)) {
	for len(r.Of) < len(a.Of) {
		r.Of = append(r.Of, nil)
	}
	for i := int32(len(a.Of)) - 1; i >= 0; i-- {
		if g := inB[a.Of[i]]; g >= 0 {
			f(i, g, b.With(g))
		}
		for _, x := range a.Kids(i) {
			r.give(x)
		}
		if a.Top[i] {
			r.give(i)
		}
	}
}

// Take returns a row of length n for node i.
func (r *Rows[T]) Take(i int32, n int) []T {
	if k := len(r.free) - 1; k >= 0 {
		r.Of[i] = r.free[k]
		r.free = r.free[:k]
	}
	r.Of[i] = slices.Grow(r.Of[i][:0], n)[:n]
	return r.Of[i]
}

// give frees the row of node i, if it has one.
func (r *Rows[T]) give(i int32) {
	if i >= 0 && r.Of[i] != nil {
		r.free = append(r.free, r.Of[i])
		r.Of[i] = nil
	}
}
