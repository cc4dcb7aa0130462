package contrast

import (
	"math"

	"fstore/mine/association"
)

// Measures compare two frequencies: a in A, of size nA, and b in B, of size nB. Signed measures are positive
// if the fragment is more frequent in A. In LogRatio, OddsRatio and PctDiff, association.Half replaces a 0
// that would make them infinite.
type Measures struct {
	PerMillionA, PerMillionB float64

	// LogRatio is log2 of A's relative frequency divided by B's (Hardie 2014). Low and High are its
	// confidence interval. If a count is 0, one end of the interval is infinite.
	LogRatio, Low, High float64
	// LRC is the conservative log ratio (Evert 2022): the end of the interval nearest to 0, or 0 if the
	// interval contains 0.
	LRC float64

	// G2 is the log-likelihood ratio with natural logarithms, and Chi2 is Pearson's X². Both are signed. With
	// Contrast.Shares they come from the 2×2 table, else from the two frequencies alone (Rayson & Garside
	// 2000).
	G2, Chi2 float64
	// P is the exact probability of |Chi2| or more by chance, with fixed margins of the 2×2 table. Without a
	// table, the sum of the two frequencies is fixed.
	P        float64
	Adjusted float64 // P, adjusted to the number of all tests
	// BIC is |G2| - ln(n), where n is the size of both corpora together (Wilson 2013; Gabrielatos 2018).
	// Above 2 it is evidence of a difference, above 10 very strong evidence.
	BIC float64

	// Rank orders rows by LRC, then by G2. The row most typical of A has the largest rank.
	Rank uint64

	OddsRatio float64 // the odds ratio of the 2×2 table; NaN without Contrast.Shares
	PctDiff   float64 // %DIFF: 100·(relative frequency of A - of B) / of B (Gabrielatos & Marchi 2011)
}

// pair has the frequency of a fragment in A and in B.
type pair struct{ a, b uint64 }

// measure returns the measures of two frequencies, without Adjusted and Rank. The interval has the error
// probability alpha.
func measure(a, b, nA, nB uint64, shares bool, alpha float64) Measures {
	r := association.Rates{A: float64(a), B: float64(b), NA: float64(nA), NB: float64(nB)}
	m := Measures{
		PerMillionA: r.A * 1e6 / r.NA,
		PerMillionB: r.B * 1e6 / r.NB,
		LogRatio:    r.LogRatio(),
		G2:          r.G2(),
		Chi2:        r.ChiSquared(),
		OddsRatio:   math.NaN(),
	}
	m.Low, m.High = r.Interval(alpha)
	m.LRC = association.Conservative(m.Low, m.High)
	if shares {
		t := association.Table{O11: r.A, O12: r.B, O21: r.NA - r.A, O22: r.NB - r.B}
		m.G2, m.Chi2, m.OddsRatio = t.G2(), t.ChiSquared(), t.OddsRatio()
		m.P = t.Exact()
	} else {
		m.P = r.Exact()
	}
	m.BIC = m.G2 - math.Log(r.NA+r.NB)
	if m.PerMillionA < m.PerMillionB {
		m.G2, m.Chi2 = -m.G2, -m.Chi2
	}
	divisor := m.PerMillionB
	if b == 0 {
		divisor = association.Half * 1e6 / r.NB
	}
	m.PctDiff = 100 * ((m.PerMillionA - m.PerMillionB) / divisor) // exactly -100 where a is 0
	if a == 0 && b == 0 {                                         // nothing is known of a construction that never occurs
		m.LogRatio, m.OddsRatio, m.PctDiff = math.NaN(), math.NaN(), math.NaN()
	}
	return m
}

func adjust(tests association.Tests, how Adjust) []float64 {
	switch how {
	case Bonferroni:
		return tests.Bonferroni()
	case FDR:
		return tests.FDR()
	}
	return tests.P
}
