package linear

import (
	"math"
)

// quadratic is the model of the objective around a point w, by the working set:
//
//	g·s + ½ Σ hess·(x·s)² + ‖w+s‖₁
//
// It is minimised by passes of coordinate descent.
type quadratic struct {
	hess     []float64 // by row
	pull     []float64 // by row: hess·(x·s)
	diagonal []float64 // by place in the working set, as the others
	step     []float64
	past     [anderson + 1][]float64 // steps after each pass
	mixed    []float64
}

const (
	// anderson is how many passes an extrapolation looks back on.
	anderson = 5
	// hessianFloor keeps steps finite where no row has curvature.
	hessianFloor = 1e-12
	// passShare is how exact a model is solved: to this share of its first violation.
	passShare  = 0.1
	mostPasses = 40
)

func (q *quadratic) solve(d *descent, fit *Fit) {
	n := len(d.active)
	q.diagonal, q.step = q.diagonal[:0], append(q.step[:0], make([]float64, n)...)
	for _, j := range d.active {
		q.diagonal = append(q.diagonal, max(d.x.dotSquares(int(j), q.hess), hessianFloor))
	}
	clear(q.pull)
	first := 0.0
	for pass := range mostPasses {
		fit.Iterations++
		violation := q.pass(d)
		if pass == 0 {
			first = violation
		}
		if violation <= passShare*first {
			return
		}
		k := pass % (anderson + 1)
		q.past[k] = append(q.past[k][:0], q.step...)
		if k == anderson {
			q.extrapolate(d)
		}
	}
}

// pass moves each coordinate to its minimum, and returns the sum of the violations of the
// optimality conditions that it met.
func (q *quadratic) pass(d *descent) (violation float64) {
	for k, j := range d.active {
		g := d.g[k] + d.x.Dot(int(j), q.pull)
		h, w := q.diagonal[k], d.w[j]+q.step[k]
		var s float64 // the minimum of the model with |w + s|
		switch {
		case g+1 <= h*w:
			s = -(g + 1) / h
		case g-1 >= h*w:
			s = -(g - 1) / h
		default:
			s = -w
		}
		if s == 0 {
			continue
		}
		violation += violationOf(w, g)
		if to := q.step[k] + s; w+s == 0 {
			q.step[k] = -d.w[j]
		} else {
			q.step[k] = to
		}
		d.x.addTimes(int(j), s, q.hess, q.pull)
	}
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

// extrapolate moves the step to where the last passes seem to go, if the model is less
// there: to the mean of them whose residual is least (Anderson 1965).
func (q *quadratic) extrapolate(d *descent) {
	var gram [anderson][anderson]float64
	for a := range anderson {
		for b := range a + 1 {
			sum := 0.0
			for k := range q.step {
				sum += float64((q.past[a+1][k] - q.past[a][k]) * (q.past[b+1][k] - q.past[b][k]))
			}
			gram[a][b], gram[b][a] = sum, sum
		}
	}
	c, ok := solveOnes(gram)
	if !ok {
		return
	}
	n := len(q.step)
	q.mixed = append(q.mixed[:0], make([]float64, n)...)
	for a, x := range c {
		for k, s := range q.past[a+1] {
			q.mixed[k] += float64(x * s)
		}
	}
	before := q.value(d)
	old := append([]float64(nil), q.pull...)
	q.step, q.mixed = q.mixed, q.step
	for k, j := range d.active {
		if w := d.w[j]; q.mixed[k] == -w && w != 0 {
			q.step[k] = -w // what was put to 0 stays there
		}
	}
	clear(q.pull)
	for k, j := range d.active {
		if s := q.step[k]; s != 0 {
			d.x.addTimes(int(j), s, q.hess, q.pull)
		}
	}
	if !(q.value(d) < before) {
		q.step, q.mixed = q.mixed, q.step
		copy(q.pull, old)
	}
}

// value is the model at the step.
func (q *quadratic) value(d *descent) (sum float64) {
	for k, j := range d.active {
		sum += float64(d.g[k]*q.step[k]) + math.Abs(d.w[j]+q.step[k])
	}
	for i, h := range q.hess {
		if h > 0 {
			sum += float64(q.pull[i]*q.pull[i]) / (2 * h)
		}
	}
	return sum
}

// solveOnes solves gram·c = 1 and scales c to the sum 1.
func solveOnes(m [anderson][anderson]float64) (c [anderson]float64, ok bool) {
	trace := 0.0
	for a := range anderson {
		trace += m[a][a]
		c[a] = 1
	}
	if !(trace > 0) {
		return c, false
	}
	for a := range anderson {
		m[a][a] += trace * 1e-12
	}
	for a := range anderson {
		if !(m[a][a] > 0) {
			return c, false
		}
		for b := a + 1; b < anderson; b++ {
			f := m[b][a] / m[a][a]
			for k := a; k < anderson; k++ {
				m[b][k] -= float64(f * m[a][k])
			}
			c[b] -= float64(f * c[a])
		}
	}
	sum := 0.0
	for a := anderson - 1; a >= 0; a-- {
		for k := a + 1; k < anderson; k++ {
			c[a] -= float64(m[a][k] * c[k])
		}
		c[a] /= m[a][a]
		sum += c[a]
	}
	if sum == 0 || math.IsNaN(sum) || math.IsInf(sum, 0) {
		return c, false
	}
	for a := range c {
		c[a] /= sum
	}
	return c, true
}
