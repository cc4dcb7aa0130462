package rerank

import (
	"math"
	"slices"
)

// columns are indexes into Lists.Columns.
type columns []int

// sets returns the columns, grouped by Column.Set and then by Column.Choice, in their order.
func (l *Lists) sets() (sets [][]columns) {
	place := map[string]int{}
	variant := map[[2]int]int{}
	for i, c := range l.Columns {
		at, ok := place[c.Set]
		if !ok {
			at = len(sets)
			place[c.Set] = at
			sets = append(sets, nil)
		}
		key := [2]int{at, c.Choice}
		v, ok := variant[key]
		if !ok {
			v = len(sets[at])
			variant[key] = v
			sets[at] = append(sets[at], nil)
		}
		sets[at][v] = append(sets[at][v], i)
	}
	return sets
}

// candidateRows are the data from which the weights of columns are learned. A row has the columns of a
// candidate, and then the score of its vector. All numbers are centered by list, and scaled to a standard
// deviation of 1.
type candidateRows struct {
	width int
	rows  []float64
	costs []float64
	end   []int // where each list ends in costs
	scale []float64
}

// newCandidateRows makes the rows of the candidates in the given lists. `scores` is nil if there are no
// vectors.
func newCandidateRows(l *Lists, lists []int, use columns, scores Scores) *candidateRows {
	d := &candidateRows{width: len(use) + 1}
	d.scale = make([]float64, d.width)
	for _, i := range lists {
		x := &l.List[i]
		from, same := len(d.costs), true
		for t := range x.candidates() {
			cost := x.Trees[t].Counts.Errors(l.Kind)
			d.costs = append(d.costs, cost)
			same = same && cost == d.costs[from]
		}
		if same {
			d.costs = d.costs[:from]
			continue
		}
		at := len(d.rows)
		for t := range x.candidates() {
			for _, c := range use {
				d.rows = append(d.rows, x.Trees[t].beside(c))
			}
			d.rows = append(d.rows, scores.of(i, t))
		}
		d.center(d.rows[at:])
		d.end = append(d.end, len(d.costs))
	}
	for c := range d.scale {
		d.scale[c] = math.Sqrt(d.scale[c] / max(float64(len(d.costs)), 1))
	}
	for i := range d.rows {
		if s := d.scale[i%d.width]; s > 0 {
			d.rows[i] /= s
		}
	}
	return d
}

// center subtracts from each column its mean over one list, and adds the squares of the results to d.scale.
func (d *candidateRows) center(rows []float64) {
	n := len(rows) / d.width
	for c := range d.width {
		mean := 0.0
		for r := range n {
			mean += rows[r*d.width+c]
		}
		mean /= float64(n)
		for r := range n {
			x := &rows[r*d.width+c]
			*x -= mean
			d.scale[c] += float64(*x * *x)
		}
	}
}

// gradient sets g to the gradient at weights w. The loss is the mean over lists of the expected cost, plus
// ½·ridge·‖w‖². The chance of a candidate is in proportion to exp(score).
func (d *candidateRows) gradient(g, w []float64) {
	clear(g)
	from := 0
	var p []float64
	for _, end := range d.end {
		p = slices.Grow(p[:0], end-from)[:end-from]
		for k := range p {
			p[k] = inner(w, d.rows[(from+k)*d.width:])
		}
		Chances(p, p, 1)
		expected := 0.0
		for k, x := range p {
			expected += float64(x * d.costs[from+k])
		}
		for k, x := range p {
			x *= d.costs[from+k] - expected
			for c, v := range d.rows[(from+k)*d.width : (from+k+1)*d.width] {
				g[c] += float64(x * v)
			}
		}
		from = end
	}
	for c := range g {
		g[c] = g[c]/max(float64(len(d.end)), 1) + float64(ridge*w[c])
	}
}

// inner returns Σ a·b. Each product is rounded, so that the result is the same on every machine.
func inner(a, b []float64) (sum float64) {
	for i, x := range a {
		sum += float64(x * b[i])
	}
	return sum
}

// Chances sets dst to chances in proportion to exp(x/temperature). They add up to 1.
func Chances(dst, x []float64, temperature float64) {
	most, sum := slices.Max(x), 0.0
	for i, v := range x {
		dst[i] = math.Exp((v - most) / temperature)
		sum += dst[i]
	}
	for i := range dst {
		dst[i] /= sum
	}
}

// ridge is the price of ½‖w‖². It keeps random differences from giving large weights to columns that are
// almost equal. Values from 0.0001 to 0.1 make almost no difference.
const ridge = 0.01

// denseSteps is how often the weights are changed. Each weight has a step size of its own (Rprop without
// backtracking, Riedmiller & Braun 1993).
const (
	denseSteps = 100
	firstStep  = 0.1
	mostStep   = 1
)

// learn returns the weights of the unscaled columns, and then the weight of the vectors' scores, which is at
// least 0.
func (d *candidateRows) learn() []float64 {
	w, g, before, step := make([]float64, d.width), make([]float64, d.width), make([]float64, d.width), make([]float64, d.width)
	for c := range step {
		step[c] = firstStep
	}
	for range denseSteps {
		d.gradient(g, w)
		for c := range w {
			switch {
			case g[c]*before[c] > 0:
				step[c] = min(step[c]*1.2, mostStep)
			case g[c]*before[c] < 0:
				step[c] /= 2
			}
			if g[c] > 0 {
				w[c] -= step[c]
			} else if g[c] < 0 {
				w[c] += step[c]
			}
		}
		w[d.width-1] = max(w[d.width-1], 0)
		g, before = before, g
	}
	for c, s := range d.scale {
		if s > 0 {
			w[c] /= s
		} else {
			w[c] = 0
		}
	}
	return w
}

// weighed returns the score of tree t of list i: the weighted sum of its columns and its vector's score.
func (l *Lists) weighed(i, t int, use columns, w []float64, scores Scores) (sum float64) {
	for k, c := range use {
		sum += float64(w[k] * l.List[i].Trees[t].beside(c))
	}
	return sum + float64(w[len(use)]*scores.of(i, t))
}

func (t *Tree) beside(c int) float64 {
	if c < len(t.Beside) {
		return t.Beside[c]
	}
	return 0
}
