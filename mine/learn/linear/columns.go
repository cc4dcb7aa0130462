package linear

import (
	"context"
	"math"
)

// Columns is a binary problem of an L1 learner by its columns, to which others may be
// appended. Column 0 is the bias: 1 in every row, and not regularised. The objective is
//
//	Σ |w| + Σ over rows of c·loss(y·(b + w·x))
type Columns struct {
	X *Matrix   // row j is column j: the rows in which it is, and its values there
	Y []float64 // 1 or −1, of each row
	C []float64 // the price of a row's loss; 0 leaves the row out
	W []float64 // of each column; W[0] is the bias

	loss *loss
}

// NewColumns returns the problem of a learner that has nothing but the bias; ErrLearner if
// the learner's regulariser is not ‖w‖₁.
func NewColumns(l Learner, y, c []float64) (*Columns, error) {
	if l.l1 == nil {
		return nil, ErrLearner
	}
	p := &Columns{X: &Matrix{Columns: len(y), Start: []int{0}, unit: true}, Y: y, C: c, loss: l.l1}
	rows := make([]uint32, len(y))
	for i := range rows {
		rows[i] = uint32(i)
	}
	p.Append(rows, 0)
	return p, nil
}

// Append appends a column that is 1 in some rows, which ascend, with a weight.
func (p *Columns) Append(rows []uint32, w float64) {
	p.X.Column = append(p.X.Column, rows...)
	for range rows {
		p.X.Value = append(p.X.Value, 1)
	}
	p.X.Start = append(p.X.Start, len(p.X.Column))
	p.W = append(p.W, w)
}

// Truncate leaves the bias alone, with this weight.
func (p *Columns) Truncate(bias float64) {
	n := p.X.Start[1]
	p.X.Column, p.X.Value, p.X.Start = p.X.Column[:n], p.X.Value[:n], p.X.Start[:2]
	p.W = append(p.W[:0], bias)
}

// Solve moves W to where the objective over the columns is least, to o.Tolerance. theta is
// a point of the dual: the derivatives of the losses by w·x of each row, which add up to 0.
// It is feasible for a column if its sum over the rows of the column is at most 1 either
// way, and then bounds the objective by Dual.
func (p *Columns) Solve(ctx context.Context, o Options) (fit Fit, theta []float64, err error) {
	o.setDefaults()
	o.freeBias = true
	d := newDescent(&problem{cols: p.X, y: p.Y, c: p.C, o: &o}, *p.loss, p.W)
	fit, err = d.run(ctx)
	p.W = d.w
	return fit, balanced(d.grad), err
}

// balanced returns gradients of rows whose sum is not quite 0 with the larger side scaled.
func balanced(grad []float64) []float64 {
	sums := [2]float64{}
	for _, g := range grad {
		if g > 0 {
			sums[0] += g
		} else {
			sums[1] -= g
		}
	}
	theta := make([]float64, len(grad))
	least := min(sums[0], sums[1])
	for i, g := range grad {
		switch {
		case g > 0:
			theta[i] = g * (least / sums[0])
		case g < 0:
			theta[i] = g * (least / sums[1])
		}
	}
	return theta
}

// Dual is the objective of the dual at a share of theta, and a lower bound of the objective
// over all columns for which that is feasible.
func (p *Columns) Dual(theta []float64, share float64) float64 {
	return (&rows{p: &problem{c: p.C}, loss: *p.loss, grad: theta}).dual(share)
}

// Radius is the largest distance, in the dual, of a feasible point from the optimum whose
// objectives differ by gap: the dual is strongly concave (Ndiaye, Fercoq, Gramfort &
// Salmon 2017, thm 6).
func (p *Columns) Radius(gap float64) float64 {
	most := 0.0
	for _, c := range p.C {
		most = max(most, c)
	}
	return math.Sqrt(2 * max(gap, 0) * most / p.loss.concave)
}

// settleBias moves the bias, if it is free, to where the objective by it alone is least, so
// that the gradients of the rows add up to 0.
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
		if math.Abs(g) <= settled*all {
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
	// settled is the sum of gradients, as a share of their absolute sum, that counts as 0.
	settled      = 1e-14
	mostSettling = 60
)
