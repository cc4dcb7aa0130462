package linear

import (
	"context"
	"math"
)

// l1 returns the solver of min ‖w‖₁ + Σ c·loss(y·w·x) by Newton steps, with coordinate descent and a line
// search (Yuan, Ho & Lin 2012, newGLMNET). The method `leap` moves many weights at once (compare Bertrand &
// Massias 2021).
func l1(ls loss) func(context.Context, *problem, []float64) ([]float64, Fit, error) {
	return func(ctx context.Context, p *problem, w []float64) ([]float64, Fit, error) {
		d := newDescent(p, ls, w)
		fit, err := d.run(ctx)
		return d.w, fit, err
	}
}

const (
	// A step is halved until it gains at least leastGain times what the gradient promises.
	shorten     = 0.5
	leastGain   = 0.01
	mostHalving = 40
	// A column without a weight is in the working set if its absolute gradient is at least nearBound. At the
	// optimum, no absolute gradient is above 1.
	nearBound = 0.9
	// The solver also ends after mostStalled steps in a row that each gain less than stallShare·tolerance of
	// the objective.
	mostStalled = 4
	stallShare  = 0.02
	// If Options.Tolerance is 0, the solver ends when an unshortened step gains at most leastStep times the
	// objective. LIBLINEAR at -e 1e-4 ends farther from the optimum.
	leastStep = 1e-5
)

func newDescent(p *problem, ls loss, w []float64) *descent {
	if w == nil {
		w = make([]float64, p.cols.Rows())
	}
	d := &descent{rowLosses: newRows(p, ls), x: p.cols, w: w, along: make([]float64, len(p.y))}
	d.model.hess, d.model.pull, d.model.row = d.hess, make([]float64, len(p.y)), make([]float64, len(p.y))
	d.moveTo()
	return d
}

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
	for stalled, last := 0, math.Inf(1); ; last = fit.Objective {
		d.survey(&fit)
		fit.Converged = fit.Gap() <= d.p.o.Tolerance
		if fit.Converged || fit.Iterations >= d.p.o.MaxIterations {
			return fit, nil
		}
		if stalled++; last-fit.Objective > stallShare*d.p.o.Tolerance*fit.Objective {
			stalled = 0
		}
		if stalled == mostStalled {
			return fit, nil
		}
		if d.p.o.byGain && d.whole && last-fit.Objective <= leastStep*fit.Objective {
			fit.Converged = true
			return fit, nil
		}
		if err := ctx.Err(); err != nil {
			return fit, err
		}
		if err := d.model.solve(ctx, d, &fit); err != nil {
			return fit, err
		}
		if !d.newtonStep() {
			return fit, nil // no step gains any more: w is as exact as a float64 allows
		}
	}
}

// norm returns the part of the regulariser that comes from weight j, if its value is w.
func (d *descent) norm(j int, w float64) float64 {
	if d.isFree(j) {
		return 0
	}
	return math.Abs(w)
}

// survey computes the objective, the working set, and a lower bound from the dual.
func (d *descent) survey(fit *Fit) {
	d.settleBias()
	d.active, d.g = d.active[:0], d.g[:0]
	norm, most := 0.0, 1.0
	for j, w := range d.w {
		g := d.x.Dot(j, d.grad)
		norm += d.norm(j, w)
		if !d.isFree(j) {
			most = max(most, math.Abs(g))
		}
		if d.isFree(j) || w != 0 || math.Abs(g) >= nearBound {
			d.active, d.g = append(d.active, uint32(j)), append(d.g, g)
		}
	}
	fit.Objective = norm + d.total()
	fit.Bound = max(fit.Bound, d.dual(1/most))
}

// newtonStep moves along the step of d.model, and returns false if no move gains enough.
func (d *descent) newtonStep() bool {
	clear(d.along)
	promise := 0.0
	for k, j := range d.active {
		if s := d.model.step[k]; s != 0 {
			d.x.add(int(j), s, d.along)
			promise += float64(d.g[k]*s) + d.norm(int(j), d.w[j]+s) - d.norm(int(j), d.w[j])
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
			change += d.norm(int(j), d.w[j]+float64(t*d.model.step[k])) - d.norm(int(j), d.w[j])
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
			d.w[j] += float64(t * d.model.step[k]) // exactly 0 if the step is −w
		}
		d.whole = t == 1
		return true
	}
	return false
}

// settleBias sets an unregularised bias to its best value. Then the gradients of the rows add up to 0.
func (d *descent) settleBias() {
	if !d.p.o.freeBias {
		return
	}
	low, high := math.Inf(-1), math.Inf(1)
	for range mostSettling {
		g, all, h := 0.0, 0.0, 0.0
		for i, x := range d.grad {
			g += x
			all += math.Abs(x)
			h += d.hess[i]
		}
		if math.Abs(g) <= zeroShare*all {
			return
		}
		b := d.w[0]
		if g > 0 {
			high = b
		} else {
			low = b
		}
		to := b - g/max(h, hessianFloor)
		if !(to > low && to < high) {
			if to = (low + high) / 2; math.IsInf(to, 0) || math.IsNaN(to) {
				to = b - math.Copysign(1, g)
			}
		}
		if to == b {
			return
		}
		d.w[0] = to
		for i, m := range d.margin {
			d.set(i, m+float64((to-b)*d.p.y[i]))
		}
	}
}

const (
	// A sum of gradients counts as 0 if it is at most zeroShare times the sum of their absolute values.
	// settleBias tries at most mostSettling values.
	zeroShare    = 1e-14
	mostSettling = 60
)
