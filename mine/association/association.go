// Package association measures how strongly two things are associated. It has tests and effect sizes for a
// 2×2 table of counts, in the notation of Evert (2005), and for two rates. The caller decides what is
// counted: for example, samples with a fragment and a label (fstore query), or occurrences among the words of
// two corpora (mine/contrast).
//
// It imports only the standard library and gonum's beta function. All numbers are the same on every machine,
// because float64(x*y) keeps the compiler from fusing a multiplication with an addition.
package association

import "math"

// Half replaces a count of 0 in a ratio or logarithm that would be infinite (Hardie 2014 for the log ratio,
// Haldane and Anscombe for odds). It replaces no count in a test.
const Half = 0.5

func nonzero(x float64) float64 {
	if x == 0 {
		return Half
	}
	return x
}

// Table is a 2×2 table of counts. The rows count the cases with and without one thing, and the columns the
// cases with and without another thing. No cell is negative, and at least one cell is above 0.
type Table struct{ O11, O12, O21, O22 float64 }

// ChiSquared returns Pearson's X² without a continuity correction. It is 0 for a table with a margin of 0. By
// chance alone it follows χ² with one degree of freedom.
func (t Table) ChiSquared() float64 {
	r1, r2, c1, c2 := t.margins()
	if r1 == 0 || r2 == 0 || c1 == 0 || c2 == 0 {
		return 0
	}
	d := float64(t.O11*t.O22) - float64(t.O12*t.O21)
	return (r1 + r2) * (d * d) / ((r1 * r2) * (c1 * c2))
}

// G2 returns the log-likelihood ratio of all four cells, with natural logarithms (Dunning 1993). By chance
// alone it follows χ² with one degree of freedom.
func (t Table) G2() float64 {
	r1, r2, c1, c2 := t.margins()
	n := r1 + r2
	sum := term(t.O11, r1/n*c1) + term(t.O12, r1/n*c2) + term(t.O21, r2/n*c1) + term(t.O22, r2/n*c2)
	return max(0, 2*sum)
}

// term returns o·ln(o/e), or 0 if o is 0.
func term(o, e float64) float64 {
	if o == 0 {
		return 0
	}
	return float64(o * math.Log(o/e))
}

// OddsRatio returns O11·O22 / (O12·O21), where a 0 counts as Half. It is 1 if a row or a column is empty.
func (t Table) OddsRatio() float64 {
	if r1, r2, c1, c2 := t.margins(); r1 == 0 || r2 == 0 || c1 == 0 || c2 == 0 {
		return 1
	}
	return nonzero(t.O11) / nonzero(t.O12) * (nonzero(t.O22) / nonzero(t.O21))
}

// LogOdds returns the natural logarithm of OddsRatio.
func (t Table) LogOdds() float64 { return math.Log(t.OddsRatio()) }

// DeltaP returns how much more probable one thing is with the other thing than without it, in both directions
// (Ellis 2006; Gries 2013): O11/R1 - O21/R2, and O11/C1 - O12/C2. R1 and R2 are the row sums, C1 and C2 the
// column sums. Both results are 0 if one of these sums is 0.
func (t Table) DeltaP() (column, row float64) {
	r1, r2, c1, c2 := t.margins()
	if r1 > 0 && r2 > 0 {
		column = t.O11/r1 - t.O21/r2
	}
	if c1 > 0 && c2 > 0 {
		row = t.O11/c1 - t.O12/c2
	}
	return column, row
}

// PMI returns the pointwise mutual information log2(O11/E11), with Half for an O11 of 0 (Church & Hanks
// 1990). It is 0 if the first row or the first column is empty.
func (t Table) PMI() float64 {
	r1, r2, c1, _ := t.margins()
	if r1 == 0 || c1 == 0 {
		return 0
	}
	return math.Log2(nonzero(t.O11) / r1 * ((r1 + r2) / c1))
}

// LogDice returns 14 + log2 of the Dice coefficient 2·O11/(R1+C1), with Half for an O11 of 0 (Rychlý 2008).
// It is at most 14.
func (t Table) LogDice() float64 {
	r1, _, c1, _ := t.margins()
	return 14 + math.Log2(2*nonzero(t.O11)/nonzero(r1+c1))
}

func (t Table) margins() (r1, r2, c1, c2 float64) {
	return t.O11 + t.O12, t.O21 + t.O22, t.O11 + t.O21, t.O12 + t.O22
}

// PValue returns the probability that χ² with one degree of freedom is at least x. It is the p-value of X²
// and of G² if all expected counts are large. For any other table, use Exact.
func PValue(x float64) float64 { return math.Erfc(math.Sqrt(x / 2)) }
