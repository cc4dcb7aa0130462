package linearize

import "math"

// idf has the inverse document frequencies of features, smoothed as in scikit-learn's TfidfTransformer. A
// feature in df of n samples has the weight ln((1+n)/(1+df)) + 1. The samples are those of the store, or
// those from which the selection was made.
type idf struct {
	samples float64
	support []uint32  // feature number - 1 → number of samples that have it
	known   []float64 // support → weight, for small supports, which most features have
}

// knownSupports is the number of weights that are computed in advance.
const knownSupports = 1 << 12

func (x *idf) weight(df uint32) float64 { return math.Log((1+x.samples)/(1+float64(df))) + 1 }

// weightOf returns the weight of the feature with number n within its columns.
func (x *idf) weightOf(n uint32) float64 {
	df := x.support[n-1]
	if int(df) < len(x.known) {
		return x.known[df]
	}
	return x.weight(df)
}
