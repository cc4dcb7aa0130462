package rerank

import (
	"math"
	"slices"
)

// Column is a number that every candidate has beside its vector, such as the parser's score.
type Column struct {
	Name   string
	Set    string // columns of one set are used together, or not at all
	Choice int    // tells variants of a set apart: only the columns of one value are used
}

// columns are some of the columns of lists, by number.
type columns []int

// sets are the columns by Column.Set, in the order in which they come first, and of each set its
// variants.
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

// candidateRows are what the weights of columns are learned from: lists whose candidates differ in cost. A
// row is a candidate, with an element a column, and the last the score of its vector. Columns are
// scaled to a standard deviation of 1 about the mean of their list.
type candidateRows struct {
	width int
	rows  []float64
	costs []float64
	end   []int // of each list, in costs
	scale []float64
}

// newCandidateRows prepares lists. Scores are those of the vectors; nil: there are none.
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

// center takes the mean of a list from its rows, and adds their squares to scale.
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

// gradient sets g to that of what the weights lose: the mean over lists of the expected cost,
// where the chance of a candidate is in proportion to the exponential of its score, and half of
// ridge times the squares of the weights.
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

// inner is Σ a·b, as far as a goes; it is the same on every machine.
func inner(a, b []float64) (sum float64) {
	for i, x := range a {
		sum += float64(x * b[i])
	}
	return sum
}

// Chances sets dst to chances in proportion to exp(x/temperature).
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

// ridge is what the squares of weights cost; columns have a standard deviation of 1. It keeps many
// columns that say the same apart from chance: from 0.0001 to 0.1 it makes next to no difference.
const ridge = 0.01

// denseSteps is how often weights are changed, and firstStep by how much at first (Riedmiller &
// Braun 1993, Rprop without backtracking: a step of its own for each weight, which grows while
// the sign of its gradient stays, and is halved where it changes).
const (
	denseSteps = 100
	firstStep  = 0.1
	mostStep   = 1
)

// learn returns the weights, of columns as they were before they were scaled. That of the
// vectors' score is not below 0.
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

// weighed is the score of a candidate by the weights of columns, and of its vector's score.
func (l *Lists) weighed(i, t int, use columns, w []float64, scores Scores) (sum float64) {
	for k, c := range use {
		sum += float64(w[k] * l.List[i].Trees[t].beside(c))
	}
	return sum + float64(w[len(use)]*scores.of(i, t))
}

// beside is a column of a tree: those that it lacks are 0.
func (t *Tree) beside(c int) float64 {
	if c < len(t.Beside) {
		return t.Beside[c]
	}
	return 0
}
