package selection

import (
	"cmp"
	"fmt"
	"slices"
	"strconv"
	"strings"
	"sync"

	"fstore/index"
	"fstore/mine/association"
	"fstore/mine/grow"
	"fstore/mine/judge"
)

// significance is what Alpha, corrected, comes to.
type significance struct {
	level    float64 // findings have a p-value of at most this; 0 where there can be none
	tested   uint64  // hypotheses; 0 where not all were counted
	testable uint64  // of them, with a support that can attain the level
	how      string  // more about the correction; may be ""
}

// significant is x for p-values that are significant at Alpha.
func (r *Selection) significant(x *ChiSquared) (*ChiSquared, error) {
	s, err := r.corrected(x)
	if err != nil {
		return nil, err
	}
	r.setting("alpha", *r.O.Alpha)
	r.setting("level", s.level)
	r.settings["correct"] = string(r.O.Correct)
	r.settings["testable"] = strconv.FormatUint(s.testable, 10)
	if s.tested > 0 {
		r.settings["tested"] = strconv.FormatUint(s.tested, 10)
	}
	r.Reason = r.described(s.describe(*r.O.Alpha, r.O.Correct))
	return x.within(s.level), nil
}

// describe says what the level is, and where it comes from.
func (s *significance) describe(alpha float64, c Correction) string {
	said := fmt.Sprintf("p ≤ %.6g", s.level)
	if s.level == 0 {
		said = "no p"
	}
	said += fmt.Sprintf(" (alpha %v, ", alpha)
	if c != NoCorrection {
		said += string(c) + s.how
	}
	if s.tested > 0 {
		said += " over " + hypothesesOf(s.tested) + ", " + index.Thousands(s.testable) + " testable)"
	} else {
		said = strings.TrimSuffix(said, ", ") + "; " + hypothesesOf(s.testable) + " testable)"
	}
	return said
}

func hypothesesOf(n uint64) string {
	if n == 1 {
		return "1 hypothesis"
	}
	return index.Thousands(n) + " hypotheses"
}

// corrected is what Alpha comes to.
func (r *Selection) corrected(x *ChiSquared) (s significance, err error) {
	alpha := *r.O.Alpha
	switch r.O.Correct {
	case TaroneCorrection:
		n := newHypotheses(x, r.From.Limits.Closed, alpha)
		n.tarone = true
		if err := n.count(r.From); err != nil {
			return s, err
		}
		s.level = n.now()
		s.testable = n.testable(s.level)
		return s, nil
	case WestfallYoungCorrection:
		return r.westfallYoung(x)
	case NoCorrection:
		n := newHypotheses(x, r.From.Limits.Closed, alpha)
		err := n.count(r.From)
		return significance{level: alpha, testable: n.testable(alpha)}, err
	}
	level := func(tested uint64) float64 {
		if r.O.Correct == BonferroniCorrection {
			return alpha / max(float64(tested), 1)
		}
		return alpha // no discovery has a larger p-value
	}
	n, tested, err := r.tested(x, level)
	if err != nil {
		return s, err
	}
	s.tested, s.level = tested, level(tested)
	s.testable = n.testable(s.level)
	if r.O.Correct == FDRCorrection {
		s.level, err = x.discovered(r.From, alpha, tested)
	}
	return s, err
}

// tested counts the hypotheses, and by their support at least those that can attain the
// level that so many make.
func (r *Selection) tested(x *ChiSquared, level func(tested uint64) float64) (*hypotheses, uint64, error) {
	if n, known := r.From.Known(); known {
		tested := n * uint64(x.tests)
		h := newHypotheses(x, r.From.Limits.Closed, level(tested))
		return h, tested, h.count(r.From)
	}
	h := newHypotheses(x, r.From.Limits.Closed, 1)
	err := h.count(r.From)
	return h, h.fragments() * uint64(x.tests), err
}

// discovered is the p-value of the last discovery at false discovery rate alpha, 0 where
// there is none: of m tests with p-values in ascending order, the last k with
// p(k) ≤ alpha·k/m. Each such p is at most alpha: so a pass that finds the hypotheses with
// p ≤ alpha, and prunes all others, has every p-value that can be a discovery, and what was
// pruned only counts in m.
func (x *ChiSquared) discovered(from *judge.Source, alpha float64, m uint64) (float64, error) {
	d := &discoveries{ChiSquared: x.within(alpha), closed: from.Limits.Closed, times: map[float64]uint64{}}
	p := judge.NewPass(d, from.Limits, &judge.Threshold{}, grow.NewBudget(0))
	if err := from.Run(p, judge.CountOnly); err != nil {
		return 0, err
	}
	ascending := make([]float64, 0, len(d.times))
	for p := range d.times {
		ascending = append(ascending, p)
	}
	slices.SortFunc(ascending, cmp.Compare)
	last, k := 0.0, uint64(0)
	for _, p := range ascending {
		k += d.times[p]
		if association.AtMost(p, alpha*float64(k)/float64(m)) {
			last = p
		}
	}
	return last, nil
}

// discoveries is an Objective that keeps nothing, and gathers the p-values of all
// hypotheses that reach its level.
type discoveries struct {
	*ChiSquared
	closed bool

	mu    sync.Mutex
	times map[float64]uint64 // many share their counts
}

// Columns implements Objective.
func (*discoveries) Columns() []string { return nil }

// Judge implements Objective.
func (d *discoveries) Judge(b *index.Batch, _ float64, v *judge.Verdicts) {
	n := len(d.classes)
	v.Room = judge.Zeroed(v.Room, 3*n)
	with, without := d.thresholds(0, v.Room)
	found := v.Score[:0]
	for i, support := range b.Support {
		for k, o := range d.observe(v.Room[2*n:], b, i)[:int(d.tests)] {
			if o < with[k] && support-o < without[k] {
				continue
			}
			b.Descend[i] = true
			if d.closed && !b.Closed[i] {
				continue
			}
			if p := d.pvalue(k, o, support); association.AtMost(p, d.level) {
				found = append(found, p)
			}
		}
	}
	d.mu.Lock()
	defer d.mu.Unlock()
	for _, p := range found {
		d.times[p]++
	}
}
