package optimum

import (
	"context"
	"math"
	"slices"
)

// hybrid is where the solver of a ranking is: what it goes on from where columns have joined.
type hybrid struct {
	w, alpha []float64
	balance  float64 // of the steps: of α over w
}

// saddle solves a ranking, which is a linear program, over its columns: the primal-dual hybrid
// gradient method (Chambolle & Pock 2011) with a step for each column and list (Pock & Chambolle
// 2011), over-relaxed towards the point where it last restarted (Halpern's iteration, Lu & Yang
// 2024), whose restarts and balance of steps are those of PDLP (Applegate et al. 2021). It costs
// two products with the columns an iteration, and converges linearly.
type saddle struct {
	*ranking
	tau   []float64 // by column
	sigma []float64 // by list
	// Row y is in the columns column[from[y]:from[y+1]], as often as sign says.
	from   []uint32
	column []uint32
	sign   []float64

	now, next, anchor point

	objective, dual  float64
	bestW, bestAlpha []float64
}

// point is weights and α, with their products: the scores of trees and the sums of columns.
type point struct{ w, alpha, u, g []float64 }

const (
	mostSweeps = 400_000
	// The solver restarts where it has come so much nearer to a fixed point, or less near and
	// comes no nearer, or after this share of all its iterations.
	muchNearer  = 0.2
	someNearer  = 0.8
	longAnyway  = 0.36
	smoothing   = 0.5 // of the balance
	sweepsChunk = 64  // between looks at the context
)

func newSaddle(r *ranking) *saddle {
	columns, samples := len(r.w)-1, int(r.Samples)
	s := &saddle{ranking: r, tau: make([]float64, columns), sigma: make([]float64, len(r.Lists)), objective: math.Inf(1), dual: math.Inf(-1)}
	total := make([]float64, samples)
	for j := range s.tau {
		rows := r.rows[r.start[j]:r.start[j+1]]
		s.tau[j] = 1 / (r.c * float64(max(len(rows), 1)))
		for _, y := range rows {
			total[y] += r.c
		}
	}
	for i := range s.sigma {
		l := &r.Lists[i]
		most := slices.Max(total[l.From:l.To])
		if most == 0 {
			most = r.c
		}
		s.sigma[i] = 1 / most
	}
	for _, p := range []*point{&s.now, &s.next, &s.anchor} {
		*p = point{make([]float64, columns), make([]float64, samples), make([]float64, samples), make([]float64, columns)}
	}
	s.byRow()
	s.bestW, s.bestAlpha = make([]float64, columns), make([]float64, samples)
	return s
}

// byRow lays out the columns by row: most rows have an α of 0.
func (s *saddle) byRow() {
	s.from = make([]uint32, s.Samples+1)
	for _, y := range s.rows {
		s.from[y+1]++
	}
	for y := range s.Samples {
		s.from[y+1] += s.from[y]
	}
	next := slices.Clone(s.from)
	s.column, s.sign = make([]uint32, len(s.rows)), make([]float64, len(s.rows))
	for j, turn := range s.turn {
		for k := s.start[j]; k < s.start[j+1]; k++ {
			at := next[s.rows[k]]
			next[s.rows[k]]++
			if s.column[at], s.sign[at] = uint32(j), s.c; k >= turn {
				s.sign[at] = -s.c
			}
		}
	}
}

// sums sets g to the sums that the columns' bounds are of.
func (s *saddle) sums(alpha, g []float64) {
	clear(g)
	for y, a := range alpha {
		if a == 0 {
			continue
		}
		sign := s.sign[s.from[y]:s.from[y+1]]
		for k, j := range s.column[s.from[y]:s.from[y+1]] {
			g[j] += float64(a * sign[k])
		}
	}
}

func (s *saddle) run(ctx context.Context, tolerance float64) error {
	copy(s.now.w, s.at.w)
	copy(s.now.alpha, s.at.alpha)
	defer func() {
		s.at.w, s.at.alpha = append(s.at.w[:0], s.next.w...), append(s.at.alpha[:0], s.next.alpha...)
	}()
	s.restart()
	first, last := 0.0, math.Inf(1)
	for all, k := 0, 0; all < mostSweeps; all, k = all+1, k+1 {
		if all%sweepsChunk == 0 && ctx.Err() != nil {
			return ctx.Err()
		}
		s.step()
		s.judge()
		if s.objective-s.dual <= tolerance*s.objective {
			return nil
		}
		moved := s.moved()
		if k == 0 {
			first = moved
		}
		if moved == 0 {
			return nil
		}
		if k > 0 && (moved <= muchNearer*first || moved <= someNearer*first && moved > last || float64(k) >= longAnyway*float64(all)) {
			s.rebalance()
			s.now, s.next = s.next, s.now
			s.restart()
			k, last = -1, math.Inf(1)
			continue
		}
		last = moved
		s.relax(float64(k+1) / float64(k+2))
	}
	return nil
}

// restart makes where the solver is its anchor, with products that are not rounded twice.
func (s *saddle) restart() {
	s.scores(s.now.w, s.now.u)
	s.sums(s.now.alpha, s.now.g)
	copy(s.anchor.w, s.now.w)
	copy(s.anchor.alpha, s.now.alpha)
	copy(s.anchor.u, s.now.u)
	copy(s.anchor.g, s.now.g)
}

// step sets next: a step of w, then one of α at w extrapolated.
func (s *saddle) step() {
	for j, w := range s.now.w {
		tau := s.tau[j] / s.at.balance
		w -= float64(tau * s.now.g[j])
		s.next.w[j] = math.Copysign(max(math.Abs(w)-tau, 0), w)
	}
	s.scores(s.next.w, s.next.u)
	for i := range s.Lists {
		l := &s.Lists[i]
		sigma := s.sigma[i] * s.at.balance
		for y := l.From; y < l.To; y++ {
			if y == l.Gold {
				continue
			}
			ahead := float64(s.c*s.gap[y]) + float64(2*s.next.u[y]) - s.now.u[y]
			s.next.alpha[y] = s.now.alpha[y] + float64(sigma*ahead)
		}
		project(s.next.alpha[l.From:l.To], int(l.Gold-l.From))
	}
	s.sums(s.next.alpha, s.next.g)
}

// project moves a vector to the nearest of those that are not negative, with a sum of at most 1;
// the place gold counts as 0.
func project(v []float64, gold int) {
	sum := 0.0
	for k, x := range v {
		if v[k] = max(x, 0); k == gold {
			v[k] = 0
		}
		sum += v[k]
	}
	for sum > 1 { // less of each that is above 0, until they add up: at most len(v) rounds
		n := 0
		for _, x := range v {
			if x > 0 {
				n++
			}
		}
		by := (sum - 1) / float64(n)
		sum = 0
		clipped := false
		for k, x := range v {
			if x > 0 {
				if v[k] = max(x-by, 0); v[k] == 0 {
					clipped = true
				}
				sum += v[k]
			}
		}
		if !clipped {
			return
		}
	}
}

// judge keeps the best weights and α so far.
func (s *saddle) judge() {
	norm := 0.0
	for _, w := range s.next.w {
		norm += math.Abs(w)
	}
	if f := s.ranking.objective(norm, s.next.u); f < s.objective {
		s.objective = f
		copy(s.bestW, s.next.w)
	}
	value, most := 0.0, 1.0
	for y, a := range s.next.alpha {
		value += float64(a * s.gap[y])
	}
	for _, g := range s.next.g {
		most = max(most, math.Abs(g))
	}
	if f := max(s.c*value/most, 0); f > s.dual {
		s.dual = f
		copy(s.bestAlpha, s.next.alpha)
	}
}

// moved is the length of the last step, in the norm in which steps do not become longer.
func (s *saddle) moved() float64 {
	sum := 0.0
	for j, w := range s.next.w {
		d := w - s.now.w[j]
		sum += float64(d*d) * s.at.balance / s.tau[j]
	}
	for i := range s.Lists {
		l := &s.Lists[i]
		squares, across := 0.0, 0.0
		for y := l.From; y < l.To; y++ {
			d := s.next.alpha[y] - s.now.alpha[y]
			squares += float64(d * d)
			across += float64(d * (s.next.u[y] - s.now.u[y]))
		}
		sum += squares/(s.sigma[i]*s.at.balance) - 2*across
	}
	return math.Sqrt(max(sum, 0))
}

// rebalance makes the ratio of the steps that of the ways since the restart.
func (s *saddle) rebalance() {
	w, alpha := 0.0, 0.0
	for j, x := range s.next.w {
		d := x - s.anchor.w[j]
		w += float64(d*d) / s.tau[j]
	}
	for i := range s.Lists {
		l := &s.Lists[i]
		for y := l.From; y < l.To; y++ {
			d := s.next.alpha[y] - s.anchor.alpha[y]
			alpha += float64(d*d) / s.sigma[i]
		}
	}
	if w > 0 && alpha > 0 {
		s.at.balance = math.Exp(smoothing*math.Log(math.Sqrt(alpha/w)) + (1-smoothing)*math.Log(s.at.balance))
	}
}

// relax goes as far beyond next again, and then back to the anchor by 1 − share. Products follow.
func (s *saddle) relax(share float64) {
	mix := func(now, next, anchor []float64) {
		for k, x := range now {
			now[k] = float64(share*(2*next[k]-x)) + float64((1-share)*anchor[k])
		}
	}
	mix(s.now.w, s.next.w, s.anchor.w)
	mix(s.now.alpha, s.next.alpha, s.anchor.alpha)
	mix(s.now.u, s.next.u, s.anchor.u)
	mix(s.now.g, s.next.g, s.anchor.g)
}
