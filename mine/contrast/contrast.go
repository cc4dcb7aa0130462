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

// Side is one of the two corpora.
type Side struct {
	Label   string // "" stands for every sample without the other side's label
	Samples uint64
	N       uint64 // the size of the side, in units of Options.Per
}

// Row is a fragment or a construction with its frequencies in both corpora. [Contrast.Each] reuses one Row.
type Row struct {
	*query.Row
	Name         string // the name of a construction, which has no Code and no Order
	FreqA, FreqB uint64 // the frequencies in A and B, in units of Options.Count
	DocsA, DocsB uint64 // the numbers of documents with the fragment; 0 if the store has no documents
	*Measures

	members *members
	count   *counter
	of      *Contrast // the contrast that keeps the row in memory; nil after Settle
	place   uint32    // index of the row in that contrast, from 1
}

// Dispersion says how the counted units are spread over the documents of A, or of B if ofB is set. It is
// valid until the next row. With Options.Brief only rows from Recall have it.
func (r *Row) Dispersion(ofB bool) association.Dispersion {
	if ofB {
		return r.count.b.dispersion(&r.count.s.b)
	}
	return r.count.a.dispersion(&r.count.s.a)
}

// EachMember calls f for the other fragments that the row stands for. The highest order comes first;
// fragments of one order are sorted by text. It can be called once per row. Without Options.Members f is
// never called.
func (r *Row) EachMember(f func(*Member) error) error {
	if r.members == nil {
		return nil
	}
	return r.members.each(r.ID, f)
}

// Contrast is a comparison whose rows can be read. It is for one goroutine.
type Contrast struct {
	Options   Options // with the defaults filled in
	A, B      Side
	Both      uint64 // the number of samples that are in both corpora; they count in both
	Fragments uint64 // the number of fragments that occur on a side and are in at least MinDocs documents
	Few       uint64 // the number of fragments that occur on a side, but in fewer documents than MinDocs
	MinDocs   uint64 // how many documents of both sides together a fragment must be in; 0: no limit
	Known     uint64 // the number of fragments of the reference that are stored
	Rows      uint64 // the number of rows, each of which is one test
	Tests     uint64 // the number of tests to which p-values are adjusted: of this contrast, or of all labels
	Documents bool   // whether the store knows documents
	// BothDocuments counts documents with samples on both sides. WithoutDocument counts samples of a side
	// without a document. The test of Options.Documents leaves out these documents and these samples.
	BothDocuments, WithoutDocument uint64
	// Permutations is how many permutations the test of Options.Documents made. AllDivisions says whether
	// these are all permutations that exist.
	Permutations int
	AllDivisions bool

	// Shares says whether each frequency, in all rows, is a part of the size of its side. (With NewEach, this
	// is said of the rows of all labels together.) If so, G², X² and odds ratio come from 2×2 tables.
	// Otherwise all rows compare rates (see Measures).
	Shares bool

	t        *query.Table
	count    *counter
	ids      []uint32
	counts   []uint32
	places   []uint32
	inUnit   []byte
	known    uint64  // how many fragments of the last reading the reference has
	few      uint64  // how many fragments of the last reading are in too few documents
	chosen   idSet   // fragments that have a row; nil: every fragment
	kept     kept    // fragments in memory, for Options.Brief
	held     *groups // used instead of kept if the store keeps groups in memory, else nil
	heldRows []heldRow
	mayBe    []query.Row     // scratch of Settle
	members  *runfile.Sorter // members of the rows; nil without Options.Members
	times    map[pair]uint64 // number of rows with each pair of frequencies; nil once measures is set
	measures map[pair]*Measures
	tested   *tested // the p-values of the document test; nil: p-values are in measures
}

// pair has the frequency of a fragment in A and in B.
type pair struct{ a, b uint64 }

// lookEvery is how many fragments are read between two reports of progress.
const lookEvery = 4096

// New compares the fragments of a table. Wrong options are an *index.UsageError: for example a label that no
// sample has, or a corpus of size 0, which has no relative frequencies.
func New(ctx context.Context, t *query.Table, o Options) (*Contrast, error) {
	all, err := newAll(ctx, t, o, []string{o.A})
	if err != nil {
		return nil, err
	}
	return all[0], nil
}

// NewEach compares every label of the store with the rest, and returns a Contrast for each label. All their
// tests are one family: p-values are adjusted to the rows of all labels, and with Bonferroni the intervals
// too.
func NewEach(ctx context.Context, t *query.Table, o Options) ([]*Contrast, error) {
	if o.A != "" || o.B != "" || o.Reference != nil {
		return nil, index.Usagef("each label against the rest: name none")
	}
	if len(t.Labels) < 2 {
		return nil, index.Usagef("each label against the rest: the store has %s", index.Plural(len(t.Labels), "label"))
	}
	return newAll(ctx, t, o, t.Labels)
}

// newAll returns a Contrast for each label as A.
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
		c, err := counted(ctx, t, own)
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

// counted returns a comparison with its frequencies, but without measures.
func counted(ctx context.Context, t *query.Table, o Options) (*Contrast, error) {
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

// minDocs returns how many documents a fragment with a row must be in.
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

// check returns an error if a side has size 0, which gives no relative frequencies, or if the store lacks the
// needed documents.
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

// tally reads the fragments and counts the rows with each pair of frequencies.
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

// read calls f for every fragment in key order, or for every construction in the given order. It skips the
// fragments and constructions in fewer than MinDocs documents, and fragments that are on no side.
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

// measureAll computes the measures once for each pair of frequencies, because measures depend only on the
// pair. It adjusts the p-values of all comparisons together.
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

func adjust(tests association.Tests, how Adjust) []float64 {
	switch how {
	case Bonferroni:
		return tests.Bonferroni()
	case FDR:
		return tests.FDR()
	}
	return tests.P
}

// measure computes the measures of the pairs. The parameter rows is the number of rows of all comparisons.
func (c *Contrast) measure(pairs []pair, rows uint64) {
	alpha := 1 - c.Options.Confidence
	if c.Options.Adjust == Bonferroni {
		alpha /= float64(rows)
	}
	c.measures = make(map[pair]*Measures, len(pairs))
	for _, p := range pairs {
		m := measure(p.a, p.b, c.A.N, c.B.N, c.Shares, alpha)
		c.measures[p] = &m
	}
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
			own.P, own.Adjusted = c.tested.of(r.ID)
			row.Measures = &own
		}
		return f(&row)
	})
}
