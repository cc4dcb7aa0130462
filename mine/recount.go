package mine

import (
	"context"

	"fstore/index"
	"fstore/index/expansion"
	"fstore/store"
)

// recounted are the support and the occurrences of fragments, by feature id less 1, as
// matching them in the stored trees gives them.
type recounted struct {
	support     []uint32
	occurrences []float64
}

// recount matches the fragments of an expansion index in the first samples of a store.
// hit, where it is not nil, is called for each sample that a feature, by its id less 1,
// occurs in; samples ascend.
func recount(ctx context.Context, st *store.Store, space index.Space, syms *index.Symbols, x *expansion.Index, samples uint32, progress index.Progress, hit func(feature, sample uint32)) (recounted, error) {
	c := recounted{make([]uint32, x.Features()), make([]float64, x.Features())}
	progress.Step("count "+space.ID(), "samples", int64(samples))
	match := space.NewMatcher(x, syms, 1) // the decay has no part in counts
	err := st.Samples(0, samples, func(id uint32, t *index.Tree) error {
		if id&0xFF == 0xFF {
			progress.Add(0x100)
			if err := ctx.Err(); err != nil {
				return err
			}
		}
		hits, err := match.Match(t, 0)
		if err != nil {
			return err
		}
		for _, h := range hits {
			c.support[h.ID-1]++
			c.occurrences[h.ID-1] += h.Match.Count
			if hit != nil {
				hit(h.ID-1, id)
			}
		}
		return nil
	})
	return c, err
}
