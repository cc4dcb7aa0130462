package linear

import (
	"context"
	"math"
)

// l2 returns the solver of min ½‖w‖² + Σ c·loss(y·w·x) for a loss with two derivatives. Conjugate gradients
// find each Newton step (Lin, Weng & Keerthi 2008, with a line search in place of the trust region).
func l2(ls loss) func(context.Context, *problem, []float64) ([]float64, Fit, error) {
	return func(ctx context.Context, p *problem, w []float64) ([]float64, Fit, error) {
		n := p.x.Columns
		s := &newton{
			rowLosses: newRows(p, ls), w: w,
			g: make([]float64, n), diagonal: make([]float64, n), along: make([]float64, p.x.Rows()),
		}
		if w == nil {
			s.w = make([]float64, n)
		}
		for i := range s.along {
			s.set(i, float64(p.y[i]*p.x.Dot(i, s.w)))
		}
		fit, err := s.run(ctx)
		return s.w, fit, err
	}
}

// mostProducts is the largest number of products with the Hessian in one step.
const mostProducts = 250

// newton is the state of the solver. Vectors are by feature, unless their comment says otherwise.
type newton struct {
	*rowLosses
	cg             conjugate
	w, g, diagonal []float64
	along          []float64 // the change of each margin by a whole step
}

func (s *newton) run(ctx context.Context) (Fit, error) {
	fit := Fit{Bound: math.Inf(-1)}
	for {
		s.survey(&fit)
		fit.Converged = fit.Gap() <= s.p.o.Tolerance
		if fit.Converged || fit.Iterations >= s.p.o.MaxIterations {
			return fit, nil
		}
		if err := s.newtonStep(ctx); err != nil {
			return fit, err
		}
		fit.Iterations++
		if !s.search(fit.Objective) {
			return fit, nil // no step gains any more: w is as exact as a float64 allows
		}
	}
}

// survey computes the gradient, the objective, and a lower bound from the dual.
func (s *newton) survey(fit *Fit) {
	copy(s.g, s.w)
	for i, a := range s.grad {
		s.p.x.add(i, a, s.g)
	}
	primal, dual := 0.0, 0.0
	for j, w := range s.w {
		v := w - s.g[j]
		primal += float64(w * w)
		dual += float64(v * v)
	}
	fit.Objective = primal/2 + s.total()
	fit.Bound = max(fit.Bound, s.dual(1)-dual/2)
}

// newtonStep sets step to about −H⁻¹g, where H is the Hessian.
func (s *newton) newtonStep(ctx context.Context) error {
	for j := range s.diagonal {
		s.diagonal[j] = 1
	}
	for i, h := range s.hess {
		columns, values := s.p.x.Row(i)
		for k, c := range columns {
			s.diagonal[c] += float64(float64(h*values[k]) * values[k])
		}
	}
	// Steps become more exact as the gradient vanishes, so convergence is superlinear.
	share := min(0.1, math.Sqrt(math.Sqrt(square(s.g))))
	return s.cg.solve(ctx, s.g, s.diagonal, share, mostProducts, s.hessian)
}

// hessian sets product to H·v, where H is the Hessian.
func (s *newton) hessian(v, product []float64) {
	copy(product, v)
	for i, h := range s.hess {
		if a := h * s.p.x.Dot(i, v); a != 0 {
			s.p.x.add(i, a, product)
		}
	}
}

// search tries the step, then half of it, and so on, until a move gains enough. It returns false if none
// does.
func (s *newton) search(objective float64) bool {
	ww, wd, dd := square(s.w), dot(s.w, s.cg.step), square(s.cg.step)
	promise := dot(s.g, s.cg.step)
	for i := range s.along {
		s.along[i] = s.p.y[i] * s.p.x.Dot(i, s.cg.step)
	}
	for t, n := 1.0, 0; n < mostHalving; t, n = t*shorten, n+1 {
		f := ww/2 + float64(t*wd) + float64(t*t)*dd/2
		for i, a := range s.along {
			value, _, _ := s.loss.at(s.margin[i] + float64(t*a))
			f += float64(s.p.c[i] * value)
		}
		if f-objective > leastGain*t*promise {
			continue
		}
		for i, a := range s.along {
			s.set(i, s.margin[i]+float64(t*a))
		}
		for j, d := range s.cg.step {
			s.w[j] += float64(t * d)
		}
		return true
	}
	return false
}
