package ptk

import (
	"math"

	"fstore/index/internal/growth"
)

// Valued implements index.Valued, because a match can be extended in several ways.
func (*Space) Valued() {}

// reaches has upper bounds of the factor by which larger patterns multiply the value of a match. A larger
// pattern adds, independently of each other:
//   - children below the rightmost node u, with a factor of at most C(u)/λ (/λ, as u is no leaf any more)
//   - siblings right of a node x of the rightmost path, with a factor of at most R(x)
//
// T(q) bounds the sum of the values of all matches of one pattern with the root at q; λ and μ are the decays:
//
//	T(q) = √μ · max(λ, C(q))
//	C(q) = max over labels c of Σ over the children x of q with label c: T(x) · max(1, R(x))
//	R(x) = max over labels c of Σ over the siblings y right of x with label c:
//	       λ^(siblings between) · T(y) · max(1, R(y))
type reaches struct {
	below, beside []float64 // C/λ and R
	leaf, inner   float64   // √μ·λ and √μ: see node
}

// newReaches computes the bounds for trees with these nodes and decays.
func newReaches(nodes []node, mu, lambda float64) *reaches {
	n := len(nodes)
	r := &reaches{below: make([]float64, n), beside: make([]float64, n), inner: math.Sqrt(mu)}
	r.leaf = float64(r.inner * lambda)
	var right, all growth.Heaviest
	// Children have larger numbers than their parents, so they come first.
	for q := n - 1; q >= 0; q-- {
		right.Reset(lambda)
		all.Reset(1)
		for x := int(nodes[q].kidEnd) - 1; x >= int(nodes[q].kid); x-- {
			r.beside[x] = right.Most()
			worth := float64(r.leaf*max(1, r.below[x])) * max(1, r.beside[x])
			right.Step()
			right.Add(nodes[x].label, worth)
			all.Add(nodes[x].label, worth)
		}
		r.below[q] = all.Most() / lambda
	}
	return r
}

// node returns the factor of one more node in the value of a match: √μ for a child of a leaf, else √μ·λ.
func (r *reaches) node(belowLeaf bool) float64 {
	if belowLeaf {
		return r.inner
	}
	return r.leaf
}

// most returns an upper bound of the factor by which larger patterns multiply the value of a match. The match
// ends at node n, which has this depth in the pattern.
func (r *reaches) most(f *forest, n int32, depth int) float64 {
	reach := growth.NewReach().With(r.below[n])
	for ; depth > 0; depth-- {
		reach = reach.With(r.beside[n])
		n = f.nodes[n].up
	}
	return reach.Most()
}
