package linear

import (
	"math"
)

type problem struct {
	x    *Matrix
	cols *Matrix   // the transpose of x
	y    []float64 // 1 or −1, by row
	c    []float64 // the price of each row's loss
	o    *Options
}

// Fit says how a solver ended. The objective is
//
//	regulariser(w) + Σ over samples of c·loss(y·w·x)
//
// where the regulariser is ‖w‖₁ or ½‖w‖².
type Fit struct {
	Objective float64
	// Bound is the dual objective, a lower bound of the least objective. Bound and Objective are NaN for a
	// learner without an objective.
	Bound      float64
	Iterations int  // passes over the samples or the features, or Newton steps
	Converged  bool // whether the solver reached its tolerance; for a perceptron, whether Mistakes is 0
	Mistakes   int  // a perceptron's mistakes in the last epoch
}

// Gap returns the relative duality gap: the objective can fall by at most this share of itself.
func (f *Fit) Gap() float64 {
	if f.Objective <= 0 {
		return 0
	}
	return (f.Objective - f.Bound) / f.Objective
}

// rowLosses has the margin y·w·x of each row, and the loss at this margin.
type rowLosses struct {
	p      *problem
	loss   loss
	margin []float64
	value  []float64 // c·loss
	grad   []float64 // c·loss′·y: the derivative of the loss by w·x
	hess   []float64 // c·loss″
}

func newRows(p *problem, l loss) *rowLosses {
	n := len(p.y)
	r := &rowLosses{p: p, loss: l, margin: make([]float64, n), value: make([]float64, n), grad: make([]float64, n), hess: make([]float64, n)}
	for i := range n {
		r.set(i, 0)
	}
	return r
}

// set sets the margin of row i, and computes the loss at this margin.
func (r *rowLosses) set(i int, margin float64) {
	value, first, second := r.loss.at(margin)
	c := r.p.c[i]
	r.margin[i] = margin
	r.value[i], r.grad[i], r.hess[i] = c*value, float64(c*first)*r.p.y[i], c*second
}

func (r *rowLosses) total() (sum float64) {
	for _, v := range r.value {
		sum += v
	}
	return sum
}

// dual returns the losses' part of the dual objective, at the dual point −scale·c·loss′. The scale must be at
// most 1.
func (r *rowLosses) dual(scale float64) (sum float64) {
	for i, g := range r.grad {
		if c := r.p.c[i]; c > 0 {
			sum -= float64(c * r.loss.conjugate(scale*math.Abs(g)/c))
		}
	}
	return sum
}
