package selection

import (
	"fmt"
	"math"
	"strconv"
	"strings"
	"sync"

	"fstore/index"
	"fstore/mine/association"
	"fstore/mine/judge"
)

// significance is the result of correcting Alpha.
type significance struct {
	level      float64 // findings have a p-value of at most this; 0 is a level too; noLevel: there are no findings
	hypotheses uint64  // number of hypotheses; 0 if not all were counted
	testable   uint64  // how many of them have a support that can attain the level
	countedAt  string  // the level that testable is counted at, if it is not level; may be ""
	how        string  // more about the correction; may be ""
}

// noLevel is below every p-value. It is negative because 0 can be a level: a p-value too small for a float64
// is stored as 0, and can be a finding.
const noLevel = -1

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
	return x.within(s.level), nil
}

// describe says in words what the level is, and where it comes from.
func (s *significance) describe(alpha float64, c Correction) string {
	said := fmt.Sprintf("p ≤ %.6g", s.level)
	if c == WestfallYoungCorrection {
		said = fmt.Sprintf("p < %.6g", s.level)
	}
	switch s.level {
	case noLevel:
		said = "no p"
	case 0:
		said = fmt.Sprintf("p < %v", math.SmallestNonzeroFloat64)
	}
	said += fmt.Sprintf(" (alpha %v, ", alpha)
	if c != NoCorrection {
		said += string(c) + s.how
	}
	if s.hypotheses > 0 {
		said += " over " + hypothesesOf(s.hypotheses) + ", " + index.Thousands(s.testable) + " testable"
	} else {
		said = strings.TrimSuffix(said, ", ") + "; " + hypothesesOf(s.testable) + " testable"
	}
	return said + s.countedAt + ")"
}

func hypothesesOf(n uint64) string {
	if n == 1 {
		return "1 hypothesis"
	}
	return index.Thousands(n) + " hypotheses"
}

// corrected returns the result of correcting Alpha. It makes a pass that counts testable hypotheses.
// NoCorrection needs the pass too, because the closing line shows this number, and the pass that selects
// prunes some testable hypotheses.
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
	// All hypotheses that can attain the level must be counted. While their number is not known, the level is
	// 1.
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

// lastDiscovery returns the p-value of the last discovery at false discovery rate alpha, among m tests. No
// discovery has a p-value above alpha. So lastDiscovery prunes fragments that can only have a larger p-value.
// The number m includes the tests of pruned fragments.
func (x *ChiSquared) lastDiscovery(from *judge.Source, alpha float64, m uint64) (p float64, found bool, err error) {
	d := &discoveries{ChiSquared: x.within(alpha), closed: from.Limits.Closed, times: map[float64]uint64{}}
	if err := from.Look(d); err != nil {
		return 0, false, err
	}
	var tests association.Tests
	for p, times := range d.times {
		tests.P, tests.Times = append(tests.P, p), append(tests.Times, times)
	}
	p, found = tests.LastDiscovery(alpha, m)
	return p, found, nil
}

// discoveries is an Objective that keeps nothing. It gathers the p-values of all hypotheses that reach its
// level.
type discoveries struct {
	*ChiSquared
	closed bool

	mu    sync.Mutex
	times map[float64]uint64 // number of hypotheses by p-value: many have the same
}

func (*discoveries) Columns() []string { return nil }

func (d *discoveries) Judge(b *index.Batch, _ float64, v *judge.Verdicts) {
	n := len(d.classes)
	v.Room = judge.Zeroed(v.Room, 3*n)
	with, without := d.thresholds(0, v.Room)
	found := v.Score[:0]
	for i, support := range b.Support {
		for k, o := range d.observe(v.Room[2*n:], b, i)[:d.tests] {
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
	if len(found) == 0 {
		return // return without the lock, which all workers share
	}
	d.mu.Lock()
	defer d.mu.Unlock()
	for _, p := range found {
		d.times[p]++
	}
}

// Correction says how a selection by χ² corrects Alpha for many tests. A hypothesis says that a fragment is
// independent of a label. There is one hypothesis for every label and every fragment within the limits of
// support and order, even if a bound has skipped the fragment. If each sample has one of two labels, there is
// only one hypothesis for a fragment. P-values are exact for the given margins of the 2×2 table. They assume
// that samples are independent.
type Correction string

// The corrections. NoCorrection and FDRCorrection aside, the chance that there is any false finding is at
// most Alpha.
const (
	// NoCorrection uses p-values as they are, each hypothesis by itself.
	NoCorrection Correction = "none"
	// BonferroniCorrection divides Alpha by the number of hypotheses.
	BonferroniCorrection Correction = "bonferroni"
	// FDRCorrection controls the expected share of false findings among all findings, over all hypotheses
	// (Benjamini & Hochberg 1995).
	FDRCorrection Correction = "fdr"
	// TaroneCorrection divides Alpha by the number of testable hypotheses: those whose support is large
	// enough for such a small p-value (Tarone 1990; Terada et al. 2013). It has all findings of
	// BonferroniCorrection, and more.
	TaroneCorrection Correction = "tarone"
	// WestfallYoungCorrection permutes the labels, and takes the level from the least p-value of all
	// hypotheses under each permutation (Westfall & Young 1993; Llinares-López et al. 2015). It is exact even
	// if fragments depend on each other, as most fragments do.
	WestfallYoungCorrection Correction = "westfall-young"
)

// Corrections returns the corrections.
func Corrections() []string {
	return []string{string(NoCorrection), string(BonferroniCorrection), string(FDRCorrection), string(TaroneCorrection), string(WestfallYoungCorrection)}
}

// Permuted says what gets new labels in a permutation: single samples or whole documents.
type Permuted string

// The units of permutations.
const (
	// PermuteSamples permutes the labels of single samples.
	PermuteSamples Permuted = "samples"
	// PermuteDocuments gives all samples of a document the labels of another document. It is the careful
	// choice, since sentences of one document are not independent. A document whose samples differ in their
	// labels keeps its labels, and so does a sample without a document.
	PermuteDocuments Permuted = "documents"
)
