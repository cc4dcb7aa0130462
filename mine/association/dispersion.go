package association

import "math"

// Dispersion measures how evenly hits are spread over documents (Gries 2008). Add must be called for each
// document with hits. The remaining words belong to documents without hits.
type Dispersion struct {
	Words    float64 // the words of all documents
	Smallest float64 // the words of the smallest document
	Hits     float64 // the hits of all documents

	differ, words float64 // sums over the documents with hits: of |share of hits - share of words|, and of words
}

// Add adds a document with its number of words and hits.
func (d *Dispersion) Add(words, hits float64) {
	d.differ += math.Abs(hits/d.Hits - words/d.Words)
	d.words += words
}

// DP returns half the sum of |share of hits - share of words| over the documents. It is 0 for an even spread,
// and at most 1. Without hits it is NaN.
func (d Dispersion) DP() float64 {
	if d.Hits == 0 {
		return math.NaN()
	}
	// Rounding can turn 0 into a small negative number.
	return max(0, (d.differ+(d.Words-d.words)/d.Words)/2)
}

// DPNorm returns DP / (1 - the smallest document's share of words), which is at most 1 (Lijffijt & Gries
// 2012). It is NaN for no hits, and for only one document.
func (d Dispersion) DPNorm() float64 {
	if d.Smallest == d.Words {
		return math.NaN()
	}
	return min(1, d.DP()/(1-d.Smallest/d.Words))
}
