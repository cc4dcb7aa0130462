package association

import "math"

// Dispersion sums up how evenly something is spread over documents (Gries 2008): each document
// has a share of the words and a share of the hits. Add is called for the documents with hits;
// the others are what is left of the words.
type Dispersion struct {
	Words    float64 // of all documents
	Smallest float64 // words of the smallest document
	Hits     float64 // of all documents

	differ, words float64 // Σ |share of hits - share of words|, and the words, of documents with hits
}

// Add adds a document of so many words with so many hits.
func (d *Dispersion) Add(words, hits float64) {
	d.differ += math.Abs(hits/d.Hits - words/d.Words)
	d.words += words
}

// DP is half the sum of the differences of shares: 0 is spread as the words are, 1 is in a
// document without words. It is NaN without hits.
func (d Dispersion) DP() float64 {
	if d.Hits == 0 {
		return math.NaN()
	}
	// In rounding, what is 0 may come out below.
	return max(0, (d.differ+(d.Words-d.words)/d.Words)/2)
}

// DPNorm is DP / (1 - the smallest document's share), which is at most 1 (Lijffijt & Gries
// 2012). It is NaN without hits and with one document.
func (d Dispersion) DPNorm() float64 {
	if d.Smallest == d.Words {
		return math.NaN()
	}
	return min(1, d.DP()/(1-d.Smallest/d.Words))
}
