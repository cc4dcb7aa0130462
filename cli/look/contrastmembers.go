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

// membersColumn is the last of the columns that are shown on demand, but for labelColumn and
// familyColumn.
const membersColumn = "members"

// memberSearch is what contrast does with the fragments that a row stands for beside its
// own.
type memberSearch struct {
	seeks     bool // --where may hold of them
	column    int  // of their list, 0 where it is not shown
	order, id int  // columns that differ among them

	probe table.Row // of a member: the row, with the member's own text and numbers
	list  []byte
	found map[uint64]string // the member that --where holds of, by the id of its row
	named []string          // what to say of rows that were printed
	more  int               // further ones
}

const (
	mostFound = 1 << 16 // members that are kept to be named: more rows nobody reads
	mostNamed = 5       // of rows that are printed
)

// memberSearch is what the flags ask for.
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

// wantsMember says whether a row is wanted, for its own fragment or for one of its members,
// and sets the column of members.
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

// printed notes that a row was printed.
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

// note says which rows were found by a member.
func (m *memberSearch) note(env *command.Env) {
	for _, text := range m.named {
		env.Note("%s: they occur in the same samples, equally often", text)
	}
	if m.more > 0 {
		env.Note("so do %s for others (--columns %s lists them)", index.Plural(m.more, "further row"), membersColumn)
	}
}

// documentsNeeded is an error where the flags name a column that is empty without documents: a table
// without rows would be a wrong answer.
func (c *ContrastCommand) documentsNeeded(r *contrastRows) error {
	if c.names(r, append([]string{"dp_A", "dp_B"}, documentColumns...)...) {
		return contrast.ErrNoDocuments
	}
	return nil
}

// checkEmpty is an error where the flags name oddsratio, and it is empty in all rows.
func (c *ContrastCommand) checkEmpty(r *contrastRows) error {
	if !r.t.Shares && c.names(r, "oddsratio") {
		return index.Usagef("oddsratio is of 2×2 tables, and the frequencies are rates: --count sentences or documents has them")
	}
	return nil
}

// names says whether --where, --sort or --columns names one of some columns.
func (c *ContrastCommand) names(r *contrastRows, columns ...string) bool {
	return r.usesNamed(columns...) || slices.ContainsFunc(c.Columns, func(name string) bool { return slices.Contains(columns, name) })
}

// noteNone says why --where leaves no row: of the fragments that it names, which are not stored, or have
// no row.
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

// whyNone says why a fragment has no row, "" where it has one.
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
