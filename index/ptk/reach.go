package ptk

import (
	"math"

	"fstore/index/internal/growth"
)

// Valued implements index.Valued: what goes on from one match can stand there many times,
// and what is passed over decays.
func (*Space) Valued() {}

// reaches bounds what is below a pattern, by the trees alone. What patterns add to a match,
// whose rightmost path is laid on the nodes u₀…u_k, is children below u_k, and, for each
// d ≥ 1, siblings right of u_d: these are chosen independently. Let T(q) be the most that
// the matches of any one pattern are worth whose root is q,
//
//	T(q) = √μ · max(λ, C(q))
//	C(q) = max over labels c of Σ over children x of q with c of T(x) · max(1, R(x))
//	R(x) = max over labels c of Σ over siblings y right of x with c of
//	       λ^(siblings between) · T(y) · max(1, R(y))
//
// with C of all children and R of those right of x. (What comes right of y is chosen anew
// for each y: that only makes it larger.) Then right of u_d a match's value is multiplied by
// at most R(u_d), and below u_k by C(u_k)/λ, as u_k is no leaf any more.
type reaches struct {
	below, beside []float64 // C/λ and R
	leaf, inner   float64   // √μ·λ and √μ: see node
}

// reachesOf returns those of the nodes, for a decay.
func (it *Items) reachesOf(mu, lambda float64) *reaches {
	return it.reach.Of(lambda, func() *reaches {
		n := len(it.nodes)
		r := &reaches{below: make([]float64, n), beside: make([]float64, n), inner: math.Sqrt(mu)}
		r.leaf = float64(r.inner * lambda)
		var right, all growth.Heaviest
		// Children have larger numbers than their parents: T of theirs is ready.
		for q := n - 1; q >= 0; q-- {
			right.Reset(lambda)
			all.Reset(1)
			for x := int(it.nodes[q].kidEnd) - 1; x >= int(it.nodes[q].kid); x-- {
				r.beside[x] = right.Most()
				worth := float64(r.leaf*max(1, r.below[x])) * max(1, r.beside[x])
				right.Step()
				right.Add(it.nodes[x].label, worth)
				all.Add(it.nodes[x].label, worth)
			}
			r.below[q] = all.Most() / lambda
		}
		return r
	})
}

// node is the factor by which one more node multiplies the value of a match. The pattern has one leaf
// more, unless the node hangs below what was a leaf.
func (r *reaches) node(belowLeaf bool) float64 {
	if belowLeaf {
		return r.inner
	}
	return r.leaf
}

// most bounds the factor by which what is below multiplies the value of a match. The match ends at
// node n, at this depth of the pattern.
func (r *reaches) most(f *forest, n int32, depth int) float64 {
	reach := growth.NewReach().With(r.below[n])
	for ; depth > 0; depth-- {
		reach = reach.With(r.beside[n])
		n = f.nodes[n].up
	}
	return reach.Most()
}
