package linear

import (
	"context"
	"math"
	"math/rand/v2"
)

// l2SVM minimises ½‖w‖² + Σ c·loss(m) over the samples, where m = y·w·x is a sample's margin. It solves the
// dual, one variable at a time (Hsieh, Chang, Lin, Keerthi & Sundararajan 2008):
//
//	max Σ (α − α²/(4c)) − ½‖Σ α·y·x‖², α ≥ 0          for the loss max(0, 1−m)²
//	max Σ α − ½‖Σ α·y·x‖², 0 ≤ α ≤ c                   for the loss max(0, 1−m)
func l2SVM(ctx context.Context, p *problem, w []float64) ([]float64, Fit, error) {
	s := &ascent{p: p, alpha: make([]float64, p.x.Rows()), norm: make([]float64, p.x.Rows())}
	s.r = rand.New(rand.NewPCG(p.o.Seed, 0))
	s.begin(w)
	fit, err := s.run(ctx)
	return s.w, fit, err
}

// ascent is the state of the solver. Vectors have an element for each row, except w.
type ascent struct {
	p     *problem
	r     *rand.Rand
	w     []float64 // Σ α·y·x
	alpha []float64
	norm  []float64 // ‖x‖² plus bend, by row
	rows  []int     // the rows that are not shrunk

	// The largest and the least projected gradient of the last pass. Shrinking drops a variable at its bound
	// if its gradient is outside this range.
	maxProjected, minProjected float64
}

// begin sets α to the negative derivatives of the losses at the weights w, or to 0 if w is nil.
func (s *ascent) begin(w []float64) {
	s.w = make([]float64, s.p.x.Columns)
	for i := range s.alpha {
		_, values := s.p.x.Row(i)
		s.norm[i] = square(values) + s.bend(i)
		if w == nil {
			continue
		}
		if b := 1 - s.p.y[i]*s.p.x.Dot(i, w); b > 0 {
			s.alpha[i] = s.p.c[i]
			if !s.hinge() {
				s.alpha[i] *= 2 * b
			}
			s.p.x.add(i, s.alpha[i]*s.p.y[i], s.w)
		}
	}
	s.unshrink()
}

// hinge says whether the loss is max(0, 1−m), not its square.
func (s *ascent) hinge() bool { return s.p.o.Loss == Hinge }

// bend returns what the loss adds to the curvature of the dual in variable `i`.
func (s *ascent) bend(i int) float64 {
	if s.hinge() {
		return 0
	}
	return 1 / (2 * s.p.c[i])
}

// most returns the upper bound of variable `i`.
func (s *ascent) most(i int) float64 {
	if s.hinge() {
		return s.p.c[i]
	}
	return math.Inf(1)
}

func (s *ascent) run(ctx context.Context) (Fit, error) {
	fit := Fit{Bound: math.Inf(-1)}
	best := append([]float64(nil), s.w...)
	fit.Objective = math.Inf(1)
	for look := 0; ; look-- {
		if look <= 0 {
			primal, dual := s.survey()
			if primal < fit.Objective {
				fit.Objective = primal
				copy(best, s.w)
			}
			fit.Bound = max(fit.Bound, dual)
			fit.Converged = fit.Gap() <= s.p.o.Tolerance
			look = max(fit.Iterations/8, 1)
		}
		if fit.Converged || fit.Iterations >= mostDual*s.p.o.MaxIterations {
			s.w = best
			return fit, nil
		}
		if err := ctx.Err(); err != nil {
			return fit, err
		}
		fit.Iterations++
		if s.pass() <= shrunkEnough*math.Abs(fit.Gap()) && len(s.rows) < len(s.alpha) {
			s.unshrink()
		}
	}
}

const (
	// So many passes cost about as much as one iteration of another solver, and count as one.
	mostDual = 4
	// If the method `pass` returns at most shrunkEnough times the gap, the variables that it left out come
	// back.
	shrunkEnough = 0.3
)

func (s *ascent) unshrink() {
	s.rows = s.rows[:0]
	for i := range s.alpha {
		s.rows = append(s.rows, i)
	}
	s.maxProjected, s.minProjected = math.Inf(1), math.Inf(-1)
}

// survey returns the primal objective at w and the dual objective at α.
func (s *ascent) survey() (primal, dual float64) {
	half := square(s.w) / 2
	primal, dual = half, -half
	for i, a := range s.alpha {
		if b := 1 - s.p.y[i]*s.p.x.Dot(i, s.w); b > 0 {
			if !s.hinge() {
				b *= b
			}
			primal += float64(s.p.c[i] * b)
		}
		dual += a - float64(a*a)*s.bend(i)/2
	}
	return primal, dual
}

// pass maximises the dual over one variable after the other. It returns the difference between the largest
// and the least projected gradient.
func (s *ascent) pass() float64 {
	s.r.Shuffle(len(s.rows), func(a, b int) { s.rows[a], s.rows[b] = s.rows[b], s.rows[a] })
	high, low := math.Inf(-1), math.Inf(1)
	for k := 0; k < len(s.rows); k++ {
		i := s.rows[k]
		y, a := s.p.y[i], s.alpha[i]
		g := y*s.p.x.Dot(i, s.w) - 1 + float64(a*s.bend(i))
		least, most := a == 0, a > 0 && a == s.most(i)
		if least && g > s.maxProjected || most && g < s.minProjected {
			s.rows[k] = s.rows[len(s.rows)-1]
			s.rows = s.rows[:len(s.rows)-1]
			k--
			continue
		}
		projected := g
		if least {
			projected = min(g, 0)
		} else if most {
			projected = max(g, 0)
		}
		high, low = max(high, projected), min(low, projected)
		if math.Abs(projected) < 1e-12 || s.norm[i] == 0 {
			continue
		}
		to := min(max(a-g/s.norm[i], 0), s.most(i))
		s.alpha[i] = to
		s.p.x.add(i, (to-a)*y, s.w)
	}
	s.maxProjected, s.minProjected = math.Inf(1), math.Inf(-1)
	if high > 0 {
		s.maxProjected = high
	}
	if low < 0 {
		s.minProjected = low
	}
	return max(high-low, 0)
}
