package stk

import "fstore/index"

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
