package seq

import (
	"math"

	"fstore/index/internal/growth"
)

// Valued implements index.Valued: a match can be continued in several ways, and words in gaps lower the
// value.
func (*Space) Valued() {}

// reaches returns N(p) for each position p: an upper bound of the factor by which added symbols can multiply
// the value of a match that ends at p. At most `more` symbols are added (0: any number).
//
//	N(p) = max over symbols c of Σ λ^(q-p-1) · max(1, N'(q))
//
// The sum is over the positions q > p within max-gap that have the symbol c. N' is N for one added symbol
// less, or N itself if `more` is 0.
func (it *Items) reaches(lambda float64, more int) []float64 {
	return it.reach.Of(reachKey{lambda, more}, func() []float64 {
		x := &reacher{it: it, lambda: lambda, reach: make([]float64, len(it.Nums))}
		if more == 0 || more >= it.longest() {
			x.less = x.reach // the same N; each value is ready before it is needed
			x.rows()
			return x.reach
		}
		x.less = make([]float64, len(it.Nums))
		for range more {
			x.rows()
			copy(x.less, x.reach)
		}
		return x.reach
	})
}

// reacher computes the bounds of Items.reaches.
type reacher struct {
	it          *Items
	lambda      float64
	reach, less []float64 // N, and N for one symbol less
	next        growth.Heaviest
}

// longest is the number of positions of the longest row.
func (it *Items) longest() (n int) {
	from := uint32(0)
	for _, row := range it.Ends {
		n = max(n, int(row.End-from))
		from = row.End
	}
	return n
}

// rows sets x.reach at all positions.
func (x *reacher) rows() {
	from := 0
	for _, row := range x.it.Ends {
		x.row(from, int(row.End))
		from = int(row.End)
	}
}

// row sets x.reach at the positions [from, end) of one row.
func (x *reacher) row(from, end int) {
	x.next.Reset(x.lambda)
	for p := end - 1; p >= from; p-- {
		if gap := x.it.s.maxGap; gap < end-p-2 {
			x.near(p, p+1+gap)
			continue
		}
		x.reach[p] = x.next.Most()
		x.next.Step()
		x.add(p, 1)
	}
}

// near sets the bound x.reach[p] for matches that end at p and continue at a position up to lastPos.
func (x *reacher) near(p, lastPos int) {
	x.next.Reset(1)
	for q := p + 1; q <= lastPos; q++ {
		x.add(q, math.Pow(x.lambda, float64(q-p-1)))
	}
	x.reach[p] = x.next.Most()
}

// add adds max(1, x.less[q]), times `decay`, to the sum of the symbol at position q.
func (x *reacher) add(q int, decay float64) {
	if num := x.it.Nums[q]; num != 0 {
		x.next.Add(num, float64(decay*max(1, x.less[q])))
	}
}
