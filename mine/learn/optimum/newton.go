package optimum

import (
	"math"
	"slices"

	"gonum.org/v1/gonum/mat"
)

// ridge keeps steps finite where the objective is flat. It is a share of the mean second derivative.
const ridge = 1e-9

// leap sets t.step to the Newton step to the minimum, or returns false if it finds no step. It assumes that
// no weight changes its sign.
func (t *trial) leap() bool {
	q := &t.newton
	q.columns = q.columns[:0]
	for j, w := range t.at.w {
		if w != 0 || math.Abs(t.g[j]) > 1 {
			q.columns = append(q.columns, j)
		}
	}
	n := len(q.columns)
	if n == 0 {
		return false
	}
	t.transpose()
	if cap(q.h) < n*n {
		q.h, q.x, q.sums = make([]float64, n*n), make([]float64, n), make([]float64, n)
	}
	q.h, q.x, q.sums = q.h[:n*n], q.x[:n], q.sums[:n]
	clear(q.h)
	for i := range t.Lists {
		t.addList(i)
	}
	trace := 0.0
	for k := range n {
		trace += q.h[k*n+k]
	}
	small := ridge*trace/float64(n) + math.SmallestNonzeroFloat64
	for k, j := range q.columns {
		q.h[k*n+k] += small
		sign := -math.Copysign(1, t.g[j])
		if w := t.at.w[j]; w != 0 {
			sign = math.Copysign(1, w)
		}
		q.x[k] = -(t.g[j] + sign) / (t.at.sigma * t.c * t.c)
	}
	var factor mat.Cholesky
	if !factor.Factorize(mat.NewSymDense(n, q.h)) {
		return false
	}
	x := mat.NewVecDense(n, q.x)
	if err := factor.SolveVecTo(x, x); err != nil {
		if _, rough := err.(mat.Condition); !rough {
			return false
		}
	}
	clear(t.step)
	for k, j := range q.columns {
		t.step[j] = q.x[k]
	}
	return true
}

// transpose lists, for each row with alpha above 0, the columns of the Newton step that are not 0 in the row.
func (t *trial) transpose() {
	q := &t.newton
	n := len(t.alpha)
	q.start = append(q.start[:0], make([]int, n+1)...)
	each := func(f func(place int32, y uint32)) {
		for k, j := range q.columns {
			plus, minus := t.column(j)
			for _, y := range plus {
				if t.alpha[y] > 0 {
					f(int32(k+1), y)
				}
			}
			for _, y := range minus {
				if t.alpha[y] > 0 {
					f(-int32(k+1), y)
				}
			}
		}
	}
	each(func(_ int32, y uint32) { q.start[y+1]++ })
	for y := range n {
		q.start[y+1] += q.start[y]
	}
	q.next = append(q.next[:0], q.start...)
	q.entry = append(q.entry[:0], make([]int32, q.start[n])...)
	each(func(place int32, y uint32) {
		q.entry[q.next[y]] = place
		q.next[y]++
	})
}

// addList adds the second derivatives of a list to the upper triangle of h (see the type newton).
func (t *trial) addList(i int) {
	q, l := &t.newton, &t.Lists[i]
	n := len(q.columns)
	q.touched = q.touched[:0]
	for y := l.From; y < l.To; y++ {
		row := q.entry[q.start[y]:q.start[y+1]]
		for k, e := range row {
			a, sign := placeOf(e)
			q.touched = append(q.touched, a)
			q.sums[a] += sign
			for _, f := range row[k:] {
				b, other := placeOf(f)
				q.h[a*n+b] += sign * other
			}
		}
	}
	slices.Sort(q.touched)
	q.touched = slices.Compact(q.touched)
	for _, a := range q.touched {
		if x := t.mean[i] * q.sums[a]; x != 0 {
			for _, b := range q.touched {
				if a <= b {
					q.h[a*n+b] -= float64(x * q.sums[b])
				}
			}
		}
	}
	for _, a := range q.touched {
		q.sums[a] = 0
	}
}

// placeOf decodes an entry of a row: an index in q.columns, and the column's value in the row, 1 or −1.
func placeOf(entry int32) (place int, sign float64) {
	if entry < 0 {
		return int(-entry) - 1, -1
	}
	return int(entry) - 1, 1
}
