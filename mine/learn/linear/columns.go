package linear

import (
	"context"
	"math"
)

// Columns is a binary problem of an L1 learner, stored by columns. Column 0 is the bias: it is 1 in every row
// and is not regularised. The objective is
//
//	Σ |w| + Σ over rows of c·loss(y·(b + w·x))
//
// with the weights w, the bias b, and for each row x its price c and class y.
type Columns struct {
	X *Matrix   // row j of X is column j of the problem: the rows where it is not 0, and its values there
	Y []float64 // 1 or −1, by row
	C []float64 // the price of a row's loss; 0 leaves the row out
	W []float64 // the weight of each column; W[0] is the bias

	loss *loss
}

// NewColumns returns a problem whose only column is the bias. The error is ErrLearner if the learner's
// regulariser is not ‖w‖₁.
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

// Append appends a column with weight w. The column is 1 in the given rows, which must ascend.
func (p *Columns) Append(rows []uint32, w float64) {
	p.X.Column = append(p.X.Column, rows...)
	for range rows {
		p.X.Value = append(p.X.Value, 1)
	}
	p.X.Start = append(p.X.Start, len(p.X.Column))
	p.W = append(p.W, w)
}

// Truncate drops all columns but the bias, and sets the bias to this weight.
func (p *Columns) Truncate(bias float64) {
	n := p.X.Start[1]
	p.X.Column, p.X.Value, p.X.Start = p.X.Column[:n], p.X.Value[:n], p.X.Start[:2]
	p.W = append(p.W[:0], bias)
}

// Solve minimises the objective over the weights W, to a relative gap of o.Tolerance. It also returns a dual
// point: for each row, the derivative of its loss by w·x. The derivatives add up to 0.
func (p *Columns) Solve(ctx context.Context, o Options) (fit Fit, theta []float64, err error) {
	o.setDefaults()
	o.freeBias = true
	d := newDescent(&problem{cols: p.X, y: p.Y, c: p.C, o: &o}, *p.loss, p.W)
	fit, err = d.run(ctx)
	p.W = d.w
	return fit, balanced(d.grad), err
}

// balanced returns the gradients of the rows, scaled so that they add up to 0 in spite of rounding.
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

// Dual returns the dual objective at the point share·theta. It is a lower bound of the objective if |Σ
// share·theta| ≤ 1 in every column.
func (p *Columns) Dual(theta []float64, share float64) float64 {
	return (&rowLosses{p: &problem{c: p.C}, loss: *p.loss, grad: theta}).dual(share)
}

// Radius returns the largest possible distance between the dual optimum and a feasible point whose dual
// objective is lower by the gap (Ndiaye, Fercoq, Gramfort & Salmon 2017, thm 6).
func (p *Columns) Radius(gap float64) float64 {
	most := 0.0
	for _, c := range p.C {
		most = max(most, c)
	}
	return math.Sqrt(2 * max(gap, 0) * most / p.loss.concave)
}
