package gradient

import (
	"math"
	"math/bits"
	"slices"
)

// Update is how a weight follows its gradient.
type Update uint8

const (
	// Proximal is w ← soft(w + α(#f⁺−#f⁻), αC) (ALGORITHMS.md §3.2), α halved until the
	// objective falls.
	Proximal Update = iota
	// Literal is line 12 of Algorithm 1, w ← w + α(#f⁺−#f⁻ + C·sign w), with α as given:
	// its norm grows where it should fall.
	Literal
)

// String is the update's name.
func (u Update) String() string { return [...]string{"proximal", "literal"}[u] }

// after is a weight after a step α; d is #f⁺−#f⁻.
func (u Update) after(w, d, alpha, c float64) float64 {
	if u == Literal {
		return w + float64(alpha*(d+float64(c*sign(w))))
	}
	return soft(w+float64(alpha*d), alpha*c)
}

// slope is what a weight changes by for each unit of α while α is small.
func (u Update) slope(w, d, c float64) float64 {
	switch {
	case u == Literal:
		return d + float64(c*sign(w))
	case w == 0:
		return soft(d, c)
	}
	return d - float64(c*sign(w))
}

// kink is the α up to which the weight changes by its slope.
func (u Update) kink(w, d, c float64) float64 {
	if g := u.slope(w, d, c); u == Proximal && w != 0 && g*w < 0 {
		return -w / g
	}
	return math.Inf(1)
}

// change is how the weights of a class change, by feature id, for each of some steps: the
// largest first. A weight changes by its slope times the step, but in the first Kinked
// steps, which are beyond its kink.
type change struct {
	update Update
	c      float64
	steps  []float64
	w      []float64
	d      []int32
	slope  []float64
	kinked []uint8
}

// grow makes room for n features.
func (x *change) grow(n int) {
	x.w, x.d = slices.Grow(x.w, n), slices.Grow(x.d, n)
	x.slope, x.kinked = slices.Grow(x.slope, n), slices.Grow(x.kinked, n)
}

// add appends a feature that has weight w and gradient d.
func (x *change) add(w float64, d int32) {
	x.w, x.d = append(x.w, w), append(x.d, d)
	x.slope = append(x.slope, x.update.slope(w, float64(d), x.c))
	x.kinked = append(x.kinked, 0)
}

// try sets the steps, the largest first, and returns the norms ‖w‖₁ after each.
func (x *change) try(steps []float64) (norms []float64) {
	x.steps = steps
	norms = make([]float64, len(steps))
	for id, w := range x.w {
		d := float64(x.d[id])
		kink := x.update.kink(w, d, x.c)
		n := 0
		for k, alpha := range steps {
			if alpha > kink {
				n++
			}
			norms[k] += math.Abs(x.update.after(w, d, alpha, x.c))
		}
		x.kinked[id] = uint8(n)
	}
	return norms
}

// apply makes the step.
func (x *change) apply(alpha float64) {
	for id, w := range x.w {
		x.w[id] = x.update.after(w, float64(x.d[id]), alpha, x.c)
	}
}

// still says whether no step changes any weight.
func (x *change) still() bool {
	for _, g := range x.slope {
		if g != 0 {
			return false
		}
	}
	return true
}

// sums is what the scores of samples, in a class, change by, for each of some steps: slope times the
// step, plus what kinks add to that, nil where there are none so far.
type sums struct {
	slope []float64
	kinks [][]float64 // by step
}

func newSums(samples, steps int) *sums {
	return &sums{slope: make([]float64, samples), kinks: make([][]float64, steps)}
}

// add adds the change of a feature to a sample that has it.
func (s *sums) add(sample int, id uint32, x *change) {
	s.slope[sample] += x.slope[id]
	for k := range x.kinked[id] {
		if s.kinks[k] == nil {
			s.kinks[k] = make([]float64, len(s.slope))
		}
		w, alpha := x.w[id], x.steps[k]
		s.kinks[k][sample] += x.update.after(w, float64(x.d[id]), alpha, x.c) - (w + float64(alpha*x.slope[id]))
	}
}

// addSlope adds to the slopes of those samples from first on that a mask says.
func (s *sums) addSlope(first int, mask uint64, slope float64) {
	for ; mask != 0; mask &= mask - 1 {
		s.slope[first+bits.TrailingZeros64(mask)] += slope
	}
}

// join adds o, and empties it.
func (s *sums) join(o *sums) {
	for n, x := range o.slope {
		s.slope[n] += x
	}
	clear(o.slope)
	for k, kinks := range o.kinks {
		if kinks == nil {
			continue
		}
		if s.kinks[k] == nil {
			s.kinks[k] = make([]float64, len(s.slope))
		}
		for n, x := range kinks {
			s.kinks[k][n] += x
		}
		clear(kinks)
	}
}

// of is what step k, which is alpha, adds to the score of a sample.
func (s *sums) of(n, k int, alpha float64) float64 {
	x := float64(alpha * s.slope[n])
	if s.kinks[k] != nil {
		x += s.kinks[k][n]
	}
	return x
}
