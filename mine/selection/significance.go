package selection

import (
	"cmp"
	"math"
	"slices"

	"fstore/index"
	"fstore/mine/association"
	"fstore/mine/grow"
	"fstore/mine/judge"
	"fstore/store"
)

// Correction is how a selection by χ² corrects Alpha for many tests. A fragment within
// the limits of support and order is a test whether or not a bound spared looking at
// it: it is the hypothesis that the fragment goes with none of the labels, whose p-value
// is the least of its labels' times their number.
type Correction string

// The corrections.
const (
	// NoCorrection takes the p-value of a fragment's best label as it is.
	NoCorrection Correction = "none"
	// BonferroniCorrection takes that times the labels and the fragments tested.
	BonferroniCorrection Correction = "bonferroni"
	// FDRCorrection controls the false discovery rate over all fragments tested
	// (Benjamini & Hochberg 1995).
	FDRCorrection Correction = "fdr"
)

// significant returns the χ² from which on a fragment is significant at level alpha,
// and the number of fragments tested, 0 where that does not matter.
func (x *ChiSquared) significant(from *judge.Source, alpha float64, c Correction) (tau float64, tested uint64, err error) {
	if c == NoCorrection {
		return quantile(alpha), 0, nil
	}
	if tested, err = testedIn(from); err != nil {
		return 0, 0, err
	}
	if c == BonferroniCorrection {
		return quantile(alpha / x.tests / max(float64(tested), 1)), tested, nil
	}
	tau, err = x.discovered(from, alpha, tested)
	return tau, tested, err
}

// discovered is the χ² of the last discovery at false discovery rate alpha: of m tests
// with p-values in ascending order, the last k with p(k) ≤ alpha·k/m. Each such p is at
// most alpha: so a pass that finds the fragments with p ≤ alpha, and prunes all others,
// has every p-value that can be a discovery, and what was pruned only counts in m.
func (x *ChiSquared) discovered(from *judge.Source, alpha float64, m uint64) (float64, error) {
	p := judge.NewPass(x, from.Limits, &judge.Threshold{Least: quantile(alpha / x.tests)}, grow.NewBudget(0))
	var parts []*scores
	err := from.Run(p, func(index.Range) (judge.Entries, error) {
		s := &scores{times: map[float64]uint64{}}
		parts = append(parts, s)
		return s, nil
	})
	if err != nil {
		return 0, err
	}
	all := map[float64]uint64{}
	for _, s := range parts {
		for score, n := range s.times {
			all[score] += n
		}
	}
	descending := make([]float64, 0, len(all))
	for score := range all {
		descending = append(descending, score)
	}
	slices.SortFunc(descending, func(a, b float64) int { return cmp.Compare(b, a) })
	tau, k := math.Inf(1), uint64(0)
	for _, score := range descending {
		k += all[score]
		if association.PValue(score)*x.tests <= alpha*float64(k)/float64(m) {
			tau = score
		}
	}
	return tau, nil
}

// scores are the scores of what is kept, with how many have each: many fragments share
// their counts.
type scores struct{ times map[float64]uint64 }

func (s *scores) Put(e *store.Entry) error {
	s.times[e.Score]++
	return nil
}

func (s *scores) Finish(judge.Explanation) error { return nil }

func (s *scores) Abort() {}

// quantile is the least float64 whose p-value is at most p.
func quantile(p float64) float64 {
	lo, hi := uint64(0), math.Float64bits(math.MaxFloat64) // positive floats are in the order of their bits
	for lo < hi {
		mid := lo + (hi-lo)/2
		if association.PValue(math.Float64frombits(mid)) <= p {
			hi = mid
		} else {
			lo = mid + 1
		}
	}
	return math.Float64frombits(lo)
}

// tested is how many fragments there are within the limits: each is a test.
func testedIn(x *judge.Source) (uint64, error) {
	if !x.Grow && x.Limits == grow.LimitsOf(x.Info) {
		return uint64(x.Info.Features), nil
	}
	all := judge.NewPass(Support{}, x.Limits, &judge.Threshold{Least: float64(x.Limits.MinSupport)}, grow.NewBudget(0))
	err := x.Run(all, judge.CountOnly)
	return all.Saw.Kept(), err
}
