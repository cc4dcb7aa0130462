package linearize

import (
	"context"
	"math"
	"strconv"

	"fstore/decode/read"
	"fstore/mine/query"
	"fstore/store"
)

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

// of returns the weight of the feature with number n within its columns.
func (x *idf) of(n uint32) float64 {
	df := x.support[n-1]
	if int(df) < len(x.known) {
		return x.known[df]
	}
	return x.weight(df)
}

// readIDF reads the support of the features.
func (c *columns) readIDF(s *store.Store) (*idf, error) {
	samples := uint64(s.Meta().Samples)
	if c.Selection != "" {
		sel, err := query.OpenSelection(s, c.Selection)
		if err != nil {
			return nil, err
		}
		if sel.Column(query.SupportColumn) < 0 {
			return nil, read.OptionErrorf("weight", "tfidf needs to know how many samples have a fragment, and selection %s does not say: it was mined with --keep features", c.Selection)
		}
		if samples, err = strconv.ParseUint(sel.Info.Settings[query.SamplesSetting], 10, 32); err != nil {
			return nil, read.OptionErrorf("weight", "tfidf needs to know how many of the store's samples have a fragment, and selection %s has counted in others: in the vectors of a model, outside of a fold, or before samples were taken out", c.Selection)
		}
	}
	x := &idf{samples: float64(samples), support: make([]uint32, 0, c.n)}
	for df := range uint32(min(knownSupports, samples+1)) {
		x.known = append(x.known, x.weight(df))
	}
	err := c.eachFeature(context.Background(), s, false, func(f *Feature) error {
		x.support = append(x.support, uint32(f.Support))
		return nil
	})
	if err != nil {
		return nil, err
	}
	return x, c.checkCount(s, uint32(len(x.support)), c.n)
}

// SupportSetting is the name of a model's setting that has the SupportHash of the training vectors.
const SupportSetting = "support"
