package dep

import (
	"math"

	"fstore/index/internal/growth"
)

// Valued implements index.Valued. An extension can have more embeddings in a sample than the pattern.
func (*Space) Valued() {}

// reaches bounds the factor by which the value of an embedding can grow in the fragments below its
// pattern. It depends on the trees alone. Let the rightmost path of an embedding be the arcs a₀…a_k. A
// fragment below adds arcs below a_k and, for each d, arcs after a_d in its family. All these choices are
// independent. Let T(a) bound the value of the embeddings of any one subtree on arc a and the arcs below
// it:
//
//	T(a) = √λ · max(1, √λ with words) · max(1, C(a))
//	C(a) = max over features f of Σ over arcs b below a with f of T(b) · max(1, R(b))
//
// R(a) is the same sum over the arcs that can come after a in its family. Under the rule adjacent this is
// only the right neighbour of a. Under the rule any these are all arcs to the right of a. Under the rule
// side it is the right neighbour on the same side; if a is left of the head, it can also be any arc right of
// the head. (The arcs after b are chosen anew for each b. That only makes the bound larger.) The fragments
// below then multiply the value of an embedding by at most C(a_k) and R(a_d).
//
// Without order, any m of the n arcs of a family may be taken, each with a feature and a subtree of its own.
// That makes at most Xᵐ, with X = max over f of Σ T(b). C is the largest Xᵐ with m ≤ n, and R that with m <
// n.
type reaches struct {
	below, beside []float64 // C and R of each arc
	word          float64   // the factor that the word of a node multiplies by
}

// reachesOf returns the reaches of the arcs for the decay lambda.
func (it *Items) reachesOf(lambda float64) *reaches {
	return it.reach.Of(lambda, func() *reaches {
		n := it.len()
		c := &reacher{it: it, arc: float64(math.Sqrt(lambda) * it.s.wordWorth(lambda)), reaches: reaches{make([]float64, n), make([]float64, n), math.Sqrt(lambda)}}
		// Families come from last to first. Those of dependents have larger numbers, so C of each arc here
		// is known.
		for end := n; end > 0; {
			a := &it.arcs[end-1]
			all := c.family(int(a.begin), int(a.mid), end)
			if a.up >= 0 {
				c.below[a.up] = all
			}
			end = int(a.begin)
		}
		return &c.reaches
	})
}

// reacher computes a reaches.
type reacher struct {
	it  *Items
	arc float64 // √λ, times the best factor of the modifier's word
	reaches
	sums growth.Heaviest
}

// family fills c.beside for the arcs of a family. It returns C of the arc to their head.
func (c *reacher) family(begin, mid, end int) float64 {
	switch {
	case c.it.s.unordered:
		return c.free(begin, end)
	case c.it.s.rule == side:
		right := c.run(mid, end, 0)
		return max(right, c.run(begin, mid, right))
	}
	return c.run(begin, end, 0)
}

// run fills c.beside for arcs that lie side by side; the parameter after is R of the last arc. It returns C
// of the arc above them.
func (c *reacher) run(begin, end int, after float64) float64 {
	c.sums.Reset(1)
	next := after
	for a := end - 1; a >= begin; a-- {
		c.beside[a] = next
		if c.it.s.rule == anyChild {
			c.beside[a] = c.sums.Most()
		}
		worth := c.worth(a) * max(1, c.beside[a])
		for _, f := range c.it.featsOf(int32(a)) {
			c.sums.Add(f, worth)
		}
		next = max(after, worth)
	}
	return c.sums.Most()
}

// worth returns T of arc a, see reaches.
func (c *reacher) worth(a int) float64 { return float64(c.arc * max(1, c.below[a])) }

// free does the same as family, without order.
func (c *reacher) free(begin, end int) float64 {
	c.sums.Reset(1)
	for a := begin; a < end; a++ {
		for _, f := range c.it.featsOf(int32(a)) {
			c.sums.Add(f, c.worth(a))
		}
	}
	most := func(arcs int) float64 {
		if arcs == 0 {
			return 0
		}
		return max(c.sums.Most(), math.Pow(c.sums.Most(), float64(arcs)))
	}
	for a := begin; a < end; a++ {
		c.beside[a] = most(end - begin - 1)
	}
	return most(end - begin)
}

// most bounds the factor by which the fragments below multiply the value of an embedding. The embedding's
// last arc is a, and the head of a is at this depth of the pattern. The parameter words is the number of
// words that can follow.
func (r *reaches) most(f *forest, a int32, depth, words int) float64 {
	reach := growth.NewReach().With(r.below[a])
	for range words {
		reach = reach.With(r.word)
	}
	for ; depth >= 0; depth-- {
		reach = reach.With(r.beside[a])
		a = f.arcs[a].up
	}
	return reach.Most()
}
