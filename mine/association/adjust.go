package association

import (
	"cmp"
	"slices"
)

// Tests are the p-values of many tests, in any order. Each different p-value is stored once, with the number
// of tests that have it.
type Tests struct {
	P     []float64
	Times []uint64 // Times[i] tests have P[i]
}

// Count returns the number of tests, which is the sum of Times.
func (t Tests) Count() (n uint64) {
	for _, k := range t.Times {
		n += k
	}
	return n
}

// Bonferroni returns the p-values times the number of tests, at most 1, in the order of P.
func (t Tests) Bonferroni() []float64 {
	m := float64(t.Count())
	adjusted := make([]float64, len(t.P))
	for i, p := range t.P {
		adjusted[i] = min(1, p*m)
	}
	return adjusted
}

// FDR returns the p-values adjusted to the false discovery rate, in the order of P (Benjamini & Hochberg
// 1995). Among the tests with an adjusted value up to q, the expected share of false discoveries is at most
// q.
func (t Tests) FDR() []float64 {
	ascending, m := t.ascending(), t.Count()
	adjusted := make([]float64, len(t.P))
	least, rank := 1.0, m
	for k := len(ascending) - 1; k >= 0; k-- {
		i := ascending[k]
		least = min(least, t.P[i]*float64(m)/float64(rank))
		adjusted[i] = least
		rank -= t.Times[i]
	}
	return adjusted
}

// LastDiscovery returns the largest p-value that is a discovery at the false discovery rate alpha. This is
// the largest p(k) ≤ alpha·k/m, where p(k) is the k-th smallest of m p-values. Tests above alpha can be
// missing in t, but m must count them.
func (t Tests) LastDiscovery(alpha float64, m uint64) (p float64, found bool) {
	k := uint64(0)
	for _, i := range t.ascending() {
		k += t.Times[i]
		if AtMost(t.P[i], alpha*float64(k)/float64(m)) {
			p, found = t.P[i], true
		}
	}
	return p, found
}

// ascending returns the indexes of P, sorted by their p-values.
func (t Tests) ascending() []int {
	positions := make([]int, len(t.P))
	for i := range positions {
		positions[i] = i
	}
	slices.SortFunc(positions, func(a, b int) int { return cmp.Compare(t.P[a], t.P[b]) })
	return positions
}
