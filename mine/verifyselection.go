package mine

import (
	"slices"
	"strconv"

	"fstore/index/expansion"
	"fstore/mine/query"
	"fstore/store"
)

// selectionCheck checks one selection.
type selectionCheck struct {
	*verifier
	sel     *query.Selection
	samples uint32
	labels  []uint32 // of each entry, where it has a label
	with    []uint32 // samples with the entry and its label
	chi2    *ChiSquared
}

// selection checks a selection: its codes, its vocabulary hash and its expansion index,
// and, of what it says of the first samples of the store, what follows from their trees
// and labels.
func (v *verifier) selection(info *store.SelectionInfo) error {
	sel, err := query.OpenSelection(v.s, info.Name)
	if err != nil {
		return err
	}
	c := &selectionCheck{verifier: v, sel: sel}
	x, err := expansion.Open(v.s.FS(), v.s.Path(info.Expansion))
	if err != nil {
		v.problem("selection %s: %v", info.Name, err)
		return nil
	}
	defer x.Close()
	if sound, err := c.codes(x); err != nil || !sound {
		return err
	}
	n, err := strconv.ParseUint(info.Settings[query.SamplesSetting], 10, 32)
	if err != nil || uint32(n) > v.s.Meta().Samples {
		return nil // its statistics are of other samples than the store's
	}
	c.samples = uint32(n)
	return c.counts(x)
}

// codes checks what follows from the entries' codes alone, and says whether there is
// anything to count by.
func (c *selectionCheck) codes(x *expansion.Index) (sound bool, err error) {
	info := c.sel.Info
	if err := x.Verify(); err != nil {
		c.problem("selection %s: %v", info.Name, err)
		return false, nil
	}
	var vocab vocabulary
	sum := expansion.NewSum()
	trie := expansion.NewBuilderOf(sum, c.sel.Space, c.syms)
	label := c.sel.Column(query.LabelColumn)
	err = c.sel.Each(c.ctx, func(e *query.Entry) error {
		vocab.add(e.Code)
		if label >= 0 {
			c.labels = append(c.labels, uint32(e.Stats[label]))
		}
		return trie.Add(e.Code)
	})
	if err != nil {
		return false, err
	}
	if h := vocab.hash(c.sel.Space, c.syms); h != info.VocabularyHash {
		c.problem("selection %s: the record says vocabulary %016x, the fragments give %016x", info.Name, info.VocabularyHash, h)
	}
	part, err := trie.Finish()
	if err != nil {
		return false, err
	}
	if !x.Same(part, sum) || x.Features() != info.Features {
		c.problem("selection %s: the expansion index %s is not that of its fragments", info.Name, info.Expansion)
		return false, nil
	}
	return true, nil
}

// counts matches the fragments in the trees, and compares.
func (c *selectionCheck) counts(x *expansion.Index) error {
	var hit func(feature, sample uint32)
	if c.sel.Info.Settings[importedSetting] == "" && c.labels != nil {
		known, err := c.s.Labels()
		if err != nil {
			return err
		}
		for _, label := range c.sel.Labels {
			if !slices.Contains(known, label) {
				c.problem("selection %s: it names a label %s, which no sample has", c.sel.Info.Name, label)
				return nil
			}
		}
		if c.chi2, err = chiSquaredOf(c.s, c.sel.Labels, c.samples, nil); err != nil {
			return err
		}
		c.with = make([]uint32, len(c.labels))
		hit = func(feature, sample uint32) {
			if c.chi2.has(sample, c.labels[feature]) {
				c.with[feature]++
			}
		}
	}
	n, err := recount(c.ctx, c.s, c.sel.Space, c.syms, x, c.samples, c.o.Progress, hit)
	if err != nil {
		return err
	}
	return c.sel.Each(c.ctx, func(e *query.Entry) error {
		i := e.ID - 1
		c.same(e, query.SupportColumn, e.Stats[0], float64(n.support[i]))
		c.same(e, query.OccurrencesColumn, e.Stats[1], n.occurrences[i])
		if c.chi2 == nil {
			return nil
		}
		label := int(c.labels[i])
		for k, want := range c.chi2.statistics(label, c.with[i], n.support[i]) {
			c.same(e, c.sel.Info.Columns[2+k], e.Stats[2+k], want)
		}
		c.same(e, "score", e.Score, c.chi2.chi2(label, c.with[i], n.support[i]))
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
