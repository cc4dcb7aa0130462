package optimum

import (
	"math"

	"fstore/mine/gradient"
)

// ranking is the problem of K-best lists. Its objective is that of Qian & Liu (2015), divided by their C, the
// price of the norm. So the C here is 1 over theirs:
//
//	Σ |w| + C Σ over lists of max over y of (b_y + w·(x_y − x_gold))
//
// where x_y is the vector of tree y, and b_y = δ_y + base_y − base_gold (δ: see package gradient; base:
// gradient.Problem.Base). There is no bias. In the dual, each list has a distribution α over its trees:
//
//	max C Σ α_y·b_y,  |C Σ α_y·(x_y − x_gold)| ≤ 1 for each column
//
// So θ_y = −C·α_y for a tree y that is not gold, and the θ of a list add up to 0. An α for which a column is
// above 1 can be scaled down. No ball around θ is known to contain the optimum, because the dual is not
// strongly concave.
type ranking struct {
	*gradient.Problem
	list []int32   // by sample: the index of its list, or −1
	gap  []float64 // by sample: b
	c    float64

	// Column j of x_y − x_gold is 1 for the trees y in rows[start[j]:turn[j]], −1 for those in
	// rows[turn[j]:start[j+1]], and else 0.
	rows        []uint32
	start, turn []int
	w           []float64 // the best weights so far; w[0] is 0, as there is no bias
	at          multipliers
}

// multipliers is the state from which a ranking's solver goes on when it runs again.
type multipliers struct {
	w, alpha []float64
	sigma    float64
}

func newRanking(p *gradient.Problem) *ranking {
	r := &ranking{Problem: p, list: make([]int32, p.Samples), gap: make([]float64, p.Samples), start: []int{0}, w: []float64{0}}
	for i := range r.list {
		r.list[i] = -1
	}
	for i := range p.Lists {
		l := &p.Lists[i]
		for y := l.From; y < l.To; y++ {
			r.list[y] = int32(i)
			if !p.Same[y] {
				r.gap[y] = 1
			}
			if p.Base != nil {
				r.gap[y] += p.Base[y] - p.Base[l.Gold]
			}
		}
	}
	return r
}

func (r *ranking) weights() []float64 { return r.w }

func (r *ranking) radius(float64) float64 { return math.Inf(1) }

func (r *ranking) truncate(float64) {
	r.rows, r.start, r.turn, r.w = r.rows[:0], r.start[:1], r.turn[:0], r.w[:1]
	r.at.w = r.at.w[:0]
}

func (r *ranking) append(c *column, w float64) {
	ones := int(c.training[0])
	r.rows = append(r.rows, c.training[1:]...)
	r.turn = append(r.turn, r.start[len(r.turn)]+ones)
	r.start = append(r.start, len(r.rows))
	r.w, r.at.w = append(r.w, w), append(r.at.w, w)
}

// column returns the rows in which column j is 1, and the rows in which it is −1.
func (r *ranking) column(j int) (plus, minus []uint32) {
	return r.rows[r.start[j]:r.turn[j]], r.rows[r.turn[j]:r.start[j+1]]
}

// pace lets many columns join and accepts rough solutions, because solving takes longer than a pass.
func (r *ranking) pace() (columns int, share float64) { return 1000, 0.3 }

// identify fills c.training: first the number of trees with 1 in the column, then these trees, then the trees
// with −1.
func (r *ranking) identify(c *column) {
	var less []uint32
	c.training = append(c.training, 0)
	for k := 0; k < len(c.Samples); {
		i := r.list[c.Samples[k]]
		if i < 0 {
			k++
			continue
		}
		l := &r.Lists[i]
		from, gold := k, false
		for ; k < len(c.Samples) && c.Samples[k] < l.To; k++ {
			gold = gold || c.Samples[k] == l.Gold
		}
		if !gold {
			c.training = append(c.training, c.Samples[from:k]...)
			continue
		}
		for y := l.From; y < l.To; y++ {
			if from < k && c.Samples[from] == y {
				from++
			} else {
				less = append(less, y)
			}
		}
	}
	c.training[0] = uint32(len(c.training) - 1)
	c.training = append(c.training, less...)
	c.hash()
}

func (r *ranking) bound(theta []float64, share float64) (sum float64) {
	for i := range r.Lists {
		l := &r.Lists[i]
		for y := l.From; y < l.To; y++ {
			if y != l.Gold {
				sum -= float64(theta[y] * r.gap[y])
			}
		}
	}
	return max(share*sum, 0)
}

// thetaOf returns θ, given the α of the trees that are not gold.
func (r *ranking) thetaOf(alpha []float64) []float64 {
	theta := make([]float64, len(alpha))
	for i := range r.Lists {
		l := &r.Lists[i]
		for y := l.From; y < l.To; y++ {
			if y != l.Gold {
				theta[y] = -r.c * alpha[y]
				theta[l.Gold] -= theta[y]
			}
		}
	}
	return theta
}

// objective returns the objective of weights w with this norm, after a call of scores(w, u).
func (r *ranking) objective(norm float64, u []float64) float64 {
	sum := norm
	for i := range r.Lists {
		l := &r.Lists[i]
		most := 0.0
		for y := l.From; y < l.To; y++ {
			if y != l.Gold {
				most = max(most, float64(r.c*r.gap[y])+u[y])
			}
		}
		sum += most
	}
	return sum
}

// scores sets u[y] to C·(score of tree y − score of its gold tree), with the weights w.
func (r *ranking) scores(w, u []float64) {
	clear(u)
	for j, x := range w {
		if x == 0 {
			continue
		}
		x *= r.c
		plus, minus := r.column(j)
		for _, y := range plus {
			u[y] += x
		}
		for _, y := range minus {
			u[y] -= x
		}
	}
}
