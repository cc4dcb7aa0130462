package stk

import (
	"cmp"
	"slices"

	"fstore/index"
)

// wide is the state of a pattern for Widen, kept in index.Pattern.State.
type wide struct {
	nodes []uint32  // the fragment's nonterminals in preorder: the production, or 0 on the frontier
	cols  [][]int32 // by frontier position and occurrence: the node of the graph, or Childless
	depth []int     // by frontier position: the depth of a production that expands it
}

// Bases implements index.Widening.
func (m *Merged) Bases(f func(*index.Pattern)) {
	for g, p := range m.nodes.Each {
		nodes := m.nodes.With(int32(g))
		components := make([]uint32, len(nodes))
		for i, d := range nodes {
			components[i] = uint32(d)
		}
		state := &wide{nodes: []uint32{p}}
		state.expand(m, nodes, 1)
		f(&index.Pattern{Code: state.code(), Order: 1, Components: components, State: state})
	}
}

// expand appends the children of these nodes to the frontier. All nodes must have the same production and
// depth.
func (w *wide) expand(m *Merged, nodes []int32, depth int) {
	for k := range m.nodes.Kids(nodes[0]) {
		col := make([]int32, len(nodes))
		for i, d := range nodes {
			col[i] = m.nodes.Kids(d)[k]
		}
		w.nodes, w.cols, w.depth = append(w.nodes, 0), append(w.cols, col), append(w.depth, depth+1)
	}
}

func (w *wide) code() (c index.Code) {
	off := uint32(0)
	for _, prod := range w.nodes {
		if prod == 0 {
			off++
			continue
		}
		c = index.AppendStep(c, index.Step{Off: off, Sym: prod})
		off = 0
	}
	return c
}

// widener is one call of Widen.
type widener struct {
	m          *Merged
	p          *index.Pattern
	from       *wide
	order      int // of the new fragments
	possible   func(order int, components []uint32) bool
	f          func(*index.Pattern)
	chosen     []choice
	components []uint32
}

// choice is a frontier position that is expanded, and the production that expands it.
type choice struct {
	col  int
	prod uint32
}

// Widen implements index.Widening.
func (m *Merged) Widen(p *index.Pattern, n int, possible func(order int, components []uint32) bool, f func(*index.Pattern)) {
	w := &widener{m: m, p: p, from: p.State.(*wide), order: p.Order + n, possible: possible, f: f}
	all := make([]int32, len(p.Components))
	for i := range all {
		all[i] = int32(i)
	}
	w.choose(0, n, all)
}

// choose expands n more frontier positions, from column `col` on, in the occurrences `at` of the pattern.
func (w *widener) choose(col, n int, at []int32) {
	if n == 0 {
		w.emit(at)
		return
	}
	for ; col+n <= len(w.from.cols); col++ {
		column := w.from.cols[col]
		if w.m.depth > 0 && w.from.depth[col] > w.m.depth {
			continue
		}
		var group []int32
		for _, a := range at {
			if column[a] >= 0 {
				group = append(group, a)
			}
		}
		slices.SortStableFunc(group, func(a, b int32) int { return cmp.Compare(w.m.nodes.Sym[column[a]], w.m.nodes.Sym[column[b]]) })
		for len(group) > 0 {
			prod := w.m.nodes.Sym[column[group[0]]]
			k := 1
			for k < len(group) && w.m.nodes.Sym[column[group[k]]] == prod {
				k++
			}
			if w.possible(w.order, w.componentsOf(group[:k])) {
				w.chosen = append(w.chosen, choice{col, prod})
				w.choose(col+1, n-1, group[:k])
				w.chosen = w.chosen[:len(w.chosen)-1]
			}
			group = group[k:]
		}
	}
}

// componentsOf returns the component (see index.Merged) of each occurrence. The result is valid until the
// next call.
func (w *widener) componentsOf(at []int32) []uint32 {
	w.components = w.components[:0]
	for _, a := range at {
		w.components = append(w.components, w.p.Components[a])
	}
	return w.components
}

// emit calls f with the fragment that has the chosen expansions. `at` has the indexes of its occurrences.
func (w *widener) emit(at []int32) {
	state := &wide{}
	next, col := 0, 0
	for _, prod := range w.from.nodes {
		if prod != 0 {
			state.nodes = append(state.nodes, prod)
			continue
		}
		nodes := make([]int32, len(at))
		for i, a := range at {
			nodes[i] = w.from.cols[col][a]
		}
		if next < len(w.chosen) && w.chosen[next].col == col {
			state.nodes = append(state.nodes, w.chosen[next].prod)
			state.expand(w.m, nodes, w.from.depth[col])
			next++
		} else {
			state.nodes, state.cols, state.depth = append(state.nodes, 0), append(state.cols, nodes), append(state.depth, w.from.depth[col])
		}
		col++
	}
	w.f(&index.Pattern{Code: state.code(), Order: w.order, Components: slices.Clone(w.componentsOf(at)), State: state})
}
