package contrast

import (
	"cmp"
	"context"
	"errors"
	"fmt"
	"slices"

	"fstore/index"
	"fstore/mine/association"
	"fstore/mine/query"
	"fstore/store/runfile"
)

// New compares the fragments of a table. A wrong option, such as a label that no sample has, gives an
// *index.UsageError.
func New(ctx context.Context, t *query.Table, o Options) (*Contrast, error) {
	all, err := newAll(ctx, t, o, []string{o.A})
	if err != nil {
		return nil, err
	}
	return all[0], nil
}

// NewEach compares every label of the store with the rest, and returns a Contrast for each label. It adjusts
// p-values to the number of rows of all labels together.
func NewEach(ctx context.Context, t *query.Table, o Options) ([]*Contrast, error) {
	if o.A != "" || o.B != "" || o.Reference != nil {
		return nil, index.Usagef("each label against the rest: name none")
	}
	if len(t.Labels) < 2 {
		return nil, index.Usagef("each label against the rest: the store has %s", index.Plural(len(t.Labels), "label"))
	}
	return newAll(ctx, t, o, t.Labels)
}

// newAll returns a Contrast for each of the labels. The label is side A of its Contrast.
func newAll(ctx context.Context, t *query.Table, o Options, labels []string) (all []*Contrast, err error) {
	defer func() {
		if err != nil {
			for _, c := range all {
				err = errors.Join(err, c.Close())
			}
			all = nil
		}
	}()
	for i, label := range labels {
		own := o
		own.A = label
		if i > 0 {
			own.TempDir = fmt.Sprint(o.TempDir, "-", i)
		}
		c, err := newCounted(ctx, t, own)
		if err != nil {
			return all, err
		}
		all = append(all, c)
	}
	measureAll(all)
	if o.Documents != nil {
		err = testDocuments(ctx, all)
	}
	return all, err
}

// newCounted returns a comparison with its frequencies, but without measures.
func newCounted(ctx context.Context, t *query.Table, o Options) (*Contrast, error) {
	o, err := o.withDefaults(t)
	if err != nil {
		return nil, err
	}
	s, err := newSides(ctx, t, &o)
	if err != nil {
		return nil, err
	}
	c := &Contrast{
		Options: o, Both: s.both, Documents: s.docs > 0, t: t, count: newCounter(s, o.Count),
		A: Side{o.A, s.a.samples, s.a.in(o.Per)}, B: Side{o.B, s.b.samples, s.b.in(o.Per)},
	}
	if o.Reference != nil {
		c.B = Side{Label: o.Reference.Name, N: o.Reference.Size}
	}
	if err := c.check(); err != nil {
		return nil, err
	}
	c.MinDocs = o.minDocs(s)
	if err := c.tally(ctx); err != nil {
		return nil, errors.Join(err, c.Close())
	}
	c.Few, c.Known = c.few, c.known
	return c, nil
}

// minDocs returns the number of documents in which a fragment must occur to get a row.
func (o *Options) minDocs(s *sides) uint64 {
	switch {
	case s.docs == 0 || o.MinDocs < 0 || o.MinDocs == 0 && o.Constructions != nil:
		return 0
	case o.MinDocs == 0 && o.Reference != nil:
		return min(DefaultMinDocs, s.a.documents())
	case o.MinDocs == 0:
		return min(DefaultMinDocs, s.a.documents(), s.b.documents())
	}
	return uint64(o.MinDocs)
}

// check returns an error if a side has size 0, or if the options need documents and the store has none.
func (c *Contrast) check() error {
	o := &c.Options
	switch {
	case !c.Documents && (o.Count == Documents || o.Per == Documents || o.MinDocs > 0):
		return ErrNoDocuments
	case c.B.Samples == 0 && o.Reference == nil:
		return index.Usagef("every sample has the label %s: there is no rest to compare with", o.A)
	}
	for _, s := range []Side{c.A, c.B} {
		if s.N == 0 {
			name := "label " + s.Label
			if s.Label == "" {
				name = "the rest"
			}
			return index.Usagef("%s has no %s", name, o.Per)
		}
	}
	return nil
}

// tally reads the fragments. It counts how many rows have each pair of frequencies.
func (c *Contrast) tally(ctx context.Context) (err error) {
	c.held, err = c.heldGroups(ctx)
	switch {
	case err != nil:
		return err
	case c.held != nil:
		return c.tallyHeld(ctx)
	case c.Options.Brief:
		if err = c.tallyKept(ctx); !errors.Is(err, errFull) {
			return err
		}
	}
	c.times = map[pair]uint64{}
	if c.Options.All {
		return c.read(ctx, "count", func(r *query.Row, p pair) error {
			c.Fragments++
			c.times[p]++
			return nil
		})
	}
	d := &distinct{sorter: runfile.NewSorter(&runfile.Dir{FS: c.Options.FS, Path: c.Options.TempDir}, runfile.SortOptions{})}
	err = c.read(ctx, "count", func(r *query.Row, p pair) error {
		c.Fragments++
		return d.add(c.t, r, c.list(r), p)
	})
	if err != nil {
		return errors.Join(err, d.sorter.Close())
	}
	c.chosen = newIDSet(c.t.Info.Features)
	if c.Options.Members {
		c.members = runfile.NewSorter(&runfile.Dir{FS: c.Options.FS, Path: c.Options.TempDir + ".members"}, runfile.SortOptions{})
	}
	return d.choose(c.members, func(id uint32, p pair) {
		c.chosen.add(id)
		c.times[p]++
	})
}

// measureAll computes the measures of all comparisons, and adjusts their p-values together.
func measureAll(all []*Contrast) {
	rows, shares := uint64(0), true
	pairs := make([][]pair, len(all))
	for i, c := range all {
		shares = shares && c.Options.shares()
		for p, n := range c.times {
			pairs[i] = append(pairs[i], p)
			c.Rows += n
			shares = shares && p.a <= c.A.N && p.b <= c.B.N
		}
		slices.SortFunc(pairs[i], func(x, y pair) int { return cmp.Or(cmp.Compare(x.a, y.a), cmp.Compare(x.b, y.b)) })
		rows += c.Rows
	}
	var tests association.Tests
	for i, c := range all {
		c.Tests, c.Shares = rows, shares
		c.measure(pairs[i], rows)
		for _, p := range pairs[i] {
			tests.P, tests.Times = append(tests.P, c.measures[p].P), append(tests.Times, c.times[p])
		}
		c.times = nil
	}
	adjusted := adjust(tests, all[0].Options.Adjust)
	for i, c := range all {
		for _, p := range pairs[i] {
			c.measures[p].Adjusted, adjusted = adjusted[0], adjusted[1:]
		}
		c.rank(pairs[i])
	}
}

// measure computes the measures of each pair of frequencies. totalRows is the number of rows of all
// comparisons.
func (c *Contrast) measure(pairs []pair, totalRows uint64) {
	alpha := 1 - c.Options.Confidence
	if c.Options.Adjust == Bonferroni {
		alpha /= float64(totalRows)
	}
	c.measures = make(map[pair]*Measures, len(pairs))
	for _, p := range pairs {
		m := measure(p.a, p.b, c.A.N, c.B.N, c.Shares, alpha)
		c.measures[p] = &m
	}
}

// rank sets the ranks of the pairs, from 0. Pairs with equal LRC and G2 have the same rank.
func (c *Contrast) rank(pairs []pair) {
	compare := func(x, y *Measures) int { return cmp.Or(cmp.Compare(x.LRC, y.LRC), cmp.Compare(x.G2, y.G2)) }
	slices.SortFunc(pairs, func(x, y pair) int { return compare(c.measures[x], c.measures[y]) })
	for i := 1; i < len(pairs); i++ {
		before, m := c.measures[pairs[i-1]], c.measures[pairs[i]]
		if m.Rank = before.Rank; compare(before, m) != 0 {
			m.Rank++
		}
	}
}

// testDocuments tests the rows of all comparisons, and adjusts their p-values together.
func testDocuments(ctx context.Context, all []*Contrast) error {
	var tests association.Tests
	for _, c := range all {
		o := c.Options.Documents
		d, err := newDocumentTest(c.count.s, c.Options.Per, o)
		if err != nil {
			return err
		}
		c.BothDocuments, c.Permutations, c.AllDivisions = uint64(d.left), d.n, d.exact
		c.WithoutDocument = c.count.s.without
		c.tested = &tested{}
		err = c.each(ctx, "permute", nil, func(r *Row) error {
			if o.Wanted != nil {
				if ok, err := o.Wanted(c, r); err != nil || !ok {
					return err
				}
			}
			c.tested.ids, c.tested.p = append(c.tested.ids, r.ID), append(c.tested.p, d.test(c.count))
			return nil
		})
		if err != nil {
			return err
		}
		tests.P = append(tests.P, c.tested.p...)
	}
	tests.Times = slices.Repeat([]uint64{1}, len(tests.P))
	adjusted := adjust(tests, all[0].Options.Adjust)
	for _, c := range all {
		c.Tests = uint64(len(tests.P))
		c.tested.adjusted, adjusted = adjusted[:len(c.tested.p)], adjusted[len(c.tested.p):]
	}
	return nil
}

// Each calls f for the rows in key order. It can be called again, unless Options.Members is set.
func (c *Contrast) Each(ctx context.Context, f func(*Row) error) error {
	if c.held != nil || c.kept.rows != nil {
		return c.eachBrief(ctx, f)
	}
	if c.members == nil {
		return c.each(ctx, "compare", nil, f)
	}
	m, err := newMembers(c.members)
	if err != nil {
		return err
	}
	return errors.Join(c.each(ctx, "compare", m, f), m.it.Close())
}

// eachBrief does the work of Each if the rows are in memory, in c.kept or c.heldRows.
func (c *Contrast) eachBrief(ctx context.Context, f func(*Row) error) error {
	n, set := len(c.kept.rows), c.setKept
	if c.held != nil {
		n, set = len(c.heldRows), c.setHeld
	}
	row := Row{Row: &query.Row{}}
	for i := range n {
		if i%lookEvery == 0 && ctx.Err() != nil {
			return ctx.Err()
		}
		if err := set(&row, i); err != nil {
			return err
		}
		if row.place > 0 {
			if err := f(&row); err != nil {
				return err
			}
		}
	}
	return nil
}

// Recall counts the fragment with this id again. Only Row.Row and Dispersion of the result can be used.
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

// Frequencies returns a fragment's frequencies in A and B, in units of Options.Count. It also returns the
// number of documents of both sides that have the fragment.
func (c *Contrast) Frequencies(r *query.Row) (a, b, documents uint64, err error) {
	ids, counts, places, err := c.t.WithPlaces(r, nil, nil, nil)
	if err != nil {
		return 0, 0, 0, err
	}
	c.count.count(ids, counts, places)
	p := c.count.pair()
	return p.a, p.b, c.count.documents(), nil
}
