package mine

import (
	"context"

	"github.com/RoaringBitmap/roaring/v2"

	"fstore/index"
	"fstore/index/expansion"
	"fstore/store"
)

// recounted are the support and the occurrences of fragments, by feature id less 1, as
// matching them in samples gives them.
type recounted struct {
	support     []uint32
	occurrences []float64
}

// recounter matches the fragments of an expansion index in one sample after another.
type recounter struct {
	recounted
	match index.Matcher
	hit   func(h *index.Hit, sample uint32) // called for each feature and sample; or nil
}

func newRecounter(space index.Space, syms *index.Symbols, x *expansion.Index, lambda float64) *recounter {
	return &recounter{
		recounted: recounted{make([]uint32, x.Features()), make([]float64, x.Features())},
		match:     space.NewMatcher(x, syms, lambda),
	}
}

// add counts what is in t.
func (c *recounter) add(sample uint32, t *index.Tree) error {
	hits, err := c.match.Match(t, 0)
	for i := range hits {
		h := &hits[i]
		c.support[h.ID-1]++
		c.occurrences[h.ID-1] += h.Match.Count
		if c.hit != nil {
			c.hit(h, sample)
		}
	}
	return err
}

// recount matches the fragments of an expansion index in the first samples of a store, but for
// those of without, which may be nil. hit, where it is not nil, is called for each feature and sample that it occurs in;
// samples ascend.
func recount(ctx context.Context, st *store.Store, space index.Space, syms *index.Symbols, x *expansion.Index, samples uint32, without *roaring.Bitmap, progress index.Progress, hit func(h *index.Hit, sample uint32)) (recounted, error) {
	c := newRecounter(space, syms, x, 1) // the decay has no part in counts
	c.hit = hit
	progress.Step("count "+space.ID(), "samples", int64(samples))
	err := eachSample(st, samples, without, func(id uint32, t *index.Tree) error {
		if id&0xFF == 0xFF {
			progress.Add(0x100)
			if err := ctx.Err(); err != nil {
				return err
			}
		}
		return c.add(id, t)
	})
	return c.recounted, err
}
