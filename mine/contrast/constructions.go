package contrast

import (
	"context"
	"fmt"
	"math"

	"fstore/index"
	"fstore/mine/query"
)

// Construction is a row that is not a stored fragment. The caller has counted it in the trees, see package
// mine/count.
type Construction struct {
	Name string
	// IDs has the samples with the construction, ascending. Hits[i] is the number of its occurrences in
	// sample IDs[i], and Places[i] is the number of nodes at which these begin.
	IDs    []uint32
	Hits   []uint64
	Places []uint32
}

// eachConstruction calls f for each construction as a row. Row ids count from 1, in the order of
// Options.Constructions.
func (c *Contrast) eachConstruction(ctx context.Context, stage string, f func(*query.Row) error) error {
	c.Options.Progress.Step(stage, "constructions", int64(len(c.Options.Constructions)))
	for i := range c.Options.Constructions {
		k := &c.Options.Constructions[i]
		r := query.Row{ID: uint32(i + 1), Support: uint32(len(k.IDs))}
		all := uint64(0)
		c.counts = c.counts[:0]
		for _, n := range k.Hits {
			if all += n; all > math.MaxUint32 {
				return fmt.Errorf("%s occurs more than %s times", k.Name, index.Thousands(uint32(math.MaxUint32)))
			}
			c.counts = append(c.counts, uint32(n))
		}
		r.Occurrences = uint32(all)
		c.ids, c.places = k.IDs, k.Places
		if err := f(&r); err != nil {
			return err
		}
		if err := ctx.Err(); err != nil {
			return err
		}
	}
	return nil
}

// eachFragment calls f for each fragment of the table, or only for the chosen ones if c.chosen is set.
// Without a Reference it skips each fragment that is in fewer samples than MinDocs, because it is in fewer
// documents too. It counts such a fragment in c.few if one of the fragment's samples is on a side.
func (c *Contrast) eachFragment(ctx context.Context, stage string, f func(*query.Row) error) error {
	return c.eachStored(ctx, stage, func(r *query.Row) (err error) {
		if c.chosen != nil && !c.chosen.has(r.ID) {
			return nil
		}
		if uint64(r.Support) < c.MinDocs && c.Options.Reference == nil {
			c.ids, err = c.t.IDs(r, c.ids[:0])
			if c.count.onSide(c.ids) {
				c.few++
			}
			return err
		}
		if c.ids, c.counts, c.places, err = c.t.WithPlaces(r, c.ids[:0], c.counts[:0], c.places[:0]); err != nil {
			return err
		}
		return f(r)
	})
}

// eachStored calls f for every fragment of the table. Row.Order is not set.
func (c *Contrast) eachStored(ctx context.Context, stage string, f func(*query.Row) error) error {
	c.t.LateOrder = true
	defer func() { c.t.LateOrder = false }()
	c.Options.Progress.Step(stage, "fragments", int64(c.t.Info.Features))
	n := 0
	return c.t.Each(ctx, func(r *query.Row) error {
		if n++; n%lookEvery == 0 {
			c.Options.Progress.Add(lookEvery)
		}
		return f(r)
	})
}
