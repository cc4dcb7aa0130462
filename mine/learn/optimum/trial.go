package optimum

import (
	"math"

	"fstore/mine/gradient"
)

// trial is the problem of one step of the solver in program.go. It is solved by coordinate descent on simpler
// functions (models), and near the least objective by Newton steps (newton.go).
type trial struct {
	*ranking
	reach []float64 // by row: α/σ + C·b
	u     []float64 // by row: C w·(x_y − x_gold)
	alpha []float64 // by row: the best α′
	mean  []float64 // by list: 0 if the level of look is 0, else 1 divided by the number of its α′ > 0
	g     []float64 // by column: the derivative of the objective without the norm
	most  float64   // the largest |g|
	value float64   // the value of the objective

	from, step []float64 // by column: the weights before a move, and the move
	du         []float64 // by row: how u changes in a model
	push       []float64 // by list whose α′ add up to 1: the mean of du over its rows with α′ > 0
	newton     newton
}

const (
	// A model is solved until the optimality violations fall to passShare times those in the first pass.
	passShare  = 0.3
	mostPasses = 10
	// A weight that is 0 can move only if its derivative g has |g| ≥ nearBound. At the optimum, weights other
	// than 0 have |g| = 1.
	nearBound = 0.9
	// leastCurvature gives a lower bound of the second derivatives in the method `coordinate`, so that no
	// step is infinite.
	leastCurvature = 1e-3
	// A move is halved until it gains at least leastGain times what its derivative promises.
	leastGain   = 0.01
	mostHalving = 30
)

// newton is the scratch memory of Newton steps.
type newton struct {
	columns     []int     // the columns that the step moves
	start, next []int     // by row: where the entries of the row begin, and where the next one is written
	entry       []int32   // 1 + the place in columns, with a minus if the column is −1 in the row
	h, x        []float64 // by place in columns: h has the second derivatives divided by σC², row by row; x has the step
	sums        []float64 // by place in columns: the sum over the rows of one list
	touched     []int     // the places in sums that are not 0
}

func newTrial(r *ranking) *trial {
	n, m := int(r.Samples), len(r.at.w)
	rows := func() []float64 { return make([]float64, n) }
	return &trial{
		ranking: r, reach: rows(), u: rows(), alpha: rows(), du: rows(), mean: make([]float64, len(r.Lists)), push: make([]float64, len(r.Lists)),
		g: make([]float64, m), step: make([]float64, m), from: make([]float64, m),
	}
}

// look computes t.value and t.alpha at the present weights. The alphas of a list are lowered by its level,
// the least number ≥ 0 for which they add up to at most 1 (Michelot 1986).
func (t *trial) look() {
	t.scores(t.at.w, t.u)
	t.value = 0
	for _, w := range t.at.w {
		t.value += math.Abs(w)
	}
	sigma := t.at.sigma
	for i := range t.Lists {
		l := &t.Lists[i]
		t.mean[i] = 0
		for low, all := 0.0, false; ; {
			sum, n := 0.0, 0
			for y := l.From; y < l.To; y++ {
				if x := sigma * (t.reach[y] + t.u[y]); y != l.Gold && x > low {
					sum += x
					n++
				}
			}
			if !all && sum <= 1 {
				t.settle(l, low)
				break
			}
			to := (sum - 1) / float64(n)
			if all && to <= low {
				t.settle(l, low)
				t.mean[i] = 1 / float64(n)
				break
			}
			low, all = max(to, low), true
		}
	}
}

// settle sets t.alpha for the trees of a list at the given level (see trial.look). It adds the list's part of
// the objective to t.value.
func (t *trial) settle(l *gradient.List, level float64) {
	for y := l.From; y < l.To; y++ {
		t.alpha[y] = 0
		if y == l.Gold {
			continue
		}
		v := t.reach[y] + t.u[y]
		if a := float64(t.at.sigma*v) - level; a > 0 {
			t.alpha[y] = a
			t.value += float64(a * (v - a/(2*t.at.sigma)))
		}
	}
}

// slopes computes t.g and t.most. It returns an upper bound of how far the objective can still fall.
func (t *trial) slopes() (gap float64) {
	t.most = 0
	for j, w := range t.at.w {
		plus, minus := t.column(j)
		g := 0.0
		for _, y := range plus {
			g += t.alpha[y]
		}
		for _, y := range minus {
			g -= t.alpha[y]
		}
		g *= t.c
		t.g[j] = g
		t.most = max(t.most, math.Abs(g))
		gap += math.Abs(w) + float64(w*g)
	}
	return gap + max(t.most-1, 0)*t.value
}

// descend sets t.step to a step near the minimum of a model of the objective, in which every alpha that is 0
// stays 0.
func (t *trial) descend() {
	clear(t.du)
	clear(t.push)
	clear(t.step)
	first := 0.0
	for pass := range mostPasses {
		violation := 0.0
		for j, w := range t.at.w {
			if w != 0 || math.Abs(t.g[j]) >= nearBound {
				violation += t.coordinate(j)
			}
		}
		if pass == 0 {
			first = violation
		}
		if violation <= passShare*first {
			return
		}
	}
}

// coordinate moves one weight to the minimum of the model. It returns the violation of optimality before the
// move.
func (t *trial) coordinate(j int) (violation float64) {
	plus, minus := t.column(j)
	pull, n := 0.0, 0.0
	for _, y := range plus {
		if t.alpha[y] > 0 {
			i := t.list[y]
			pull += t.du[y] - t.push[i]
			n += 1 - t.mean[i]
		}
	}
	for _, y := range minus {
		if t.alpha[y] > 0 {
			i := t.list[y]
			pull -= t.du[y] - t.push[i]
			n += 1 - t.mean[i]
		}
	}
	scale := t.at.sigma * t.c
	g := t.g[j] + float64(scale*pull)
	h := scale * t.c * max(n, leastCurvature*float64(len(plus)+len(minus)))
	w := t.at.w[j] + t.step[j]
	s := soft(float64(h*w)-g, 1)/h - w
	if s == 0 {
		return 0
	}
	if violation = max(math.Abs(g)-1, 0); w != 0 {
		violation = math.Abs(g + math.Copysign(1, w))
	}
	t.step[j] += s
	s *= t.c
	for _, y := range plus {
		if t.alpha[y] > 0 {
			t.du[y] += s
			t.push[t.list[y]] += float64(s * t.mean[t.list[y]])
		}
	}
	for _, y := range minus {
		if t.alpha[y] > 0 {
			t.du[y] -= s
			t.push[t.list[y]] -= float64(s * t.mean[t.list[y]])
		}
	}
	return violation
}

// move moves the weights by t.step, halved until the move gains enough. It returns false if no move gains
// enough.
func (t *trial) move(stopAtZero bool) bool {
	before := t.value
	copy(t.from, t.at.w)
	for n, share := 0, 1.0; n < mostHalving; n, share = n+1, share/2 {
		promise := 0.0
		for j, s := range t.step {
			if s == 0 {
				continue
			}
			from := t.from[j]
			to := from + float64(share*s)
			if stopAtZero && (from*to < 0 || from == 0 && to*t.g[j] > 0) {
				to = 0
			}
			t.at.w[j] = to
			promise += float64(t.g[j]*(to-from)) + math.Abs(to) - math.Abs(from)
		}
		if t.look(); promise < 0 && t.value <= before+float64(leastGain*promise) {
			return true
		}
	}
	copy(t.at.w, t.from)
	t.look()
	return false
}

// soft moves x towards 0 by this amount, but not beyond 0.
func soft(x, amount float64) float64 { return math.Copysign(max(math.Abs(x)-amount, 0), x) }
