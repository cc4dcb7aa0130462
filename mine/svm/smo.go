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
	// v[t] is −y·(Qα − 1) of sample t: how much the objective falls where y·α of t grows. An
	// optimum has none that may grow above one that may shrink.
	v []float64
	// may says whether y·α of a sample can grow, and whether it can shrink.
	may []direction

	first       int     // the sample with the largest v that may grow, −1 where there is none
	most, least float64 // that v, and the smallest of those that may shrink
}

// direction is what y·α of a sample may do.
type direction uint8

const (
	mayGrow direction = 1 << iota
	mayShrink
)

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
	p.v = make([]float64, n)
	p.diagonal = make([]float64, n)
	p.may = make([]direction, n)
	for i := range p.v {
		p.v[i] = p.y[i]
		p.diagonal[i] = p.rows.t.diagonal(i)
		p.bound(i)
	}
	p.update(0, p.y, p.y) // nothing: it finds the extremes
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

// bound notes what sample t may do.
func (p *problem) bound(t int) {
	p.may[t] = 0
	if p.y[t] > 0 && p.alpha[t] < p.c[t] || p.y[t] < 0 && p.alpha[t] > 0 {
		p.may[t] |= mayGrow
	}
	if p.y[t] > 0 && p.alpha[t] > 0 || p.y[t] < 0 && p.alpha[t] < p.c[t] {
		p.may[t] |= mayShrink
	}
}

// workingSet returns the two variables to change, and the row of the first: i violates
// the conditions most, and j promises the largest decrease with it. j is −1 where no
// violation above epsilon is left.
func (p *problem) workingSet(ctx context.Context) (i, j int, ki []float64, err error) {
	i, j = p.first, -1
	if i < 0 || p.most-p.least <= p.epsilon {
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
	best, most, diagonal := math.Inf(1), p.most, p.diagonal[i]
	for t, v := range p.v {
		if v >= most || p.may[t]&mayShrink == 0 {
			continue
		}
		b := most - v
		a := diagonal + p.diagonal[t] - 2*ki[t]
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
	for t, v := range p.v {
		if t == i || p.may[t]&mayGrow == 0 || len(which) == n && v <= worst[n-1] || p.rows.has(t) {
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
	d := (p.v[i] - p.v[j]) / a
	d = min(d, p.room(i, p.y[i]), p.room(j, -p.y[j]))
	p.move(i, p.y[i], d)
	p.move(j, -p.y[j], d)
	p.update(d, ki, kj)
}

// update subtracts d·(ki − kj) from v, and finds first, most and least in the same pass.
func (p *problem) update(d float64, ki, kj []float64) {
	first, most, least := -1, math.Inf(-1), math.Inf(1)
	for t, v := range p.v {
		v -= float64(d * (ki[t] - kj[t]))
		p.v[t] = v
		if v > most && p.may[t]&mayGrow != 0 {
			first, most = t, v
		}
		if v < least && p.may[t]&mayShrink != 0 {
			least = v
		}
	}
	p.first, p.most, p.least = first, most, least
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
	p.bound(t)
}

// solution adds the bias and the objectives.
func (p *problem) solution(iterations int) *solution {
	s := &solution{alpha: p.alpha, bias: p.bias(), iterations: iterations}
	norm, sum, loss := 0.0, 0.0, 0.0
	for t, a := range p.alpha {
		norm += float64(a * (1 - p.y[t]*p.v[t]))
		sum += a
		loss += float64(p.c[t] * max(0, p.y[t]*(p.v[t]-s.bias)))
	}
	s.primal, s.dual = norm/2+loss, sum-norm/2
	return s
}

// score is f of sample t, once there is a solution, also of one whose α may be nothing but 0.
func (p *problem) score(t int, s *solution) float64 {
	return p.y[t] - p.v[t] + s.bias
}

// bias is the mean over the free support vectors of what puts them on the margin, or the
// middle of what the others allow.
func (p *problem) bias() float64 {
	sum, free := 0.0, 0
	most, least := math.Inf(-1), math.Inf(1)
	for t, a := range p.alpha {
		v := p.v[t]
		if a > 0 && a < p.c[t] {
			sum += v
			free++
			continue
		}
		if p.may[t]&mayGrow != 0 {
			most = max(most, v)
		}
		if p.may[t]&mayShrink != 0 {
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
