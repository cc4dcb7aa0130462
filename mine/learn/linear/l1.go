package linear

import (
	"context"
	"math"
)

// l1 returns the solver of min ‖w‖₁ + Σ c·loss(y·w·x): Newton steps in the weights that
// may matter. Each step minimises the quadratic model of the losses, with ‖w‖₁ as it is,
// by coordinate descent, and a line search follows (Yuan, Ho & Lin 2012, newGLMNET). Every
// few passes over the coordinates are extrapolated (Bertrand & Massias 2021): features that
// occur together, as fragments and their parts do, make single coordinates crawl.
func l1(ls loss) func(context.Context, *problem, []float64) ([]float64, Fit, error) {
	return func(ctx context.Context, p *problem, w []float64) ([]float64, Fit, error) {
		d := newDescent(p, ls, w)
		fit, err := d.run(ctx)
		return d.w, fit, err
	}
}

// descent is the state of the solver. Vectors are by column, or by row where rows says so.
type descent struct {
	*rows
	x      *Matrix // by column
	w      []float64
	active []uint32  // the columns of the working set, ascending
	g      []float64 // the derivatives of the losses, by place in active
	step   []float64 // a Newton step, by place in active
	along  []float64 // by row: how a step changes w·x
	model  quadratic
}

const (
	// Line search: a step is shortened by half until it gains this share of what its
	// gradient promises.
	shorten     = 0.5
	leastGain   = 0.01
	mostHalving = 40
	// Columns whose gradient is within this of the bound 1, or beyond, are in the working
	// set until all are looked at again.
	nearBound = 0.9
	// All columns are looked at again where the gap of the working set has come down to
	// this share.
	innerShare = 0.3
)

func newDescent(p *problem, ls loss, w []float64) *descent {
	if w == nil {
		w = make([]float64, p.x.Columns)
	}
	d := &descent{rows: newRows(p, ls), x: p.cols, w: w, along: make([]float64, p.x.Rows())}
	d.model.hess, d.model.pull = d.hess, make([]float64, p.x.Rows())
	d.moveTo()
	return d
}

// moveTo sets the margins to those of w.
func (d *descent) moveTo() {
	clear(d.along)
	for j, w := range d.w {
		if w != 0 {
			d.x.add(j, w, d.along)
		}
	}
	for i, s := range d.along {
		d.set(i, float64(d.p.y[i]*s))
	}
}

func (d *descent) run(ctx context.Context) (Fit, error) {
	fit := Fit{Bound: math.Inf(-1)}
	all := make([]uint32, len(d.w))
	for j := range all {
		all[j] = uint32(j)
	}
	for {
		d.active = append(d.active[:0], all...)
		bound := d.survey(&fit)
		fit.Bound = max(fit.Bound, bound)
		fit.Converged = fit.Gap() <= d.p.o.Tolerance
		if fit.Converged || fit.Iterations >= d.p.o.MaxIterations {
			return fit, nil
		}
		d.narrow()
		goal := max(innerShare*fit.Gap(), d.p.o.Tolerance/2)
		for {
			if err := ctx.Err(); err != nil {
				return fit, err
			}
			if !d.newtonStep(&fit) {
				break
			}
			inner := Fit{Bound: math.Inf(-1)}
			inner.Bound = d.survey(&inner)
			if inner.Gap() <= goal || fit.Iterations >= d.p.o.MaxIterations {
				break
			}
		}
	}
}

// survey sets the derivatives of the working set and the objective, and returns a lower
// bound of the objective with the working set alone.
//
// The gradients of the rows, scaled so that no feature's is beyond 1, are a point of the
// dual, max −Σ c·conjugate.
func (d *descent) survey(fit *Fit) (bound float64) {
	d.g = d.g[:0]
	norm, most := 0.0, 1.0
	for _, j := range d.active {
		g := d.x.Dot(int(j), d.grad)
		d.g = append(d.g, g)
		norm += math.Abs(d.w[j])
		most = max(most, math.Abs(g))
	}
	fit.Objective = norm + d.total()
	return d.dual(1 / most)
}

// narrow leaves in the working set what has a weight, or may get one.
func (d *descent) narrow() {
	n := 0
	for k, j := range d.active {
		if d.w[j] != 0 || math.Abs(d.g[k]) >= nearBound {
			d.active[n], d.g[n] = j, d.g[k]
			n++
		}
	}
	d.active, d.g = d.active[:n], d.g[:n]
}

// newtonStep takes a step in the working set, and says whether one gained.
func (d *descent) newtonStep(fit *Fit) bool {
	d.model.solve(d, fit)
	clear(d.along)
	promise := 0.0
	for k, j := range d.active {
		if s := d.model.step[k]; s != 0 {
			d.x.add(int(j), s, d.along)
			promise += float64(d.g[k]*s) + math.Abs(d.w[j]+s) - math.Abs(d.w[j])
		}
	}
	if !(promise < 0) {
		return false
	}
	before := d.total()
	for t, n := 1.0, 0; n < mostHalving; t, n = t*shorten, n+1 {
		change := -before
		for i, a := range d.along {
			value := d.value[i]
			if a != 0 {
				value, _, _ = d.loss.at(d.margin[i] + float64(float64(t*a)*d.p.y[i]))
				value *= d.p.c[i]
			}
			change += value
		}
		for k, j := range d.active {
			change += math.Abs(d.w[j]+float64(t*d.model.step[k])) - math.Abs(d.w[j])
		}
		if change > leastGain*t*promise {
			continue
		}
		for i, a := range d.along {
			if a != 0 {
				d.set(i, d.margin[i]+float64(float64(t*a)*d.p.y[i]))
			}
		}
		for k, j := range d.active {
			d.w[j] += float64(t * d.model.step[k]) // exactly 0 where it is to be: −w is added
		}
		return true
	}
	return false
}
