package maintain

import (
	"fmt"
	"math"
	"strconv"

	"fstore/index/expansion"
	"fstore/mine/learn/svm"
	"fstore/mine/learn/weights"
	"fstore/mine/query"
	"fstore/mine/selection"
)

// relevanceSlack is how far a sum of scores may be from what was stored, as a part of the
// sum of its terms: it was added up in another order.
const relevanceSlack = 1e-9

// relevance checks what a selection by relevance says of the vectors of its model, where
// the store still has that model: its fragments are matched in each.
func (c *selectionCheck) relevance(x *expansion.Index) error {
	set := c.sel.Info.Settings
	info := c.s.Meta().Model(set[selection.ModelSetting])
	if info == nil || set[selection.ImportedSetting] != "" {
		return nil // imported: its numbers are of another store's model
	}
	b, err := c.s.Model(info.Name)
	if err != nil {
		return fmt.Errorf("model %s: %w", info.Name, err)
	}
	m, err := svm.Decode(b, c.syms)
	if err != nil || selection.ModelHash(b) != set[selection.ModelHashSetting] {
		return nil // verifier.model reports the one; another model has taken the name
	}
	g, err := svm.NewGradient(c.ctx, m, set[selection.PositiveSetting], c.syms, c.o.Workers, c.o.Progress)
	if err != nil {
		return err
	}
	c.o.Progress.Step("count "+info.Name, "vectors", int64(len(g.Vectors)))
	r, err := weights.RelevanceIn(c.ctx, m, g, x, c.syms, c.o.Progress)
	if err != nil {
		return err
	}
	return c.sameRelevance(r, g.Norm)
}

// sameRelevance compares the entries, and the share of ‖w‖² that they keep.
func (c *selectionCheck) sameRelevance(r *weights.Matched, norm float64) error {
	kept := 0.0
	err := c.sel.Each(c.ctx, func(e *query.Entry) error {
		i := e.ID - 1
		c.same(e, query.SupportColumn, e.Stats[0], float64(r.Support[i]))
		c.same(e, query.OccurrencesColumn, e.Stats[1], r.Occurrences[i])
		if math.Abs(e.Score-r.Score[i]) > relevanceSlack*r.Terms[i] {
			c.same(e, "score", e.Score, r.Score[i])
		}
		c.same(e, "weight", e.Weight, e.Score)
		kept += float64(r.Score[i] * r.Score[i])
		return nil
	})
	if err != nil {
		return err
	}
	text, ok := c.sel.Info.Settings[selection.NormShareSetting]
	if !ok {
		return nil
	}
	if share, err := strconv.ParseFloat(text, 64); err != nil || math.Abs(share-kept/norm) > 1e-6 {
		c.problem("selection %s: the record says it keeps %s of the squared norm; the vectors give %v", c.sel.Info.Name, text, kept/norm)
	}
	return nil
}
