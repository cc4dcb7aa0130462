package linear

import (
	"context"
	"math"
	"math/rand/v2"
)

// l1 returns the solver of min ‖w‖₁ + Σ c·loss(y·w·x): coordinate descent by Newton
// directions in one dimension (CDN; Yuan, Chang, Hsieh & Lin 2010, §4).
func l1(ls loss) func(context.Context, *problem) ([]float64, Fit, error) {
	return func(ctx context.Context, p *problem) ([]float64, Fit, error) {
		d := &descent{
			rows: newRows(p, ls), x: p.cols, w: make([]float64, p.x.Columns),
			r: rand.New(rand.NewPCG(p.o.Seed, 0)),
		}
		fit, err := d.run(ctx)
		return d.w, fit, err
	}
}

// descent is the state of coordinate descent.
type descent struct {
	*rows
	x      *Matrix // by column
	w      []float64
	r      *rand.Rand
	active []uint32
}

const (
	// Line search: a step is shortened by half until it gains this share of what its
	// gradient promises.
	shorten     = 0.5
	leastGain   = 0.01
	mostHalving = 40
	// Features whose gradient is within this of the bound 1, or beyond, are looked at
	// until the next pass over all.
	nearBound = 0.9
	// A pass over all follows where the violations have come down to this share.
	innerShare  = 0.1
	innerPasses = 5
	// hessianFloor keeps Newton steps finite where no row has curvature.
	hessianFloor = 1e-12
)

func (d *descent) run(ctx context.Context) (Fit, error) {
	fit := Fit{Bound: math.Inf(-1)}
	s := newSupport(d)
	for {
		violation := d.survey(&fit)
		fit.Converged = fit.Gap() <= d.p.o.Tolerance
		if fit.Converged || fit.Iterations >= d.p.o.MaxIterations {
			return fit, nil
		}
		for range innerPasses {
			if err := ctx.Err(); err != nil {
				return fit, err
			}
			fit.Iterations++
			if d.pass() <= innerShare*violation {
				break
			}
		}
		if err := s.run(ctx, &fit); err != nil {
			return fit, err
		}
	}
}

// survey looks at all features: it sets the objective and, where it is a better one, the
// bound, chooses the active features, and returns the sum of their violations of the
// optimality conditions.
//
// The gradients of the rows, scaled so that no feature's is beyond 1, are a point of the
// dual, max −Σ c·conjugate.
func (d *descent) survey(fit *Fit) (violation float64) {
	d.active = d.active[:0]
	norm, most := 0.0, 1.0
	for j, w := range d.w {
		g, _ := d.derivatives(j)
		norm += math.Abs(w)
		most = max(most, math.Abs(g))
		if w != 0 || math.Abs(g) >= nearBound {
			d.active = append(d.active, uint32(j))
			violation += violationOf(w, g)
		}
	}
	fit.Objective = norm + d.total()
	fit.Bound = max(fit.Bound, d.dual(1/most))
	return violation
}

// violationOf is the distance of 0 from the subgradients of the objective by one weight.
func violationOf(w, g float64) float64 {
	switch {
	case w > 0:
		return math.Abs(g + 1)
	case w < 0:
		return math.Abs(g - 1)
	}
	return max(math.Abs(g)-1, 0)
}

// derivatives are those of the losses by the weight of feature j.
func (d *descent) derivatives(j int) (g, h float64) {
	rows, values := d.x.Row(j)
	for k, i := range rows {
		v := values[k]
		g += float64(d.grad[i] * v)
		h += float64(float64(d.hess[i]*v) * v)
	}
	return g, h
}

// pass takes a step in each active feature, in random order, and returns the sum of
// the violations that it met.
func (d *descent) pass() (violation float64) {
	d.r.Shuffle(len(d.active), func(a, b int) { d.active[a], d.active[b] = d.active[b], d.active[a] })
	for _, j := range d.active {
		violation += d.step(int(j))
	}
	return violation
}

// step moves the weight of feature j, and returns its violation before.
func (d *descent) step(j int) float64 {
	g, h := d.derivatives(j)
	w := d.w[j]
	v := violationOf(w, g)
	if v == 0 {
		return 0
	}
	h = max(h, hessianFloor)
	var s float64 // the minimum of the quadratic model with |w + s|
	switch {
	case g+1 <= h*w:
		s = -(g + 1) / h
	case g-1 >= h*w:
		s = -(g - 1) / h
	default:
		s = -w
	}
	promise := float64(g*s) + math.Abs(w+s) - math.Abs(w)
	if !(promise < 0) {
		return v
	}
	for range mostHalving {
		if d.change(j, s)+math.Abs(w+s)-math.Abs(w) <= leastGain*promise {
			d.move(j, s)
			break
		}
		s *= shorten
		promise *= shorten
	}
	return v
}

// change is the change of the losses by a step s in feature j.
func (d *descent) change(j int, s float64) (sum float64) {
	rows, values := d.x.Row(j)
	for k, i := range rows {
		value, _, _ := d.loss.at(d.margin[i] + float64(float64(s*values[k])*d.p.y[i]))
		sum += float64(d.p.c[i]*value) - d.value[i]
	}
	return sum
}

// move takes a step s in feature j.
func (d *descent) move(j int, s float64) {
	d.w[j] += s
	rows, values := d.x.Row(j)
	for k, i := range rows {
		d.set(int(i), d.margin[i]+float64(float64(s*values[k])*d.p.y[i]))
	}
}
