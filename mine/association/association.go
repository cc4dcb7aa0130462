// Package association measures how far two things go together: tests and effect sizes of a 2×2 table of
// counts, in the notation of Evert (2005), and of two rates. The caller says what is counted: samples with a
// fragment and a label (fstore query), occurrences among the words of two corpora (mine/contrast).
//
// It imports only the standard library and gonum's beta function. A number is the same on every machine: no
// multiply-add is fused where a result is compared.
package association

import "math"

// Half replaces a count of 0 in a ratio or logarithm that would be infinite (Hardie 2014 for the log ratio,
// Haldane and Anscombe for odds), here as in every caller. Other counts, and the tests, are as counted.
const Half = 0.5

func nonzero(x float64) float64 {
	if x == 0 {
		return Half
	}
	return x
}

// Table is a 2×2 table of counts: rows are with and without the one thing, columns
// with and without the other. No cell is negative, and not all are 0.
type Table struct{ O11, O12, O21, O22 float64 }

// ChiSquared is Pearson's X² without a continuity correction, from 0; a margin of 0
// tells nothing, and is 0. By chance alone it follows χ² with one degree of freedom.
// With rows or columns exchanged it is the same to the last bit.
func (t Table) ChiSquared() float64 {
	r1, r2, c1, c2 := t.margins()
	if r1 == 0 || r2 == 0 || c1 == 0 || c2 == 0 {
		return 0
	}
	d := float64(t.O11*t.O22) - float64(t.O12*t.O21)
	return (r1 + r2) * (d * d) / ((r1 * r2) * (c1 * c2))
}

// G2 is the log-likelihood ratio of all four cells, with natural logarithms, from 0
// (Dunning 1993). By chance alone it follows χ² with one degree of freedom.
func (t Table) G2() float64 {
	r1, r2, c1, c2 := t.margins()
	n := r1 + r2
	sum := term(t.O11, r1/n*c1) + term(t.O12, r1/n*c2) + term(t.O21, r2/n*c1) + term(t.O22, r2/n*c2)
	return max(0, 2*sum)
}

// term is o·ln(o/e), and 0 where nothing was observed.
func term(o, e float64) float64 {
	if o == 0 {
		return 0
	}
	return float64(o * math.Log(o/e))
}

// OddsRatio is O11·O22 / (O12·O21), a cell of 0 being Half; 1 where a margin of 0 tells
// nothing.
func (t Table) OddsRatio() float64 {
	if r1, r2, c1, c2 := t.margins(); r1 == 0 || r2 == 0 || c1 == 0 || c2 == 0 {
		return 1
	}
	return nonzero(t.O11) / nonzero(t.O12) * (nonzero(t.O22) / nonzero(t.O21))
}

// LogOdds is the natural logarithm of OddsRatio.
func (t Table) LogOdds() float64 { return math.Log(t.OddsRatio()) }

// DeltaP says how much more probable a thing is with the other than without: the first column with the first
// row, and the reverse; from -1 to 1, 0 where a margin is 0 (Ellis 2006; Gries 2013).
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

// PMI is the pointwise mutual information log2(O11/E11), O11 of 0 being Half
// (Church & Hanks 1990); 0 where either thing is nowhere.
func (t Table) PMI() float64 {
	r1, r2, c1, _ := t.margins()
	if r1 == 0 || c1 == 0 {
		return 0
	}
	return math.Log2(nonzero(t.O11) / r1 * ((r1 + r2) / c1))
}

// LogDice is 14 + log2 of the Dice coefficient 2·O11/(R1+C1), O11 of 0 being Half (Rychlý 2008): at most 14,
// whatever the size of the corpus.
func (t Table) LogDice() float64 {
	r1, _, c1, _ := t.margins()
	return 14 + math.Log2(2*nonzero(t.O11)/nonzero(r1+c1))
}

// margins are the sums of rows and columns.
func (t Table) margins() (r1, r2, c1, c2 float64) {
	return t.O11 + t.O12, t.O21 + t.O22, t.O11 + t.O21, t.O12 + t.O22
}

// PValue is the probability that χ² with one degree of freedom is at least x: right in the
// far tail, 0 only where no float64 is as small. It is the p-value of X² and of G² where
// all expected counts are large; Exact is that of any table.
func PValue(x float64) float64 { return math.Erfc(math.Sqrt(x / 2)) }
