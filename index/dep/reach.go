package dep

import (
	"math"

	"fstore/index/internal/growth"
)

// Valued implements index.Valued: what goes on from one embedding can be laid many ways.
func (*Space) Valued() {}

// reaches bounds what is below a pattern, by the trees alone. What fragments add to an
// embedding, whose rightmost path is the arcs a₀…a_k, is arcs below a_k, and, for each d,
// arcs after a_d in its family: these are laid independently. Let T(a) be the most that the
// embeddings of any one subtree are worth that is laid on arc a and what is below it,
//
//	T(a) = √λ · max(1, √λ with words) · max(1, C(a))
//	C(a) = max over features f of Σ over arcs b below a with f of T(b) · max(1, R(b))
//
// with R(a) the same sum over what may come after a in its family: its right neighbour
// (adjacent), any arc to the right (any), or on the left of the head its right neighbour
// there, or any on the right (side). (What comes after b is chosen anew for each b: that only
// makes it larger.) Then what is below multiplies an embedding by at most C(a_k) and R(a_d).
//
// Without order, of a family with n arcs any m may be taken, each with a feature and a
// subtree of its own: that makes at most Xᵐ, with X = max over f of Σ of T(b). C is the
// largest of these over m ≤ n, R over m < n.
type reaches struct {
	below, beside []float64 // C and R
	word          float64   // what a word of a node multiplies by
}

// reachesOf returns those of the arcs, for a decay.
func (it *Items) reachesOf(lambda float64) *reaches {
	return it.reach.Of(lambda, func() *reaches {
		n := it.len()
		c := &reacher{it: it, arc: float64(math.Sqrt(lambda) * it.s.wordWorth(lambda)), reaches: reaches{make([]float64, n), make([]float64, n), math.Sqrt(lambda)}}
		// A family stands behind that of its head's arc: C of its arcs is ready.
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

// reacher computes reaches.
type reacher struct {
	it  *Items
	arc float64 // √λ, with the best of the word of its modifier
	reaches
	sums growth.Heaviest
}

// family fills beside of the arcs of a family, and returns C of what it hangs on.
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

// run fills beside of arcs side by side; after is R of the last one. It returns C of them.
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

// worth is T.
func (c *reacher) worth(a int) float64 { return float64(c.arc * max(1, c.below[a])) }

// free is run without order.
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

// most bounds the factor by which what is below multiplies the value of embeddings. Their last arc is
// a, whose head is at this depth of the pattern, and so many words may follow.
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
