package svm

import (
	"context"
	"math"
)

// problem is the dual problem of a soft-margin machine with a bias:
//
//	min ½ αᵀQα − Σα,  Q = y yᵀ ∘ K,  0 ≤ α ≤ c,  yᵀα = 0
//
// It is solved by sequential minimal optimization. Working sets are chosen by second-order information (Fan,
// Chen & Lin 2005, Working Set Selection Using Second Order Information for Training SVM, WSS 2). Ties go to
// the lowest index.
type problem struct {
	rows    *kernelRows
	y       []float64 // 1 or −1
	c       []float64 // the upper bound of each α
	epsilon float64   // the largest allowed violation of the optimality conditions

	diagonal []float64
	alpha    []float64
	// v[t] is the negative derivative of the objective by y·α of sample t, −y·(Qα − 1). At an optimum, v of a
	// sample with mayGrow is never above v of a sample with mayShrink.
	v []float64
}

// leastCurvature replaces a second derivative of the objective that is not positive.
const leastCurvature = 1e-12

// active is the part of a problem that the solver still works on after shrinking (Joachims 1999, Making
// Large-Scale SVM Learning Practical, §11.4). Shrinking puts aside samples that cannot be in a working set
// for now. The values of active samples are stored side by side, so that a step passes over little memory.
type active struct {
	p     *problem
	which []int // the places of the active samples in the problem, ascending; nil if all are active

	y, c, diagonal []float64
	alpha, v       []float64 // the problem's own slices if all samples are active
	// may[i] has the directions in which y·α of sample i can move.
	may []direction

	row     [][]float64 // by place: the active part of the sample's row, or nil if the row is not kept
	room    int         // how many further rows can be kept
	scratch [2][]float64

	first       int     // the sample with the largest v among the samples that can grow, or −1
	most, least float64 // v of the sample first, and the smallest v of the samples that can shrink
}

// direction is a set of mayGrow and mayShrink. It says in which directions y·α of a sample can move.
type direction uint8

const (
	mayGrow direction = 1 << iota
	mayShrink
)

// all returns the problem with every sample active.
func (p *problem) all() *active {
	a := &active{p: p, y: p.y, c: p.c, diagonal: p.diagonal, alpha: p.alpha, v: p.v, may: make([]direction, len(p.y))}
	for t := range a.may {
		a.bound(t)
	}
	a.update(0, a.y, a.y) // leaves v as it is, and sets the fields first, most and least
	return a
}

// bound sets may[t] to the directions in which y·α of sample t can move within its bounds.
func (a *active) bound(t int) {
	a.may[t] = 0
	if a.y[t] > 0 && a.alpha[t] < a.c[t] || a.y[t] < 0 && a.alpha[t] > 0 {
		a.may[t] |= mayGrow
	}
	if a.y[t] > 0 && a.alpha[t] > 0 || a.y[t] < 0 && a.alpha[t] < a.c[t] {
		a.may[t] |= mayShrink
	}
}

// place returns the index that active sample t has in the problem.
func (a *active) place(t int) int {
	if a.which == nil {
		return t
	}
	return a.which[t]
}

// get returns the active part of row t. The slice is valid until the second call after this one.
func (a *active) get(t int) ([]float64, error) {
	if a.which == nil {
		return a.p.rows.get(t)
	}
	if row := a.row[t]; row != nil {
		return row, nil
	}
	whole, err := a.p.rows.get(a.which[t])
	if err != nil {
		return nil, err
	}
	var row []float64
	if a.room > 0 {
		a.room--
		row = make([]float64, len(a.which))
		a.row[t] = row
	} else {
		a.scratch[0], a.scratch[1] = a.scratch[1], a.scratch[0]
		row = append(a.scratch[0][:0], a.v...) // a.v is only copied for its length
		a.scratch[0] = row
	}
	for n, i := range a.which {
		row[n] = whole[i]
	}
	return row, nil
}

// has says whether row t is in memory.
func (a *active) has(t int) bool {
	return a.which != nil && a.row[t] != nil || a.p.rows.has(a.place(t))
}

// workingSet returns the variables i and j to change, and the row of i. Variable i violates the optimality
// conditions most. If no violation is above epsilon, j is −1.
func (a *active) workingSet(ctx context.Context) (i, j int, ki []float64, err error) {
	i = a.first
	if a.optimal() {
		return i, -1, nil, nil
	}
	if !a.has(i) {
		if err := a.p.rows.fetch(ctx, a.ahead(i)); err != nil {
			return 0, 0, nil, err
		}
	}
	if ki, err = a.get(i); err != nil {
		return 0, 0, nil, err
	}
	return i, a.second(i, ki), ki, nil
}

// optimal says whether no violation is above epsilon.
func (a *active) optimal() bool { return a.first < 0 || a.most-a.least <= a.p.epsilon }

// second returns the partner of sample i that promises the largest decrease of the objective: b²/c, where b
// is the violation and c the second derivative.
func (a *active) second(i int, ki []float64) int {
	j, best, under := -1, 0.0, 1.0 // best/under is the largest decrease
	most, own := a.most, a.diagonal[i]
	v := a.v
	may, diagonal, ki := a.may[:len(v)], a.diagonal[:len(v)], ki[:len(v)]
	for t, x := range v {
		if x >= most || may[t]&mayShrink == 0 {
			continue
		}
		b := most - x
		c := own + diagonal[t] - 2*ki[t]
		if c <= 0 {
			c = leastCurvature
		}
		if b *= b; b*under > best*c || j < 0 {
			j, best, under = t, b, c
		}
	}
	return j
}

// ahead returns the rows to evaluate together, as indexes in the problem: row i, and the rows that are likely
// to be needed next.
func (a *active) ahead(i int) []int {
	which := []int{a.place(i)}
	worst := []float64{math.Inf(1)}
	n := min(a.p.rows.workers, a.p.rows.most/2)
	for t, v := range a.v {
		if t == i || a.may[t]&mayGrow == 0 || len(which) == n && v <= worst[n-1] || a.has(t) {
			continue
		}
		at := len(which)
		for at > 1 && worst[at-1] < v {
			at--
		}
		if len(which) < n {
			which, worst = append(which, 0), append(worst, 0)
		}
		if at < len(which) {
			copy(which[at+1:], which[at:])
			copy(worst[at+1:], worst[at:])
			which[at], worst[at] = a.place(t), v
		}
	}
	return which
}

// step minimises the objective over α of samples i and j, within their bounds. yᵀα stays the same.
func (a *active) step(i, j int, ki, kj []float64) {
	c := a.diagonal[i] + a.diagonal[j] - 2*ki[j]
	if c <= 0 {
		c = leastCurvature
	}
	// y·α of i grows by d, and y·α of j shrinks by d.
	d := (a.v[i] - a.v[j]) / c
	d = min(d, a.freedom(i, a.y[i]), a.freedom(j, -a.y[j]))
	a.move(i, a.y[i], d)
	a.move(j, -a.y[j], d)
	a.update(d, ki, kj)
}

// update subtracts d·(ki − kj) from a.v, and sets a.first, a.most and a.least.
func (a *active) update(d float64, ki, kj []float64) {
	first, most, least := -1, math.Inf(-1), math.Inf(1)
	v := a.v
	may, ki, kj := a.may[:len(v)], ki[:len(v)], kj[:len(v)]
	for t := range v {
		x := v[t] - float64(d*(ki[t]-kj[t]))
		v[t] = x
		if x > most && may[t]&mayGrow != 0 {
			first, most = t, x
		}
		if x < least && may[t]&mayShrink != 0 {
			least = x
		}
	}
	a.first, a.most, a.least = first, most, least
}

// freedom returns how far a.alpha[t] can move up (direction above 0) or down.
func (a *active) freedom(t int, direction float64) float64 {
	if direction > 0 {
		return a.c[t] - a.alpha[t]
	}
	return a.alpha[t]
}

// move adds direction·d to α of sample t. If α reaches its bound, move sets it to the bound exactly.
func (a *active) move(t int, direction, d float64) {
	switch {
	case d < a.freedom(t, direction):
		a.alpha[t] += direction * d
	case direction > 0:
		a.alpha[t] = a.c[t]
	default:
		a.alpha[t] = 0
	}
	a.bound(t)
}

// shrunk puts aside the samples that cannot be in a working set now, if they are at least an eighth of all
// active samples.
func (a *active) shrunk() *active {
	var left []int // places of samples in a
	for t, v := range a.v {
		if a.may[t]&mayGrow != 0 && v >= a.least || a.may[t]&mayShrink != 0 && v <= a.most {
			left = append(left, t)
		}
	}
	if len(left) > len(a.v)-len(a.v)/8 {
		return a
	}
	return a.only(left)
}

// only(left) returns the active samples with the indexes `left`, which must ascend, and puts the others
// aside.
func (a *active) only(left []int) *active {
	b := &active{
		p: a.p, which: make([]int, len(left)),
		y: pick(a.y, left), c: pick(a.c, left), diagonal: pick(a.diagonal, left),
		alpha: pick(a.alpha, left), v: pick(a.v, left), may: pick(a.may, left),
		row: make([][]float64, len(left)), room: a.p.rows.compact(len(left)),
	}
	for n, t := range left {
		b.which[n] = a.place(t)
		if a.which != nil && a.row[t] != nil && b.room > 0 {
			b.row[n] = pick(a.row[t], left)
			b.room--
		}
	}
	a.keep()
	b.update(0, b.y, b.y)
	return b
}

func pick[T any](of []T, places []int) []T {
	p := make([]T, len(places))
	for n, t := range places {
		p[n] = of[t]
	}
	return p
}

// keep copies α and v of the active samples to the problem.
func (a *active) keep() {
	for n, t := range a.which {
		a.p.alpha[t], a.p.v[t] = a.alpha[n], a.v[n]
	}
}

// restore copies α and v back to the problem, and computes v of the samples that were put aside.
func (a *active) restore(ctx context.Context) error {
	if a.which == nil {
		return nil
	}
	a.keep()
	p := a.p
	var aside []int
	for t, n := 0, 0; t < len(p.y); t++ {
		if n < len(a.which) && a.which[n] == t {
			n++
			continue
		}
		aside = append(aside, t)
		p.v[t] = p.y[t]
	}
	for i, alpha := range p.alpha {
		if alpha == 0 {
			continue
		}
		if err := ctx.Err(); err != nil {
			return err
		}
		row, err := p.rows.get(i)
		if err != nil {
			return err
		}
		w := p.y[i] * alpha
		for _, t := range aside {
			p.v[t] -= float64(w * row[t])
		}
	}
	return nil
}
