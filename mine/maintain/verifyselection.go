package maintain

import (
	"fstore/index/expansion"
	"fstore/mine/query"
	"fstore/mine/selection"
	"fstore/store"
)

// selectionCheck checks one selection.
type selectionCheck struct {
	*verifier
	sel    *query.Selection
	counts *selection.SelectionCounts
}

// selection checks a selection: its codes, its vocabulary hash and its expansion index,
// and, of what it says of the first samples of the store, what follows from their trees
// and labels; or, of a kernel machine's vectors, what follows from them.
func (v *verifier) selection(info *store.SelectionInfo) error {
	sel, err := query.OpenSelection(v.s, info.Name)
	if err != nil {
		return err
	}
	c := &selectionCheck{verifier: v, sel: sel}
	x, err := v.openExpansion("selection "+info.Name, info.Expansion)
	if x == nil {
		return err
	}
	defer x.Close()
	if sound, err := c.codes(x); err != nil || !sound {
		return err
	}
	if c.counts, err = selection.NewSelectionCounts(v.ctx, sel, v.syms); err != nil {
		return err
	}
	if c.counts.Samples == 0 && info.By == selection.ByRelevance {
		return c.relevance(x)
	}
	return c.compare(x)
}

// codes checks what follows from the entries' codes alone, and says whether there is
// anything to count by.
func (c *selectionCheck) codes(x *expansion.Index) (sound bool, err error) {
	info := c.sel.Info
	part, sum, err := c.recode("selection "+info.Name, c.sel.Space, info.VocabularyHash, codesOf(c.ctx, c.sel))
	if err != nil {
		return false, err
	}
	if !x.Same(part, sum) || x.Features() != info.Features {
		c.problem("selection %s: the expansion index %s is not that of its fragments", info.Name, info.Expansion)
		return false, nil
	}
	return true, nil
}

// compare counts, and compares what is stored.
func (c *selectionCheck) compare(x *expansion.Index) error {
	if c.counts.Samples == 0 {
		return nil
	}
	known, err := c.s.Labels()
	if err != nil {
		return err
	}
	if label, absent := c.counts.Absent(known); absent {
		c.problem("selection %s: it names a label %s, which no sample has", c.sel.Info.Name, label)
		return nil
	}
	if err := c.counts.Count(c.ctx, c.s, x, c.o.Workers, c.o.Progress); err != nil {
		return err
	}
	var want query.Entry
	return c.sel.Each(c.ctx, func(e *query.Entry) error {
		want.ID, want.Score, want.Stats = e.ID, e.Score, append(want.Stats[:0], e.Stats...)
		c.counts.Set(&want)
		for k, column := range c.sel.Info.Columns {
			c.same(e, column, e.Stats[k], want.Stats[k])
		}
		c.same(e, "score", e.Score, want.Score)
		return nil
	})
}

// same reports a statistic that is not what the trees give.
func (c *selectionCheck) same(e *query.Entry, what string, stored, counted float64) {
	if stored != counted {
		c.problem("selection %s, fragment %s: stored %s %v; the trees give %v",
			c.sel.Info.Name, c.sel.Text(nil, e.Code), what, stored, counted)
	}
}
