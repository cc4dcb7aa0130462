package look

import (
	"cmp"
	"context"
	"math"
	"slices"
	"strings"

	"fstore/cli/command"
	"fstore/cli/table"
	"fstore/mine/association"
	"fstore/mine/contrast"
	"fstore/mine/count"
	"fstore/mine/query"
	"fstore/store"
)

type contrastColumn struct {
	name string
	kind table.Kind
	set  func(row *table.Row, i int, r *contrast.Row, c *contrast.Contrast)
}

// countColumn returns a column of counts. realColumn returns a column of measures.
func countColumn(name string, of func(*contrast.Row, *contrast.Contrast) uint64) contrastColumn {
	return contrastColumn{name, table.Uint, func(row *table.Row, i int, r *contrast.Row, c *contrast.Contrast) {
		row.SetUint(i, of(r, c))
	}}
}

func realColumn(name string, of func(*contrast.Measures) float64) contrastColumn {
	return contrastColumn{name, table.Float, func(row *table.Row, i int, r *contrast.Row, _ *contrast.Contrast) {
		switch x := of(r.Measures); {
		case math.IsInf(x, 0):
			row.SetInfinite(i, x)
		case !math.IsNaN(x):
			row.SetFloat(i, x)
		}
	}}
}

// documentColumn returns a column of counts of documents. Its cells are empty if the store has no documents.
func documentColumn(name string, of func(*contrast.Row) uint64) contrastColumn {
	return contrastColumn{name, table.Uint, func(row *table.Row, i int, r *contrast.Row, c *contrast.Contrast) {
		if c.Documents && (name != "docs_B" || c.Options.Reference == nil) {
			row.SetUint(i, of(r))
		}
	}}
}

// dispersionColumn returns a column that says how unevenly the documents of A or B have a fragment.
func dispersionColumn(name string, ofB bool, of func(association.Dispersion) float64) contrastColumn {
	return contrastColumn{name, table.Float, func(row *table.Row, i int, r *contrast.Row, c *contrast.Contrast) {
		if c.Documents {
			setNumber(row, i, of(r.Dispersion(ofB)))
		}
	}}
}

// contrastDetails are columns that an aligned table shows only if --columns names them.
var contrastDetails = []string{"n_A", "n_B", "logratio_lo", "logratio_hi", "pvalue", "chi2", "bic", "oddsratio", "pctdiff"}

// spareColumns are left out until a line is narrow enough. Those with the largest number are left out first.
var spareColumns = map[string]int{"dpnorm_A": 6, "dpnorm_B": 6, "order": 5, "permillion_A": 4, "permillion_B": 4, "g2": 3, "docs_A": 2, "docs_B": 2, "logratio": 1}

// contrastColumns are the columns after the one with the fragment.
var contrastColumns = []contrastColumn{
	{"order", table.Uint, func(row *table.Row, i int, r *contrast.Row, _ *contrast.Contrast) {
		if r.Code != nil { // a construction has no order
			row.SetUint(i, uint64(r.Order))
		}
	}},
	countColumn("freq_A", func(r *contrast.Row, _ *contrast.Contrast) uint64 { return r.FreqA }),
	countColumn("freq_B", func(r *contrast.Row, _ *contrast.Contrast) uint64 { return r.FreqB }),
	countColumn("n_A", func(_ *contrast.Row, c *contrast.Contrast) uint64 { return c.A.N }),
	countColumn("n_B", func(_ *contrast.Row, c *contrast.Contrast) uint64 { return c.B.N }),
	realColumn("permillion_A", func(m *contrast.Measures) float64 { return m.PerMillionA }),
	realColumn("permillion_B", func(m *contrast.Measures) float64 { return m.PerMillionB }),
	documentColumn("docs_A", func(r *contrast.Row) uint64 { return r.DocsA }),
	documentColumn("docs_B", func(r *contrast.Row) uint64 { return r.DocsB }),
	realColumn("logratio", func(m *contrast.Measures) float64 { return m.LogRatio }),
	realColumn("logratio_lo", func(m *contrast.Measures) float64 { return m.Low }),
	realColumn("logratio_hi", func(m *contrast.Measures) float64 { return m.High }),
	realColumn("lrc", func(m *contrast.Measures) float64 { return m.LRC }),
	realColumn("g2", func(m *contrast.Measures) float64 { return m.G2 }),
	realColumn("pvalue", func(m *contrast.Measures) float64 { return m.P }),
	realColumn("padj", func(m *contrast.Measures) float64 { return m.Adjusted }),
	realColumn("chi2", func(m *contrast.Measures) float64 { return m.Chi2 }),
	realColumn("bic", func(m *contrast.Measures) float64 { return m.BIC }),
	realColumn("oddsratio", func(m *contrast.Measures) float64 { return m.OddsRatio }),
	realColumn("pctdiff", func(m *contrast.Measures) float64 { return m.PctDiff }),
	dispersionColumn("dpnorm_A", false, association.Dispersion.DPNorm),
	dispersionColumn("dpnorm_B", true, association.Dispersion.DPNorm),
	dispersionColumn("dp_A", false, association.Dispersion.DP),
	dispersionColumn("dp_B", true, association.Dispersion.DP),
	countColumn("support", func(r *contrast.Row, _ *contrast.Contrast) uint64 { return uint64(r.Support) }),
	countColumn("occurrences", func(r *contrast.Row, _ *contrast.Contrast) uint64 { return uint64(r.Occurrences) }),
	countColumn("id", func(r *contrast.Row, _ *contrast.Contrast) uint64 { return uint64(r.ID) }),
}

// onDemand is how many columns at the end of contrastColumns are shown only if --columns names them.
const onDemand = 5

// contrastRows are the rows of one comparison, with the sorters that order them.
type contrastRows struct {
	*listing
	t        *contrast.Contrast
	texts    fragmentTexts
	examples exampleSetter
	early    bool // setName is needed before --where can be checked

	members memberSearch

	label, family int // indexes of these columns; 0: not shown

	head, tail *table.Sorter // sorters for the first and the last rows; tail is nil if last rows are not wanted
	wanted     uint64
	held       *heldRows // the rows, if they are not in the sorters; else nil

	picture *scatter // nil: no picture is drawn

	brief bool // rows have no dispersion until they are printed
	id    int  // index of the column id
}

// setDispersion sets the columns of dispersion before a row is printed, if they are not set yet.
func (r *contrastRows) setDispersion(row *table.Row) error {
	if !r.brief || !slices.ContainsFunc(dispersionColumns, func(i int) bool { return slices.Contains(r.shown, i) }) {
		return nil
	}
	x, err := r.t.Recall(uint32(row.Uint(r.id)))
	if err != nil {
		return err
	}
	for _, i := range dispersionColumns {
		contrastColumns[i-1].set(row, i, x, r.t)
	}
	return nil
}

// dispersionColumns are the indexes that the columns of dispersion have in a table row.
var dispersionColumns = func() (all []int) {
	for i, k := range contrastColumns {
		if strings.HasPrefix(k.name, "dp") {
			all = append(all, i+1)
		}
	}
	return all
}()

// documentColumns are hidden if the store has no documents.
var documentColumns = []string{"docs_A", "docs_B", "dpnorm_A", "dpnorm_B"}

// open opens what is compared: the fragments of a space, or constructions in the trees.
func (c *ContrastCommand) open(ctx context.Context, env *command.Env, s *store.Store) (*query.Table, *patternRows, error) {
	if !c.comparesPatterns() {
		t, err := query.Open(s, c.Space)
		return t, nil, err
	}
	x, err := count.Open(s, c.Space)
	if err != nil {
		return nil, nil, err
	}
	p := &patternRows{x: x}
	if p.all, p.names, err = constructions(ctx, env, x, c.Patterns, c.PatternsFile, &c.TextFlags); err != nil {
		return nil, nil, err
	}
	t, err := query.OpenSamples(s)
	return t, p, err
}

// count counts the constructions, and warns of names in them that occur in no sample.
func (c *ContrastCommand) count(ctx context.Context, env *command.Env, p *patternRows) (all []contrast.Construction, err error) {
	if p == nil {
		return nil, nil
	}
	unit := contrast.Unit(c.Count)
	o := count.Options{Progress: env.Progress, HitsOnly: unit != "" && unit != contrast.Places}
	if p.counts, err = p.x.Find(ctx, p.all, o); err != nil {
		return nil, err
	}
	for i, k := range p.counts {
		found := contrast.Construction{Name: p.names[i]}
		found.IDs, found.Hits, found.Places = k.Samples()
		all = append(all, found)
	}
	return all, noteCounted(ctx, env, p.x, p.names, p.counts)
}

// setName sets the first column: the text of a fragment, or the name of a construction.
func (r *contrastRows) setName(row *table.Row, x *contrast.Row) error {
	if x.Code == nil {
		row.SetString(fragmentColumn, x.Name)
		return nil
	}
	if err := x.Settle(); err != nil {
		return err
	}
	r.texts.set(row, x.Row)
	return nil
}

// set sets the cells of the columns with these indexes in contrastColumns.
func (r *contrastRows) set(row *table.Row, x *contrast.Row, columns []int) {
	for _, i := range columns {
		if !r.brief || !slices.Contains(dispersionColumns, i+1) {
			contrastColumns[i].set(row, i+1, x, r.t)
		}
	}
}

// split returns the indexes of contrastColumns that --where or the sorting needs, and the other indexes.
func (r *contrastRows) split() (first, others []int) {
	for i := range contrastColumns {
		if r.isUsed(i+1) || r.members.isWanted() {
			first = append(first, i)
		} else {
			others = append(others, i)
		}
	}
	return first, others
}

// printed returns the columns of the output. Some are hidden unless --columns names them.
func (r *contrastRows) printed(named []string) []table.Column {
	header := r.header()
	for i := range header {
		name := header[i].Name
		header[i].Hidden = slices.Contains(contrastDetails, name) && !slices.Contains(named, name) ||
			r.t.Options.Constructions != nil && name == "order" ||
			!r.t.Documents && slices.Contains(documentColumns, name)
		header[i].Spare = cmp.Or(header[i].Spare, spareColumns[name])
	}
	return header
}

// wantsMember reports whether --where is true for the fragment of a row or for one of the row's members. It
// also sets the cell of the column `members`.
func (r *contrastRows) wantsMember(ctx context.Context, row *table.Row, x *contrast.Row) (bool, error) {
	ok, err := r.wants(ctx, row)
	m := &r.members
	if err != nil || !m.isWanted() {
		return ok, err
	}
	m.list = m.list[:0]
	err = x.EachMember(func(member *contrast.Member) (err error) {
		if m.column > 0 {
			if len(m.list) > 0 {
				m.list = append(m.list, "; "...)
			}
			m.list = append(m.list, member.Text...)
		}
		if ok {
			return nil
		}
		row.CopyTo(&m.probe)
		m.probe.SetText(fragmentColumn, member.Text)
		m.probe.SetUint(m.order, uint64(member.Order))
		m.probe.SetUint(m.id, uint64(member.ID))
		if ok, err = r.wants(ctx, &m.probe); ok && len(m.found) < mostFound {
			m.found[uint64(x.ID)] = string(member.Text)
		}
		return err
	})
	if m.column > 0 {
		row.SetText(m.column, m.list)
	}
	return ok, err
}

// heldRows are the wanted rows of a comparison, without the texts, which only few rows need.
type heldRows struct {
	rows  []heldRow
	ranks []uint32 // for each rank: number of rows with a lower rank
}

// heldRow has the rank of a row, and the index with which Contrast.At reads the row again.
type heldRow struct {
	at, rank uint32
	sign     int8 // sign of its log ratio
}

func (h *heldRows) add(at int, x *contrast.Row) {
	h.rows = append(h.rows, heldRow{uint32(at), uint32(x.Rank), int8(cmp.Compare(x.LogRatio, 0))})
}

// sort sorts the rows by rank. A second call does nothing.
func (h *heldRows) sort() {
	if h.ranks != nil {
		return
	}
	last := uint32(0)
	for _, r := range h.rows {
		last = max(last, r.rank)
	}
	h.ranks = make([]uint32, last+2)
	for _, r := range h.rows {
		h.ranks[r.rank+1]++
	}
	for i := range last + 1 {
		h.ranks[i+1] += h.ranks[i]
	}
	next, sorted := slices.Clone(h.ranks), make([]heldRow, len(h.rows))
	for _, r := range h.rows {
		sorted[next[r.rank]] = r
		next[r.rank]++
	}
	h.rows = sorted
}

// eachRank calls f with the rows of each rank, from the highest rank if `sign` is 1, from the lowest if it is
// -1.
func (h *heldRows) eachRank(sign int8, f func([]heldRow) error) error {
	h.sort()
	for i := range len(h.ranks) - 1 {
		if sign > 0 {
			i = len(h.ranks) - 2 - i
		}
		if some := h.rows[h.ranks[i]:h.ranks[i+1]]; len(some) > 0 {
			if err := f(some); err != nil {
				return err
			}
		}
	}
	return nil
}
