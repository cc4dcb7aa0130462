package look

import (
	"context"

	"fstore/cli/table"
	"fstore/cli/usage"
	"fstore/decode/concordance"
	"fstore/mine/query"
)

// exampleColumn is a column of lists: a phrase of each fragment that is printed.
const exampleColumn = "example"

// exampleSetter sets the column in rows that are printed.
type exampleSetter struct {
	t          *query.Table
	patterns   *patternRows // nil: rows are fragments
	column, id int          // of a row; column is 0 where it is not shown
}

// newExampleSetter refuses to sort by the column, or to choose by it.
func newExampleSetter(r *listing) (e exampleSetter, err error) {
	i := table.Index(r.columns, exampleColumn)
	if r.uses(i, i+1) {
		return e, usage.Errorf("%s is a column to show: it is found for the rows that are printed", exampleColumn)
	}
	if r.shows(i, i+1) {
		e.column, e.id = i, table.Index(r.columns, "id")
	}
	return e, nil
}

// writer returns what sets the column of a row and hands it on.
func (e exampleSetter) writer(ctx context.Context, write func(*table.Row) error) func(*table.Row) error {
	if e.column == 0 {
		return write
	}
	return func(row *table.Row) error {
		text, err := e.of(ctx, row.Uint(e.id))
		if err != nil {
			return err
		}
		row.SetString(e.column, text)
		return write(row)
	}
}

// of is the phrase of the row with this id.
func (e exampleSetter) of(ctx context.Context, id uint64) (string, error) {
	if e.patterns != nil {
		return concordance.ConstructionExample(e.t.Store(), e.patterns.counts[id-1])
	}
	return concordance.Example(ctx, e.t, uint32(id))
}
