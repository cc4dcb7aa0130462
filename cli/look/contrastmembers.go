package look

import (
	"context"
	"errors"
	"fmt"
	"slices"

	"fstore/cli/command"
	"fstore/cli/table"
	"fstore/index"
	"fstore/mine/contrast"
	"fstore/store"
)

// membersColumn is the last column that is only shown on demand, except label and family.
const membersColumn = "members"

// memberSearch has what contrast needs for members. Members are the other fragments that a row stands for,
// besides its own fragment.
type memberSearch struct {
	seeks     bool // --where looks for text, which may be in a member
	column    int  // column with the list of members; 0: not shown
	order, id int  // columns that differ between members

	probe table.Row // row of a member: the row with the member's text, order and id
	list  []byte
	found map[uint64]string // for each row id: the member for which --where is true
	named []string          // notes about printed rows
	more  int               // number of printed rows without a note
}

const (
	mostFound = 1 << 16 // members kept for notes: nobody reads more
	mostNamed = 5       // notes about printed rows
)

// memberSearch returns the memberSearch that the flags ask for.
func (c *ContrastCommand) memberSearch(r *listing) (m memberSearch, err error) {
	if i := table.Index(r.columns, membersColumn); slices.Contains(r.shown, i) {
		m.column = i
	}
	switch {
	case r.usesNamed(membersColumn):
		return m, index.Usagef("%s is a column to show: in --where, fragment finds a row by its members", membersColumn)
	case m.column > 0 && c.comparesPatterns():
		return m, index.Usagef("--columns %s: a pattern stands for itself only", membersColumn)
	case m.column > 0 && !c.Distinct:
		return m, index.Usagef("--columns %s: with --no-distinct a row stands for its own fragment only", membersColumn)
	}
	m.seeks = c.isDistinct() && r.filter != nil && r.filter.Seeks("fragment")
	m.order, m.id = table.Index(r.columns, "order"), table.Index(r.columns, "id")
	m.found = map[uint64]string{}
	return m, nil
}

func (m *memberSearch) isWanted() bool { return m.seeks || m.column > 0 }

// wantsMember reports whether --where is true for a row, with its own fragment or with one of its members. It
// also sets the column of members.
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

// printed keeps the texts of a printed row for the method note, if the row was found by a member.
func (m *memberSearch) printed(row *table.Row) {
	member, ok := m.found[row.Uint(m.id)]
	switch {
	case !ok:
	case len(m.named) < mostNamed:
		m.named = append(m.named, string(row.Text(fragmentColumn))+" stands for "+member)
	default:
		m.more++
	}
}

// note prints which rows were found by a member.
func (m *memberSearch) note(env *command.Env) {
	for _, text := range m.named {
		env.Note("%s: they occur in the same samples, equally often", text)
	}
	if m.more > 0 {
		env.Note("so do %s for others (--columns %s lists them)", index.Plural(m.more, "further row"), membersColumn)
	}
}

// documentsNeeded returns an error if the flags name a column that is empty without documents. A table
// without rows would be a wrong answer.
func (c *ContrastCommand) documentsNeeded(r *contrastRows) error {
	if c.names(r, append([]string{"dp_A", "dp_B"}, documentColumns...)...) {
		return contrast.ErrNoDocuments
	}
	return nil
}

// checkEmpty returns an error if the flags name the column oddsratio, but this column is empty in all rows.
func (c *ContrastCommand) checkEmpty(r *contrastRows) error {
	if !r.t.Shares && c.names(r, "oddsratio") {
		return index.Usagef("oddsratio is of 2×2 tables, and the frequencies are rates: --count sentences or documents has them")
	}
	return nil
}

// names reports whether --where, --sort or --columns names one of these columns.
func (c *ContrastCommand) names(r *contrastRows, columns ...string) bool {
	return r.usesNamed(columns...) || slices.ContainsFunc(c.Columns, func(name string) bool { return slices.Contains(columns, name) })
}

// noteNone notes why --where leaves no row. For each fragment that --where names, it says why the fragment
// has no row.
func (c *ContrastCommand) noteNone(env *command.Env, r *contrastRows) {
	env.Note("no row fits %s%s", c.Where, index.MayBeOther(c.Where))
	isSaid := false
	if !c.comparesPatterns() {
		for _, name := range r.filter.Equals("fragment") {
			if text := r.whyNone(name); text != "" {
				env.Note("%s", text)
				isSaid = true
			}
		}
	}
	if k := r.t; k.Few > 0 && !isSaid {
		env.Note("%s in fewer than %s left out (--min-docs 0 has all)", index.Plural(k.Few, "fragment"), index.Plural(k.MinDocs, "document"))
	}
}

// whyNone returns why a fragment has no row, or "" if it has one.
func (r *contrastRows) whyNone(name string) string {
	t := r.texts.t
	code, err := t.Parse(name)
	if err != nil {
		return err.Error()
	}
	row, err := t.Get(code)
	if errors.Is(err, store.ErrNotFound) {
		return t.Absent(name).Error()
	}
	if err != nil {
		return err.Error()
	}
	a, b, documents, err := r.t.Frequencies(row)
	switch {
	case err != nil:
		return err.Error()
	case a+b == 0:
		return name + " occurs on neither side"
	case documents < r.t.MinDocs:
		return fmt.Sprintf("%s is in %s, fewer than --min-docs %d", name, index.Plural(documents, "document"), r.t.MinDocs)
	}
	return ""
}
