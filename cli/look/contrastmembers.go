package look

import (
	"slices"

	"fstore/cli/command"
	"fstore/cli/table"
	"fstore/index"
)

// membersColumn is the name of a column that is shown only if --columns names it.
const membersColumn = "members"

// memberSearch finds rows by their members: the fragments that a row stands for besides its own.
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
	mostFound = 1 << 16 // members kept for notes
	mostNamed = 5       // notes about printed rows
)

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

// printed must be called for each printed row. It collects what the method `note` prints.
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

// note tells the user which rows stand for a fragment that --where has found.
func (m *memberSearch) note(env *command.Env) {
	for _, text := range m.named {
		env.Note("%s: they occur in the same samples, equally often", text)
	}
	if m.more > 0 {
		env.Note("so do %s for others (--columns %s lists them)", index.Plural(m.more, "further row"), membersColumn)
	}
}
