package linear

import (
	"cmp"
	"context"
	"math"
	"slices"
)

// quadratic is a model of the objective around a point w, over the working set:
//
//	g·s + ½ Σ hess·(x·s)² + ‖w+s‖₁
//
// where s is the step from w, g the gradient of the loss, and hess its second derivative in each row x.
// Coordinate descent minimises the model. Between its passes, leaps move many coordinates together.
type quadratic struct {
	hess     []float64 // by row
	pull     []float64 // by row: hess·(x·s)
	diagonal []float64 // by place in the working set
	step     []float64 // by place in the working set

	// The state of a leap. residual[k] and scale[k] belong to coordinate place[k] of the working set.
	cg              conjugate
	place           []int
	residual, scale []float64
	row             []float64 // by row
	crossings       []crossing
}

const (
	// hessianFloor keeps the step of a column finite if all second derivatives of its rows are 0.
	hessianFloor = 1e-12
	// A model is solved until the optimality violations fall to this share of those in the first pass.
	passShare  = 0.3
	mostPasses = 10
	// A leap comes after every leapEvery passes. leapShare and mostInner are the limits of conjugate.solve.
	leapEvery = 5
	leapShare = 0.3
	mostInner = 15
	// ridge keeps leaps short where the model is flat. The value is a share of the mean second derivative.
	ridge = 1e-7
)

// solve sets q.step to about the minimum of the quadratic model.
func (q *quadratic) solve(ctx context.Context, d *descent, fit *Fit) error {
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
			return nil
		}
		if pass%leapEvery == leapEvery-1 {
			if err := q.leap(ctx, d); err != nil {
				return err
			}
		}
	}
	return nil
}

// pass moves each coordinate to the minimum of the model, and returns the sum of the optimality violations.
func (q *quadratic) pass(d *descent) (violation float64) {
	for k, j := range d.active {
		g := d.g[k] + d.x.Dot(int(j), q.pull)
		h, w := q.diagonal[k], d.w[j]+q.step[k]
		var s float64 // the value of s that minimises the model with |w + s|
		switch {
		case d.isFree(int(j)):
			s = -g / h
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
		violation += d.violationOf(int(j), w, g)
		if to := q.step[k] + s; w+s == 0 {
			q.step[k] = -d.w[j]
		} else {
			q.step[k] = to
		}
		d.x.addTimes(int(j), s, q.hess, q.pull)
	}
	return violation
}

// violationOf returns how far 0 is from the subgradients of the objective with respect to weight j.
func (d *descent) violationOf(j int, w, g float64) float64 {
	switch {
	case d.isFree(j):
		return math.Abs(g)
	case w > 0:
		return math.Abs(g + 1)
	case w < 0:
		return math.Abs(g - 1)
	}
	return max(math.Abs(g)-1, 0)
}

// leap moves all coordinates that are not 0 at once, in a direction from conjugate gradients. A weight that
// would cross 0 stops at 0 (Andrew & Gao 2007, §3.2).
func (q *quadratic) leap(ctx context.Context, d *descent) error {
	q.place, q.residual, q.scale = q.place[:0], q.residual[:0], q.scale[:0]
	curvature := 0.0
	for k, j := range d.active {
		if w := d.w[j] + q.step[k]; w != 0 {
			q.place = append(q.place, k)
			q.residual = append(q.residual, d.g[k]+d.x.Dot(int(j), q.pull)+d.sign(int(j), w))
			q.scale = append(q.scale, q.diagonal[k])
			curvature += q.diagonal[k]
		}
	}
	if len(q.place) == 0 {
		return nil
	}
	small := ridge * curvature / float64(len(q.place))
	for k := range q.scale {
		q.scale[k] += small
	}
	err := q.cg.solve(ctx, q.residual, q.scale, leapShare, mostInner, func(v, product []float64) {
		q.rowsOf(d, v)
		for k, at := range q.place {
			product[k] = float64(small*v[k]) + d.x.Dot(int(d.active[at]), q.row)
		}
	})
	if err != nil {
		return err
	}
	q.along(d, q.cg.step)
	return nil
}

// rowsOf sets q.row to hess·(x·v). The element v[k] belongs to coordinate q.place[k] of the working set.
func (q *quadratic) rowsOf(d *descent, v []float64) {
	clear(q.row)
	for k, at := range q.place {
		if v[k] != 0 {
			d.x.addTimes(int(d.active[at]), v[k], q.hess, q.row)
		}
	}
}

// descent is the state of the solver l1. Vectors are by column, unless their comment says otherwise.
type descent struct {
	*rowLosses
	x      *Matrix // the transposed matrix: its rows are the columns
	w      []float64
	active []uint32  // the columns of the working set, ascending
	g      []float64 // the derivatives of the losses by the weights of active
	along  []float64 // by row: how a step changes w·x
	whole  bool      // whether the last step was taken without being shortened
	model  quadratic
}

// isFree says whether weight j is not regularised.
func (d *descent) isFree(j int) bool { return j == 0 && d.p.o.freeBias }

// sign returns the derivative of the regulariser by weight j at a value w, which is not 0.
func (d *descent) sign(j int, w float64) float64 {
	if d.isFree(j) {
		return 0
	}
	return math.Copysign(1, w)
}

// crossing says that coordinate k becomes 0 after a move by t times the direction.
type crossing struct {
	t float64
	k int
}

// along moves the step in the direction v until the first minimum of the model. A coordinate that becomes 0
// on the way stays 0.
func (q *quadratic) along(d *descent, v []float64) {
	q.rowsOf(d, v)
	q.crossings = q.crossings[:0]
	slope, bend := 0.0, 0.0
	for k, at := range q.place {
		j := int(d.active[at])
		slope += float64(v[k] * q.residual[k])
		bend += float64(v[k] * d.x.Dot(j, q.row))
		if w := d.w[j] + q.step[at]; w*v[k] < 0 && !d.isFree(j) {
			q.crossings = append(q.crossings, crossing{-w / v[k], k})
		}
	}
	slices.SortFunc(q.crossings, func(a, b crossing) int {
		return cmp.Or(cmp.Compare(a.t, b.t), cmp.Compare(a.k, b.k))
	})
	// After a move by t·v, hess·(x·step) is base + t·q.row.
	base := q.pull
	t, next := 0.0, 0
	for slope < 0 {
		if bend > 0 {
			if to := t - slope/bend; next == len(q.crossings) || to <= q.crossings[next].t {
				t = to
				break
			}
		} else if next == len(q.crossings) {
			break
		}
		c := q.crossings[next]
		next++
		slope += float64((c.t - t) * bend)
		t = c.t
		at := q.place[c.k]
		j, s := int(d.active[at]), v[c.k]
		rowDot := d.x.Dot(j, q.row)
		slope -= float64(s * (d.g[at] + d.x.Dot(j, base) + float64(t*rowDot) - math.Copysign(1, s)))
		bend += float64(s*s)*q.diagonal[at] - 2*float64(s*rowDot)
		d.x.addTimes(j, -s, q.hess, q.row)
		d.x.addTimes(j, t*s, q.hess, base)
		q.step[at], v[c.k] = -d.w[j], 0
	}
	for k, at := range q.place {
		q.step[at] += float64(t * v[k])
	}
	clear(q.pull)
	for k, j := range d.active {
		if s := q.step[k]; s != 0 {
			d.x.addTimes(int(j), s, q.hess, q.pull)
		}
	}
}
