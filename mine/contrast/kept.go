package contrast

import (
	"context"

	"fstore/index"
	"fstore/mine/query"
)

// keptRow is a row as the first reading of the fragments found it, so that no second one is needed.
type keptRow struct {
	p                        pair
	docsA, docsB             uint64
	id, support, occurrences uint32
	order                    int32
	code                     uint32 // where it ends among the codes
}

const (
	keptBytes = 56
	mostKept  = 128 << 20 // bytes of rows and codes: of more the fragments are read twice
)

// kept are rows in key order.
type kept struct {
	rows  []keptRow
	codes []byte
	full  bool // there are more than mostKept, and none is kept
}

// keep notes the row that has just been counted.
func (c *Contrast) keep(r *query.Row, p pair) {
	k := &c.kept
	if k.full || !c.Options.Brief {
		return
	}
	if len(k.rows)*keptBytes+len(k.codes) > mostKept {
		*k = kept{full: true}
		return
	}
	k.codes = append(k.codes, r.Code...)
	k.rows = append(k.rows, keptRow{p, c.count.a.documents, c.count.b.documents, r.ID, r.Support, r.Occurrences, int32(r.Order), uint32(len(k.codes))})
}

// eachKept is Each of rows that are kept.
func (c *Contrast) eachKept(ctx context.Context, f func(*Row) error) error {
	var own query.Row
	var row Row
	var measures Measures
	from := uint32(0)
	for i := range c.kept.rows {
		k := &c.kept.rows[i]
		code := index.Code(c.kept.codes[from:k.code])
		from = k.code
		if i%lookEvery == 0 && ctx.Err() != nil {
			return ctx.Err()
		}
		if c.chosen != nil && !c.chosen.has(k.id) {
			continue
		}
		own = query.Row{ID: k.id, Code: code, Order: int(k.order), Support: k.support, Occurrences: k.occurrences}
		row = Row{Row: &own, FreqA: k.p.a, FreqB: k.p.b, DocsA: k.docsA, DocsB: k.docsB, Measures: c.measures[k.p]}
		c.setTested(&row, &measures)
		if err := f(&row); err != nil {
			return err
		}
	}
	return nil
}

// setTested gives a row the p-value of Options.Documents; own is room for its measures.
func (c *Contrast) setTested(row *Row, own *Measures) {
	if c.tested == nil {
		return
	}
	*own = *row.Measures
	own.P, own.Adjusted = c.tested.of(row.ID)
	row.Measures = own
}

// Recall counts the fragment of an id anew, for its Dispersion.
func (c *Contrast) Recall(id uint32) (*Row, error) {
	row := &Row{count: c.count}
	code, err := c.t.Store().ByRank(c.t.Info.Number, id, nil)
	if err != nil {
		return nil, err
	}
	if row.Row, err = c.t.Get(code); err != nil {
		return nil, err
	}
	_, _, _, err = c.Frequencies(row.Row)
	return row, err
}

// Frequencies counts one fragment, whether it has a row or not: how often it is in A and B, in units of
// Options.Count, and how many documents of both have it.
func (c *Contrast) Frequencies(r *query.Row) (a, b, documents uint64, err error) {
	ids, counts, places, err := c.t.WithPlaces(r, nil, nil, nil)
	if err != nil {
		return 0, 0, 0, err
	}
	c.count.count(ids, counts, places)
	return c.count.a.in(c.Options.Count), c.count.b.in(c.Options.Count), c.count.a.documents + c.count.b.documents, nil
}
