package selection

import (
	"fmt"
	"slices"
	"strconv"
	"strings"

	"fstore/index"
	"fstore/mine/judge"
	"fstore/mine/query"
)

// chooseChiSquared returns the χ² test that the options ask for, and the least χ² that is selected.
func (r *run) chooseChiSquared() (judge.Objective, float64, error) {
	labels, err := r.st.Labels()
	if err != nil {
		return nil, 0, err
	}
	if p := r.o.Positive; p != nil {
		label, err := query.FindLabel(*p, labels)
		if err != nil {
			return nil, 0, err
		}
		labels = []string{label}
	}
	if len(labels) == 0 {
		return nil, 0, index.Usagef("the samples have no labels to test against: build the store with --label-from")
	}
	if err := r.tellLabels(labels); err != nil {
		return nil, 0, err
	}
	r.settings[query.PValueSetting] = query.ExactPValues
	x, err := chiSquaredOf(r.st, labels, r.st.Meta().Samples, r.o.Without)
	if err != nil {
		return nil, 0, err
	}
	if len(labels) == 1 && r.o.Without == nil && x.classes[0].samples == x.n {
		return nil, 0, index.Usagef("all samples have the label %s: a test needs samples without it, of another label or of none", labels[0])
	}
	return r.leastChiSquared(x)
}

// leastChiSquared returns the test, and the least χ² to select. With Alpha, the least χ² is 0, and the test
// keeps only significant p-values.
func (r *run) leastChiSquared(x *ChiSquared) (judge.Objective, float64, error) {
	o := r.o
	switch {
	case o.Tau != nil && o.Alpha != nil:
		return nil, 0, index.Usagef("tau or alpha: not both")
	case !slices.Contains(Corrections(), string(o.Correct)):
		return nil, 0, index.Usagef("correction %q: there are %s", o.Correct, strings.Join(Corrections(), ", "))
	case o.Correct != NoCorrection && o.Alpha == nil:
		return nil, 0, index.Usagef("what is corrected is alpha")
	case o.Correct != WestfallYoungCorrection && (o.Permutations != 0 || o.Permute != ""):
		return nil, 0, index.Usagef("permutations and test are of westfall-young")
	case o.Tau != nil:
		if !(*o.Tau >= 0) {
			return nil, 0, index.Usagef("tau: 0 or more")
		}
		r.setting("tau", *o.Tau)
		r.reason = r.described(fmt.Sprintf("χ² ≥ %.6g", *o.Tau))
		return x, *o.Tau, nil
	case o.Alpha == nil && o.Top == 0:
		return nil, 0, index.Usagef("chi2 needs a threshold: tau, alpha or top")
	case o.Alpha == nil:
		r.reason = r.described("any χ²")
		return x, 0, nil
	case !(*o.Alpha > 0 && *o.Alpha < 1):
		return nil, 0, index.Usagef("alpha: above 0, below 1")
	}
	x, err := r.atAlpha(x)
	return x, 0, err
}

// atAlpha returns a copy of x that keeps only p-values that are significant at Alpha.
func (r *run) atAlpha(x *ChiSquared) (*ChiSquared, error) {
	s, err := r.corrected(x)
	if err != nil {
		return nil, err
	}
	r.setting("alpha", *r.o.Alpha)
	if s.level != noLevel {
		r.setting("level", s.level)
	}
	r.settings["correct"] = string(r.o.Correct)
	r.settings["testable"] = strconv.FormatUint(s.testable, 10)
	if s.hypotheses > 0 {
		r.settings["tested"] = strconv.FormatUint(s.hypotheses, 10)
	}
	r.reason = r.described(s.describe(*r.o.Alpha, r.o.Correct))
	return x.atLevel(s.level), nil
}

// corrected returns the level to which the correction lowers Alpha. It counts hypotheses in a pass of its
// own, because the pass that selects prunes some of them.
func (r *run) corrected(x *ChiSquared) (s significance, err error) {
	alpha := *r.o.Alpha
	switch r.o.Correct {
	case NoCorrection, TaroneCorrection:
		n := newHypotheses(x, r.From.Limits.Closed, alpha)
		n.tarone = r.o.Correct == TaroneCorrection
		if err := n.count(r.From); err != nil {
			return s, err
		}
		return significance{level: n.now(), testable: n.testable(n.now())}, nil
	case WestfallYoungCorrection:
		return r.westfallYoung(x)
	}
	level := func(all uint64) float64 {
		if r.o.Correct == BonferroniCorrection {
			return alpha / max(float64(all), 1)
		}
		return alpha // no discovery has a larger p-value
	}
	// At level 1, all hypotheses are counted. If their number is known, a lower level is enough.
	fragments, known := r.From.Known()
	all := fragments * uint64(x.tests)
	n := newHypotheses(x, r.From.Limits.Closed, 1)
	if known {
		n.fall(level(all))
	}
	if err := n.count(r.From); err != nil {
		return s, err
	}
	if !known {
		all = n.all * uint64(x.tests)
	}
	s.hypotheses, s.level = all, level(all)
	s.testable = n.testable(s.level)
	if r.o.Correct == FDRCorrection {
		last, found, err := x.lastDiscovery(r.From, alpha, all)
		if !found {
			s.level = noLevel
			return s, err
		}
		s.level, s.countedAt = last, " at alpha"
	}
	return s, nil
}
