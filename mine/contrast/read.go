package contrast

import (
	"context"
	"encoding/binary"
	"fmt"
	"math"
	"slices"

	"fstore/index"
	"fstore/mine/query"
	"fstore/store/posting"
)

func (c *Contrast) each(ctx context.Context, stage string, m *members, f func(*Row) error) error {
	var row Row
	var own Measures
	return c.read(ctx, stage, func(r *query.Row, p pair) error {
		if c.chosen != nil && !c.chosen.has(r.ID) {
			return nil
		}
		name := ""
		if all := c.Options.Constructions; all != nil {
			name = all[r.ID-1].Name
		}
		row = Row{
			Row: r, Name: name, FreqA: p.a, FreqB: p.b,
			DocsA: c.count.a.documents(), DocsB: c.count.b.documents(),
			Measures: c.measures[p], members: m, count: c.count,
		}
		if c.tested != nil {
			own = *row.Measures
			own.P, own.Adjusted = c.tested.find(r.ID)
			row.Measures = &own
		}
		return f(&row)
	})
}

// read calls f for every fragment in key order, or for every construction in the given order. It skips rows
// in fewer than MinDocs documents, and fragments that occur on neither side.
func (c *Contrast) read(ctx context.Context, stage string, f func(*query.Row, pair) error) error {
	c.few, c.known = 0, 0
	each := c.eachFragment
	if c.Options.Constructions != nil {
		each = c.eachConstruction
	}
	return each(ctx, stage, func(r *query.Row) error {
		c.count.count(c.ids, c.counts, c.places)
		p := c.count.pair()
		if ref := c.Options.Reference; ref != nil {
			n, ok := ref.Of[string(r.Code)]
			if p.b = n; ok {
				c.known++
			}
		}
		if p == (pair{}) && c.Options.Constructions == nil {
			return nil
		}
		if c.count.documents() < c.MinDocs {
			c.few++
			return nil
		}
		if c.Options.Constructions == nil {
			if err := c.t.ReadOrder(r); err != nil {
				return err
			}
		}
		return f(r, p)
	})
}

// eachConstruction calls f for each construction as a row. Row ids count from 1.
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

// eachFragment calls f for each chosen fragment. Without a Reference, it skips fragments in fewer than
// MinDocs samples.
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

// list returns the bytes by which r is compared with other fragments: its posting list in the counted unit.
func (c *Contrast) list(r *query.Row) []byte {
	switch {
	case c.Options.Reference != nil: // equal fragments must be equally frequent in the reference too
		c.inUnit = posting.Append(c.inUnit[:0], c.ids, c.counts, c.places)
		c.inUnit = binary.BigEndian.AppendUint64(c.inUnit, c.Options.Reference.Of[string(r.Code)])
	case slices.Equal(c.counts, c.places):
		return r.Posting()
	case c.Options.Count == Places:
		c.inUnit = posting.Append(c.inUnit[:0], c.ids, c.places, nil)
	default:
		c.inUnit = posting.Append(c.inUnit[:0], c.ids, c.counts, nil)
	}
	return c.inUnit
}
