package command

import (
	"context"
	"fmt"
	"math/rand/v2"
	"os"
	"slices"

	"fstore/cli/table"
	"fstore/cli/usage"
	"fstore/cli/where"
	"fstore/mine/query"
)

// Rows are the rows of a list of fragments, of which the first column is the text:
// which are wanted, by --where, how they are sorted, by --sort, and what of them is
// shown, with --columns.
type Rows struct {
	Columns []table.Column // all that there are
	shown   []int          // of them, in the order printed
	Filter  *where.Filter  // nil: none
	Order   table.Order
	used    []int // the columns that decide whether a row is wanted, and where
}

// FragmentColumn is the column of the text: first, and what decides between equals.
const FragmentColumn = 0

// NewRows takes the columns shown always, those that --columns can add, and what the
// flags say; order is that of no --sort. Its column may be the one after all that have
// a name.
func NewRows(always, more []table.Column, columns []string, condition, sort string, order table.Order) (*Rows, error) {
	r := &Rows{Columns: slices.Concat(always, more), Order: order}
	for i := range always {
		r.shown = append(r.shown, i)
	}
	for _, name := range columns {
		i := table.Index(r.Columns, name)
		if i < 0 {
			return nil, usage.Errorf("--columns %s: unknown column (columns: %s)", name, table.Names(r.Columns))
		}
		if !slices.Contains(r.shown, i) {
			r.shown = append(r.shown, i)
		}
	}
	var err error
	if condition != "" {
		if r.Filter, err = where.Compile(condition, r.Columns); err != nil {
			return nil, err
		}
		r.used = append(r.used, r.Filter.Uses()...)
	}
	if sort != "" {
		if r.Order, err = table.ParseOrder(sort, r.Columns); err != nil {
			return nil, err
		}
	}
	r.used = append(r.used, r.Order.Column)
	return r, nil
}

// Uses says whether a column from first to below end decides which rows are wanted, and
// where.
func (r *Rows) Uses(first, end int) bool {
	return slices.ContainsFunc(r.used, func(i int) bool { return first <= i && i < end })
}

// Shows says whether a column from first to below end is shown.
func (r *Rows) Shows(first, end int) bool {
	return slices.ContainsFunc(r.shown, func(i int) bool { return first <= i && i < end })
}

// Needs says whether a column from first to below end is used or shown.
func (r *Rows) Needs(first, end int) bool { return r.Uses(first, end) || r.Shows(first, end) }

// Wants says whether --where holds of a row, of which the used columns are set. After an
// error it may be asked again, with the text set, so that the message names the row.
func (r *Rows) Wants(ctx context.Context, row *table.Row) (bool, error) {
	if r.Filter == nil {
		return true, nil
	}
	return r.Filter.Match(ctx, row)
}

// Show shows a column that is not named: before all others, or after them.
func (r *Rows) Show(column int, first bool) {
	if first {
		r.shown = append([]int{column}, r.shown...)
	} else {
		r.shown = append(r.shown, column)
	}
}

// Header is the columns shown.
func (r *Rows) Header() []table.Column {
	columns := make([]table.Column, len(r.shown))
	for i, k := range r.shown {
		columns[i] = r.Columns[k]
	}
	return columns
}

// Width is how many cells a row has.
func (r *Rows) Width() int { return max(len(r.Columns), r.Order.Column+1) }

// Sorter returns a sorter of the rows: the first limit of them, or all for 0.
func (r *Rows) Sorter(env *Env, limit int) *table.Sorter {
	if limit > 0 {
		return table.NewSorter(r.Width(), r.Order, FragmentColumn, limit)
	}
	return table.NewFullSorter(r.Width(), r.Order, FragmentColumn, table.Spill{FS: env.FS, Dir: env.TempDir()})
}

// Picker returns what writes the shown columns of a row to out.
func (r *Rows) Picker(out table.Writer) func(*table.Row) error {
	shown := table.NewRow(len(r.shown))
	return func(row *table.Row) error {
		row.Pick(shown, r.shown)
		return out.Write(shown)
	}
}

// EachSorted calls f for the rows of a sorter in order, and returns how many there were.
func EachSorted(ctx context.Context, s *table.Sorter, f func(*table.Row) error) (n uint64, err error) {
	err = s.Rows(func(row *table.Row) error {
		if n++; n&0xFFF == 0 && ctx.Err() != nil {
			return ctx.Err()
		}
		return f(row)
	})
	return n, err
}

// TempDir names a directory that does not exist, for what memory does not hold.
func (e *Env) TempDir() string {
	return e.FS.PathJoin(os.TempDir(), fmt.Sprintf("fstore-%016x", rand.Uint64()))
}

// Texts renders the fragments of a table into rows.
type Texts struct {
	T   *query.Table
	buf []byte
}

func (x *Texts) Set(row *table.Row, r *query.Row) {
	x.buf = x.T.Text(x.buf[:0], r.Code)
	row.SetText(FragmentColumn, x.buf)
}
