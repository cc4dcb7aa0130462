package maintain

import (
	"fmt"
	"math"
	"strconv"

	"fstore/index/expansion"
	"fstore/mine/learn/rerank"
	"fstore/mine/learn/svm"
	"fstore/mine/learn/weights"
	"fstore/mine/query"
	"fstore/mine/selection"
	"fstore/store"
)

type selectionCheck struct {
	*verifier
	sel    *query.Selection
	counts *selection.SelectionCounts
}

// selection checks the codes and the statistics of a selection.
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

// codes checks the codes and the expansion index of the selection, and says whether the index is sound.
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

// compare counts the statistics again, and compares the stored statistics with these counts.
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
			c.checkStatistic(e, column, e.Stats[k], want.Stats[k])
		}
		c.checkStatistic(e, "score", e.Score, want.Score)
		return nil
	})
}

// checkStatistic reports an entry whose stored statistic differs from the count in the trees.
func (c *selectionCheck) checkStatistic(e *query.Entry, what string, stored, counted float64) {
	if stored != counted {
		c.problem("selection %s, fragment %s: stored %s %v; the trees give %v",
			c.sel.Info.Name, c.sel.Text(nil, e.Code), what, stored, counted)
	}
}

// relevanceSlack is how far a stored score may differ from the computed score, relative to the sum of the
// absolute terms. The two were added up in different orders.
const relevanceSlack = 1e-9

// relevance checks a selection by relevance against the vectors of its model, if the store still has the
// model.
func (c *selectionCheck) relevance(x *expansion.Index) error {
	set := c.sel.Info.Settings
	info := c.s.Meta().Model(set[selection.ModelSetting])
	if info == nil || set[selection.ImportedSetting] != "" {
		return nil // imported: its numbers are of a model in another store
	}
	b, err := c.s.Model(info.Name)
	if err != nil {
		return fmt.Errorf("model %s: %w", info.Name, err)
	}
	m, err := svm.Decode(b, c.syms)
	if err != nil || selection.ModelHash(b) != set[selection.ModelHashSetting] {
		return nil // verifier.model reports a damaged model; else another model has taken the name
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

// sameRelevance reports entries whose counts, score or weight differ from those in r. It also reports a wrong
// share of ‖w‖².
func (c *selectionCheck) sameRelevance(r *weights.Matched, norm float64) error {
	kept := 0.0
	err := c.sel.Each(c.ctx, func(e *query.Entry) error {
		i := e.ID - 1
		c.checkStatistic(e, query.SupportColumn, e.Stats[0], float64(r.Support[i]))
		c.checkStatistic(e, query.OccurrencesColumn, e.Stats[1], r.Occurrences[i])
		if math.Abs(e.Score-r.Score[i]) > relevanceSlack*r.Terms[i] {
			c.checkStatistic(e, "score", e.Score, r.Score[i])
		}
		c.checkStatistic(e, "weight", e.Weight, e.Score)
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

// model checks that a kernel machine can be read, and that its record names the right kernel.
func (v *verifier) model(info *store.ModelInfo) error {
	if info.Kernel == "" {
		return nil
	}
	b, err := v.s.Model(info.Name)
	if err != nil {
		return fmt.Errorf("model %s: %w", info.Name, err)
	}
	kernel, err := v.kernelOf(b, info.Learner)
	switch {
	case err != nil:
		v.problem("model %s: %v", info.Name, err)
	case kernel != info.Kernel:
		v.problem("model %s: the record says kernel %s, the model %s", info.Name, info.Kernel, kernel)
	}
	return nil
}

// kernelOf reads a model, and returns the space of its kernel.
func (v *verifier) kernelOf(b []byte, learner string) (string, error) {
	if learner == rerank.LearnerKernel {
		m, err := rerank.DecodeKernel(b, v.syms)
		if err != nil {
			return "", err
		}
		return m.Space.ID(), nil
	}
	m, err := svm.Decode(b, v.syms)
	if err != nil {
		return "", err
	}
	return m.Space.ID(), nil
}
