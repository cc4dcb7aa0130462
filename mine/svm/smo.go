package svm

import (
	"context"
	"fmt"
	"math"
)

// problem is the dual of a soft-margin machine with a bias:
//
//	min ½ αᵀQα − Σα,  Q = y yᵀ ∘ K,  0 ≤ α ≤ c,  yᵀα = 0
//
// It is solved by sequential minimal optimization, whose working sets are chosen by
// second-order information (Fan, Chen & Lin 2005, Working Set Selection Using Second
// Order Information for Training SVM, WSS 2). Ties go to the lowest index.
type problem struct {
	rows    *rows
	y       []float64 // 1 or −1
	c       []float64 // the upper bound of each α
	epsilon float64   // the largest violation of the optimality conditions that is left

	diagonal []float64
	alpha    []float64
	gradient []float64 // Qα − 1
}

// solution is a machine: f(x) = Σ alpha·y·K + bias.
type solution struct {
	alpha        []float64
	bias         float64
	iterations   int
	primal, dual float64 // objectives: the gap between them is what is left to gain
}

// leastCurvature takes the place of a second derivative that is not positive.
const leastCurvature = 1e-12

// mostIterations bounds the search: rounding can keep it from a tiny epsilon.
const mostIterations = 10_000_000

func (p *problem) solve(ctx context.Context) (*solution, error) {
	n := len(p.y)
	p.alpha = make([]float64, n)
	p.gradient = make([]float64, n)
	p.diagonal = make([]float64, n)
	for i := range p.gradient {
		p.gradient[i] = -1
		p.diagonal[i] = p.rows.t.diagonal(i)
	}
	for iteration := 0; ; iteration++ {
		if iteration&0x3FF == 0 {
			if err := ctx.Err(); err != nil {
				return nil, err
			}
		}
		if iteration == mostIterations {
			return nil, fmt.Errorf("no solution within epsilon %v after %d iterations: raise epsilon, or lower C", p.epsilon, iteration)
		}
		i, j, ki, err := p.workingSet(ctx)
		if err != nil {
			return nil, err
		}
		if j < 0 {
			return p.solution(iteration), nil
		}
		kj, err := p.rows.get(j)
		if err != nil {
			return nil, err
		}
		p.step(i, j, ki, kj)
	}
}

// up and low say whether y·α of sample t may grow, or shrink.
func (p *problem) up(t int) bool {
	return p.y[t] > 0 && p.alpha[t] < p.c[t] || p.y[t] < 0 && p.alpha[t] > 0
}

func (p *problem) low(t int) bool {
	return p.y[t] > 0 && p.alpha[t] > 0 || p.y[t] < 0 && p.alpha[t] < p.c[t]
}

// workingSet returns the two variables to change, and the row of the first: i violates
// the conditions most, and j promises the largest decrease with it. j is −1 where no
// violation above epsilon is left.
func (p *problem) workingSet(ctx context.Context) (i, j int, ki []float64, err error) {
	i, j = -1, -1
	most, least := math.Inf(-1), math.Inf(1)
	for t := range p.y {
		v := -p.y[t] * p.gradient[t]
		if v > most && p.up(t) {
			i, most = t, v
		}
		if v < least && p.low(t) {
			least = v
		}
	}
	if i < 0 || most-least <= p.epsilon {
		return i, -1, nil, nil
	}
	if !p.rows.has(i) {
		if err := p.rows.fetch(ctx, p.ahead(i)); err != nil {
			return 0, 0, nil, err
		}
	}
	if ki, err = p.rows.get(i); err != nil {
		return 0, 0, nil, err
	}
	best := math.Inf(1)
	for t := range p.y {
		v := -p.y[t] * p.gradient[t]
		if v >= most || !p.low(t) {
			continue
		}
		b := most - v
		a := p.diagonal[i] + p.diagonal[t] - 2*ki[t]
		if a <= 0 {
			a = leastCurvature
		}
		if gain := -(b * b) / a; gain < best {
			j, best = t, gain
		}
	}
	return i, j, ki, nil
}

// ahead is i, whose row is missing, and, for the other workers, further samples that
// violate the conditions most: their rows are the likeliest to be asked for next.
func (p *problem) ahead(i int) []int {
	which := []int{i}
	worst := []float64{math.Inf(1)}
	n := min(p.rows.workers, p.rows.most/2)
	for t := range p.y {
		v := -p.y[t] * p.gradient[t]
		if t == i || !p.up(t) || len(which) == n && v <= worst[n-1] || p.rows.has(t) {
			continue
		}
		at := len(which)
		for at > 1 && worst[at-1] < v {
			at--
		}
		if len(which) < n {
			which, worst = append(which, 0), append(worst, 0)
		}
		if at < len(which) {
			copy(which[at+1:], which[at:])
			copy(worst[at+1:], worst[at:])
			which[at], worst[at] = t, v
		}
	}
	return which
}

// step moves α of i and j to where the objective is least along the line that keeps yᵀα,
// within the box.
func (p *problem) step(i, j int, ki, kj []float64) {
	a := p.diagonal[i] + p.diagonal[j] - 2*ki[j]
	if a <= 0 {
		a = leastCurvature
	}
	// y·α of i grows by d, that of j shrinks by it.
	d := (-p.y[i]*p.gradient[i] + p.y[j]*p.gradient[j]) / a
	d = min(d, p.room(i, p.y[i]), p.room(j, -p.y[j]))
	p.move(i, p.y[i], d)
	p.move(j, -p.y[j], d)
	for t := range p.gradient {
		p.gradient[t] += p.y[t] * float64(d*(ki[t]-kj[t]))
	}
}

// room is how far α of t can go in a direction.
func (p *problem) room(t int, direction float64) float64 {
	if direction > 0 {
		return p.c[t] - p.alpha[t]
	}
	return p.alpha[t]
}

// move moves α of t: to the bound itself where that is as far as it can go.
func (p *problem) move(t int, direction, d float64) {
	switch {
	case d < p.room(t, direction):
		p.alpha[t] += direction * d
	case direction > 0:
		p.alpha[t] = p.c[t]
	default:
		p.alpha[t] = 0
	}
}

// solution adds the bias and the objectives.
func (p *problem) solution(iterations int) *solution {
	s := &solution{alpha: p.alpha, bias: p.bias(), iterations: iterations}
	norm, sum, loss := 0.0, 0.0, 0.0
	for t, a := range p.alpha {
		norm += float64(a * (p.gradient[t] + 1))
		sum += a
		loss += float64(p.c[t] * max(0, -(p.gradient[t]+float64(p.y[t]*s.bias))))
	}
	s.primal, s.dual = norm/2+loss, sum-norm/2
	return s
}

// score is f of sample t, once there is a solution, also of one whose α may be nothing but 0.
func (p *problem) score(t int, s *solution) float64 {
	return float64(p.y[t]*(p.gradient[t]+1)) + s.bias
}

// bias is the mean over the free support vectors of what puts them on the margin, or the
// middle of what the others allow.
func (p *problem) bias() float64 {
	sum, free := 0.0, 0
	most, least := math.Inf(-1), math.Inf(1)
	for t, a := range p.alpha {
		v := -p.y[t] * p.gradient[t]
		if a > 0 && a < p.c[t] {
			sum += v
			free++
			continue
		}
		if p.up(t) {
			most = max(most, v)
		}
		if p.low(t) {
			least = min(least, v)
		}
	}
	switch {
	case free > 0:
		return sum / float64(free)
	case math.IsInf(most, 0):
		return least
	case math.IsInf(least, 0):
		return most
	}
	return (most + least) / 2
}
