package linearize

import (
	"context"
	"errors"
	"fmt"
	"math"
	"strconv"

	"fstore/decode/read"
	"fstore/index"
	"fstore/index/expansion"
	"fstore/mine/query"
	"fstore/store"
)

// Feature is one column of the vectors.
type Feature struct {
	ID    uint32
	Space index.Space
	Code  index.Code
	Order int
	// Support is the number of samples in the store that have the feature. It is valid if Counted is true.
	Support uint64
	Counted bool
	// Value is the feature's value before normalisation, if the feature occurs once and without gaps.
	Value float64
}

// columns is an open feature set. Its features are consecutive columns of the vectors.
type columns struct {
	FeatureSet
	space uint32 // the space's number in the store
	Base  uint32 // the id of a feature is Base plus its number within the columns
	n     uint32 // number of features
	hash  uint64 // hash of the vocabulary
	X     *expansion.Index
	idf   *idf // only if the weight is TFIDF
}

// idf has the inverse document frequencies of features, as in scikit-learn's TfidfTransformer:
// ln((1+n)/(1+df)) + 1 for a feature in df of n samples.
type idf struct {
	samples float64
	support []uint32  // feature number - 1 → number of samples that have it
	known   []float64 // support → weight, for small supports, which most features have
}

// knownSupports is the number of small supports whose weights are computed in advance.
const knownSupports = 1 << 12

func (x *idf) weight(df uint32) float64 { return math.Log((1+x.samples)/(1+float64(df))) + 1 }

// weightOf returns the weight of feature n of the columns, counted from 1.
func (x *idf) weightOf(n uint32) float64 {
	df := x.support[n-1]
	if int(df) < len(x.known) {
		return x.known[df]
	}
	return x.weight(df)
}

func openColumns(s *store.Store, set FeatureSet, base uint32, w Weight) (*columns, error) {
	c := &columns{FeatureSet: set, Base: base}
	id, m := set.Space.ID(), s.Meta()
	space := m.Space(id)
	if space == nil {
		return nil, fmt.Errorf("space %s: %w", id, store.ErrNotFound)
	}
	c.space, c.hash = space.Number, space.VocabularyHash
	n, file := space.Features, space.Expansion
	if set.Selection != "" {
		sel := m.Selection(set.Selection)
		if sel == nil || sel.Space != space.Number {
			return nil, fmt.Errorf("selection %s of space %s: %w", set.Selection, id, store.ErrNotFound)
		}
		c.hash, n, file = sel.VocabularyHash, sel.Features, sel.Expansion
	}
	x, err := query.OpenExpansion(s, file, n)
	if err != nil {
		return nil, err
	}
	x.BeginVerify()
	c.X, c.n = x, x.Features()
	if set.Kept != nil {
		c.n, c.hash = set.Kept.Len(), set.Kept.Hash
	}
	if w == TFIDF {
		if c.idf, err = c.readIDF(s); err != nil {
			return nil, errors.Join(err, x.Close())
		}
	}
	return c, nil
}

// readIDF reads the support of each feature, and computes the weights of small supports.
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

// eachFeature calls f for each feature, in order of ids. It does not set Feature.Value.
func (c *columns) eachFeature(ctx context.Context, s *store.Store, order bool, f func(*Feature) error) error {
	x := Feature{Space: c.Space}
	if c.Selection != "" {
		sel, err := query.OpenSelection(s, c.Selection)
		if err != nil {
			return err
		}
		support := sel.Column(query.SupportColumn)
		return sel.Each(ctx, func(e *query.Entry) error {
			n := c.Number(e.ID)
			if n == 0 {
				return nil
			}
			x.ID, x.Code, x.Order = c.Base+n, e.Code, e.Order
			if x.Counted = support >= 0; x.Counted {
				x.Support = uint64(e.Stats[support])
			}
			return f(&x)
		})
	}
	t, err := query.Open(s, c.Space.ID())
	if err != nil {
		return err
	}
	x.Counted, t.LateOrder = true, !order
	return t.Each(ctx, func(r *query.Row) error {
		n := c.Number(r.ID)
		if n == 0 {
			return nil
		}
		x.ID, x.Code, x.Order, x.Support = c.Base+n, r.Code, r.Order, uint64(r.Support)
		return f(&x)
	})
}

// Number returns the feature number (from 1) of fragment n of the selection or, without one, of the space. It
// returns 0 if the fragment is no feature.
func (c *columns) Number(n uint32) uint32 {
	if c.Kept == nil {
		return n
	}
	return c.Kept.Number(n)
}

// appendCode appends the code of feature n of the columns, counted from 1.
func (c *columns) appendCode(dst index.Code, s *store.Store, n uint32) (index.Code, error) {
	if c.Kept != nil {
		n = c.Kept.At(n)
	}
	if c.Selection == "" {
		return s.ByRank(c.space, n, dst)
	}
	err := s.Entries(c.Selection, n, n+1, func(_ uint32, e *store.Entry) error {
		dst = append(dst, e.Code...)
		return nil
	})
	return dst, err
}

// damaged returns a store.ErrDamaged about the space.
func (c *columns) damaged(s *store.Store, err error) error {
	return &store.Error{Dir: s.Dir(), Kind: store.ErrDamaged, Detail: "space " + c.Space.ID(), Err: err}
}

// checkCount returns an error if the store and the expansion index differ in the number of fragments.
func (c *columns) checkCount(s *store.Store, n, want uint32) error {
	if n != want {
		return c.damaged(s, fmt.Errorf("%s fragments, and its expansion index has %s", index.Thousands(n), index.Thousands(want)))
	}
	return nil
}
