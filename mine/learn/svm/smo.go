package svm

import (
	"context"
	"fmt"
	"math"
	"slices"
)

// solution is a machine: f(x) = Σ alpha·y·K + bias.
type solution struct {
	alpha        []float64
	bias         float64
	iterations   int
	primal, dual float64 // the objectives; the optimum is between them
}

// weights returns y·α of each sample.
func (s *solution) weights(y []float64) []float64 {
	w := make([]float64, len(y))
	for i, a := range s.alpha {
		w[i] = a * y[i]
	}
	return w
}

// mostIterations limits the iterations, because rounding can keep the solver from reaching a tiny epsilon.
const mostIterations = 10_000_000

// shrinkEvery is how many iterations pass before the solver looks again for samples to put aside.
const shrinkEvery = 1000

func (p *problem) solve(ctx context.Context) (*solution, error) {
	n := len(p.y)
	p.alpha = make([]float64, n)
	p.v = slices.Clone(p.y)
	p.diagonal = make([]float64, n)
	for i := range p.diagonal {
		p.diagonal[i] = p.rows.t.diagonal(i)
	}
	return p.search(ctx, p.all())
}

// search takes steps from the given state until the problem is solved.
func (p *problem) search(ctx context.Context, a *active) (*solution, error) {
	shrink := min(len(p.y), shrinkEvery)
	for iteration := 0; ; iteration++ {
		if iteration&0x3FF == 0 {
			if err := ctx.Err(); err != nil {
				return nil, err
			}
		}
		if iteration == mostIterations {
			return nil, fmt.Errorf("no solution within epsilon %v after %d iterations: raise epsilon, or lower C", p.epsilon, iteration)
		}
		if iteration > 0 && iteration%shrink == 0 {
			a = a.shrunk()
		}
		i, j, ki, err := a.workingSet(ctx)
		if err == nil && j < 0 {
			// Samples that were put aside can violate the optimality conditions now.
			if err = a.restore(ctx); err != nil {
				return nil, err
			}
			if a = p.all(); a.optimal() {
				return p.solution(a.may, iteration), nil
			}
			i, j, ki, err = a.workingSet(ctx)
		}
		if err != nil {
			return nil, err
		}
		kj, err := a.get(j)
		if err != nil {
			return nil, err
		}
		a.step(i, j, ki, kj)
	}
}

func (p *problem) solution(may []direction, iterations int) *solution {
	s := &solution{alpha: p.alpha, bias: p.bias(may), iterations: iterations}
	norm, sum, loss := 0.0, 0.0, 0.0
	for t, a := range p.alpha {
		norm += float64(a * (1 - p.y[t]*p.v[t]))
		sum += a
		loss += float64(p.c[t] * max(0, p.y[t]*(p.v[t]-s.bias)))
	}
	s.primal, s.dual = norm/2+loss, sum-norm/2
	return s
}

// score returns the decision value of sample t, which can be held out from training.
func (p *problem) score(t int, s *solution) float64 {
	return p.y[t] - p.v[t] + s.bias
}

// bias returns the mean of the biases that put each free support vector (0 < α < c) on the margin. Without
// free vectors, it returns the middle of the range that the other samples allow.
func (p *problem) bias(may []direction) float64 {
	sum, free := 0.0, 0
	most, least := math.Inf(-1), math.Inf(1)
	for t, a := range p.alpha {
		v := p.v[t]
		if a > 0 && a < p.c[t] {
			sum += v
			free++
			continue
		}
		if may[t]&mayGrow != 0 {
			most = max(most, v)
		}
		if may[t]&mayShrink != 0 {
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
