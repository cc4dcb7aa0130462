package gradient

import (
	"errors"
	"math"
	"math/bits"
)

// Update is the rule by which weights follow their gradients.
type Update uint8

const (
	// Proximal is the update of mine/README.md, "Gradient". The step size α is halved until the objective
	// falls.
	Proximal Update = iota
	// Literal is line 12 of Algorithm 1, w ← w + α(#f⁺−#f⁻ + C·sign w), with α as given. The term C·sign w
	// makes the norm grow.
	Literal
)

// String returns the name that settings record.
func (u Update) String() string { return [...]string{"proximal", "literal"}[u] }

// newWeight returns the weight w after a step of size alpha, where d is #f⁺−#f⁻ (see change.d).
func (u Update) newWeight(w, d, alpha, c float64) float64 {
	if u == Literal {
		return w + float64(alpha*(d+float64(c*sign(w))))
	}
	return soft(w+float64(alpha*d), alpha*c)
}

// slope returns how much a weight changes per unit of step size, for steps up to u.kink(w, d, c).
func (u Update) slope(w, d, c float64) float64 {
	switch {
	case u == Literal:
		return d + float64(c*sign(w))
	case w == 0:
		return soft(d, c)
	}
	return d - float64(c*sign(w))
}

// kink returns the step size up to which a weight changes by slope · step size.
func (u Update) kink(w, d, c float64) float64 {
	if g := u.slope(w, d, c); u == Proximal && w != 0 && g*w < 0 {
		return -w / g
	}
	return math.Inf(1)
}

// change says how the weights of a class change, by feature id, for steps of several sizes. The largest step
// comes first.
//
// There can be tens of millions of features, so values that follow from weight and gradient are not stored. A
// feature takes 4 bytes in the first iteration, and 12 bytes later (see column).
type change struct {
	update Update
	c      float64
	steps  []float64
	w      column[float64] // weights before the step; empty if all are 0
	d      column[int32]   // #f⁺−#f⁻
	made   float64         // the step that was made; 0 until a step is made
}

// add appends a feature with weight w and gradient d. The features must come in the order of their ids.
func (x *change) add(w float64, d int32) {
	if w != 0 && x.w.n == 0 {
		for range x.d.n {
			x.w.add(0)
		}
	}
	if w != 0 || x.w.n > 0 {
		x.w.add(w)
	}
	x.d.add(d)
}

// numbers returns the number of feature ids, including the id 0, which no feature has.
func (x *change) numbers() uint32 { return x.d.n }

// oldWeight returns the weight of a feature before the step.
func (x *change) oldWeight(id uint32) float64 {
	if x.w.n == 0 {
		return 0
	}
	return x.w.at(id)
}

// weight returns the weight of a feature after the step.
func (x *change) weight(id uint32) float64 {
	return x.update.newWeight(x.oldWeight(id), float64(x.d.at(id)), x.made, x.c)
}

// try sets x.steps, and returns the norm ‖w‖₁ that the weights have after each step. The largest step must
// come first.
func (x *change) try(steps []float64) (norms []float64) {
	x.steps = steps
	norms = make([]float64, len(steps))
	x.each(func(w, d float64) bool {
		for k, alpha := range steps {
			norms[k] += math.Abs(x.update.newWeight(w, d, alpha, x.c))
		}
		return true
	})
	return norms
}

// each calls f with the old weight w and the gradient d of each feature, until f returns false.
func (x *change) each(f func(w, d float64) bool) {
	defer x.release()
	for id := uint32(0); id < x.numbers() && f(x.oldWeight(id), float64(x.d.at(id))); id++ {
		x.passed(id)
	}
}

// passed frees memory after every 2²⁰ features. A loop over all features calls passed after each feature.
func (x *change) passed(id uint32) {
	if (id+1)%(1<<20) == 0 {
		x.release()
	}
}

// release frees the memory of the file pages that were read: those of the weights and of the gradients.
func (x *change) release() {
	x.w.release()
	x.d.release()
}

func (x *change) finish() error { return errors.Join(x.w.finish(), x.d.finish()) }

func (x *change) close() error { return errors.Join(x.w.close(), x.d.close()) }

// settled returns true if no step changes a weight.
func (x *change) settled() bool {
	still := true
	x.each(func(w, d float64) bool {
		still = x.update.slope(w, d, x.c) == 0
		return still
	})
	return still
}

// weights returns how many features have a weight other than 0 after the step.
func (x *change) weights() (n uint64) {
	x.each(func(w, d float64) bool {
		if x.update.newWeight(w, d, x.made, x.c) != 0 {
			n++
		}
		return true
	})
	return n
}

// motion says how a step changes one weight: by slope · step, for steps up to `kink`.
type motion struct{ w, d, slope, kink float64 }

func (x *change) motionOf(id uint32) motion {
	w, d := x.oldWeight(id), float64(x.d.at(id))
	return motion{w, d, x.update.slope(w, d, x.c), x.update.kink(w, d, x.c)}
}

// sums say how several steps change the scores of all samples for one class. Step k of size alpha adds
// alpha·slope[n] + kinks[k][n] to the score of sample n. A nil kinks[k] stands for zeros.
type sums struct {
	slope []float64
	kinks [][]float64 // by step
}

func newSums(samples, steps int) *sums {
	return &sums{slope: make([]float64, samples), kinks: make([][]float64, steps)}
}

// add adds the weight change m of a feature to the sums of a sample that has the feature.
func (s *sums) add(sample int, m *motion, x *change) {
	s.slope[sample] += m.slope
	for k, alpha := range x.steps {
		if alpha <= m.kink {
			return
		}
		if s.kinks[k] == nil {
			s.kinks[k] = make([]float64, len(s.slope))
		}
		s.kinks[k][sample] += x.update.newWeight(m.w, m.d, alpha, x.c) - (m.w + float64(alpha*m.slope))
	}
}

// addSlope adds slope to s.slope[firstSample+k] for each bit k of the mask.
func (s *sums) addSlope(firstSample int, mask uint64, slope float64) {
	for ; mask != 0; mask &= mask - 1 {
		s.slope[firstSample+bits.TrailingZeros64(mask)] += slope
	}
}

// join adds the sums o to s, and sets o to zeros.
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

// changeOf returns how much step k, whose size is alpha, changes the score of sample n.
func (s *sums) changeOf(n, k int, alpha float64) float64 {
	x := float64(alpha * s.slope[n])
	if s.kinks[k] != nil {
		x += s.kinks[k][n]
	}
	return x
}
