package association

import "slices"

// Tests are p-values in any order, each with how many tests had it: what millions of
// fragments come to, of which most share their counts with others.
type Tests struct {
	P     []float64
	Times []uint64 // beside P
}

// Count is the number of tests.
func (t Tests) Count() (n uint64) {
	for _, k := range t.Times {
		n += k
	}
	return n
}

// Bonferroni returns the p-values times the number of tests, at most 1, beside P.
func (t Tests) Bonferroni() []float64 {
	m := float64(t.Count())
	adjusted := make([]float64, len(t.P))
	for i, p := range t.P {
		adjusted[i] = min(1, p*m)
	}
	return adjusted
}

// FDR returns the p-values adjusted to the false discovery rate, beside P: of all tests
// with an adjusted value of at most q, a share of q is expected to be chance
// (Benjamini & Hochberg 1995). The k-th smallest of m is p·m/k, or what a larger p
// has, where that is less.
func (t Tests) FDR() []float64 {
	ascending := make([]int, len(t.P))
	for i := range ascending {
		ascending[i] = i
	}
	slices.SortFunc(ascending, func(a, b int) int {
		switch {
		case t.P[a] < t.P[b]:
			return -1
		case t.P[a] > t.P[b]:
			return 1
		}
		return 0
	})
	m := t.Count()
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
