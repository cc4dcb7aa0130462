package selection

import (
	"bytes"
	"context"
	"io"
	"slices"
	"strconv"

	"fstore/index"
	"fstore/index/expansion"
	"fstore/mine/association"
	"fstore/mine/query"
	"fstore/mine/recount"
	"fstore/store"
)

// SelectionCounts recomputes the statistics of a selection that depend only on trees and labels: support,
// occurrences, and the statistics of chi2.
type SelectionCounts struct {
	sel     *query.Selection
	syms    *index.Symbols
	Samples uint32   // how many first samples of a store are counted; 0 if the statistics are not from a store
	labels  []uint32 // label of each entry, if chi2 gave it one
	with    []uint32 // how many samples have the entry and its label
	chi2    *ChiSquared
	n       *recount.Counts
}

// NewSelectionCounts reads all entries of the selection.
func NewSelectionCounts(ctx context.Context, sel *query.Selection, syms *index.Symbols) (*SelectionCounts, error) {
	c := &SelectionCounts{sel: sel, syms: syms}
	label := sel.Column(query.LabelColumn)
	if sel.Info.By != ByChiSquared || sel.Info.Settings[ImportedSetting] != "" {
		label = -1
	}
	err := sel.Each(ctx, func(e *query.Entry) error {
		if label >= 0 {
			c.labels = append(c.labels, uint32(e.Stats[label]))
		}
		return nil
	})
	if n, perr := strconv.ParseUint(sel.Info.Settings[query.SamplesSetting], 10, 32); perr == nil {
		c.Samples = uint32(n)
	}
	return c, err
}

// Absent returns a label of the selection that is not among the given labels, and whether there is one.
func (c *SelectionCounts) Absent(known []string) (label string, absent bool) {
	if c.labels == nil {
		return "", false
	}
	for _, label := range c.sel.Labels {
		if !slices.Contains(known, label) {
			return label, true
		}
	}
	return "", false
}

// Count matches the fragments of x in the first c.Samples samples of st.
func (c *SelectionCounts) Count(ctx context.Context, st *store.Store, x *expansion.Index, workers int, progress index.Progress) (err error) {
	var hit func(h *index.Hit, sample uint32)
	if c.labels != nil {
		if c.chi2, err = chiSquaredOf(st, c.sel.Labels, c.Samples, nil); err != nil {
			return err
		}
		c.with = make([]uint32, len(c.labels))
		hit = func(h *index.Hit, sample uint32) {
			if c.chi2.has(sample, c.labels[h.ID-1]) {
				c.with[h.ID-1]++
			}
		}
	}
	c.n, err = (&recount.Run{
		St: st, Space: c.sel.Space, Syms: c.syms, X: x,
		Samples: c.Samples, Workers: workers, Progress: progress, Hit: hit,
	}).Count(ctx)
	return err
}

// Set replaces the statistics of an entry by the ones that Count has counted. For chi2 it also replaces the
// score.
func (c *SelectionCounts) Set(e *query.Entry) {
	i := e.ID - 1
	e.Stats[0], e.Stats[1] = float64(c.n.Support[i]), c.n.Occurrences[i]
	if c.chi2 == nil {
		return
	}
	stats := c.chi2.statistics(int(c.labels[i]), c.with[i], c.n.Support[i])
	if c.sel.Tails() {
		stats[3] = association.PValue(c.chi2.chi2(int(c.labels[i]), c.with[i], c.n.Support[i]))
	}
	copy(e.Stats[2:], stats[:])
	e.Score = c.chi2.chi2(int(c.labels[i]), c.with[i], c.n.Support[i])
}

// ExpansionOf makes an expansion index in memory. The function `putAll` must call its argument with every
// code, in ascending order.
func ExpansionOf(space index.Space, syms *index.Symbols, putAll func(func(index.Code) error) error) (*expansion.Index, error) {
	var blocks, joined bytes.Buffer
	trie := expansion.NewBuilderOf(&blocks, space, syms)
	if err := putAll(trie.Add); err != nil {
		return nil, err
	}
	part, err := trie.Finish()
	if err != nil {
		return nil, err
	}
	if err := expansion.Join(&joined, []expansion.Part{part}, []io.Reader{&blocks}); err != nil {
		return nil, err
	}
	return expansion.Parse(joined.Bytes())
}
