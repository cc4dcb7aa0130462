package look

import (
	"context"
	"errors"
	"slices"

	"fstore/cli/command"
	"fstore/cli/table"
	"fstore/cli/where"
	"fstore/decode/concordance"
	"fstore/index"
	"fstore/mine/query"
)

// listing is the rows of a list of fragments, whose first column is the text: which are wanted, by --where,
// their order, by --sort, and the columns that are shown, with --columns.
type listing struct {
	columns []table.Column // all that there are
	shown   []int          // of them, in the order printed
	filter  *where.Filter  // nil: none
	order   table.Order
	used    []int // the columns that decide whether a row is wanted, and where
	named   []int // the columns that --columns and --sort name
}

// fragmentColumn is the column of the text: first, and what decides between equals.
const fragmentColumn = 0

// newListing takes the columns shown always, those that --columns can add, and what the flags say; order is
// that without --sort. Its column may be the one after all that have a name.
func newListing(always, more []table.Column, columns []string, condition, sort string, order table.Order) (*listing, error) {
	r := &listing{columns: slices.Concat(always, more), order: order}
	for i := range always {
		r.shown = append(r.shown, i)
	}
	for _, name := range columns {
		i := table.Index(r.columns, name)
		if i < 0 {
			return nil, index.Usagef("--columns %s: %s", name, table.Unknown(name, r.columns))
		}
		if !slices.Contains(r.shown, i) {
			r.shown = append(r.shown, i)
		}
		r.named = append(r.named, i)
	}
	var err error
	if condition != "" {
		if r.filter, err = where.Compile(condition, r.columns); err != nil {
			return nil, err
		}
		r.used = append(r.used, r.filter.Uses()...)
	}
	if sort != "" {
		if r.order, err = table.ParseOrder(sort, r.columns); err != nil {
			return nil, err
		}
		r.named = append(r.named, r.order.Column)
	}
	r.used = append(r.used, r.order.Column)
	return r, nil
}

// uses says whether a column from first to below end decides which rows are wanted, and
// where.
func (r *listing) uses(first, end int) bool { return hasBetween(r.used, first, end) }

// isUsed is uses of one column.
func (r *listing) isUsed(column int) bool { return slices.Contains(r.used, column) }

// usesNamed says whether one of some columns decides which rows are wanted, and where.
func (r *listing) usesNamed(names ...string) bool {
	return slices.ContainsFunc(r.used, func(i int) bool { return i < len(r.columns) && slices.Contains(names, r.columns[i].Name) })
}

// hasBetween says whether a column from first to below end is among some.
func hasBetween(columns []int, first, end int) bool {
	return slices.ContainsFunc(columns, func(i int) bool { return first <= i && i < end })
}

// needs says whether a column from first to below end is used or shown.
func (r *listing) needs(first, end int) bool {
	return r.uses(first, end) || hasBetween(r.shown, first, end)
}

// wants says whether --where holds of a row, of which the used columns are set. After an
// error it may be asked again, with the text set, so that the message names the row.
func (r *listing) wants(ctx context.Context, row *table.Row) (bool, error) {
	if r.filter == nil {
		return true, nil
	}
	return r.filter.Match(ctx, row)
}

// show shows a column that is not named: before all others, or after them.
func (r *listing) show(column int, first bool) {
	if first {
		r.shown = append([]int{column}, r.shown...)
	} else {
		r.shown = append(r.shown, column)
	}
}

// header is the columns shown. Those that were named are the last to be left out where a line has no
// room.
func (r *listing) header() []table.Column {
	columns := make([]table.Column, len(r.shown))
	for i, k := range r.shown {
		columns[i] = r.columns[k]
		columns[i].Whole = k == fragmentColumn
		if slices.Contains(r.named, k) {
			columns[i].Spare = -1
		}
	}
	return columns
}

// width is how many cells a row has.
func (r *listing) width() int { return max(len(r.columns), r.order.Column+1) }

// sorter returns a sorter of the rows: the first limit of them, or all for 0.
func (r *listing) sorter(env *command.Env, limit int) *table.Sorter {
	return table.NewSorter(r.width(), r.order, fragmentColumn, limit, spill(env))
}

// spill is where a sorter puts rows.
func spill(env *command.Env) table.Spill { return table.Spill{FS: env.FS, Dir: env.TempDir()} }

// picker returns what writes the shown columns of a row to out.
func (r *listing) picker(out table.Writer) func(*table.Row) error {
	shown := table.NewRow(len(r.shown))
	return func(row *table.Row) error {
		row.Pick(shown, r.shown)
		return out.Write(shown)
	}
}

// noteLimit says that a limit has left out rows.
func noteLimit(env *command.Env, printed, wanted uint64, what string) {
	if printed < wanted {
		env.Note("%s of %s %s (--limit 0 prints all)", index.Thousands(printed), index.Thousands(wanted), what)
	}
}

// eachSorted calls f for the rows of a sorter in order, and returns how many there were.
func eachSorted(ctx context.Context, s *table.Sorter, f func(*table.Row) error) (n uint64, err error) {
	err = s.Rows(func(row *table.Row) error {
		if n++; n&0xFFF == 0 && ctx.Err() != nil {
			return ctx.Err()
		}
		return f(row)
	})
	return n, err
}

// printSorted prints rows: collect gives those that are wanted to a sorter of the first limit rows, or of
// all for 0, and says how many they are.
func (r *listing) printSorted(ctx context.Context, env *command.Env, flags command.OutputFlags, limit int, title string, examples exampleSetter, collect func(*table.Sorter) (wanted uint64, err error)) (printed, wanted uint64, err error) {
	out, err := env.TableWith(flags, r.header(), env.Titled(title))
	if err != nil {
		return 0, 0, err
	}
	defer out.Abort()
	sorter := r.sorter(env, limit)
	wanted, err = collect(sorter)
	env.Progress.Close()
	if err != nil {
		return 0, 0, errors.Join(err, sorter.Close())
	}
	out.Announce(env, wanted, limit)
	printed, err = eachSorted(ctx, sorter, examples.writer(ctx, r.picker(out)))
	if err == nil {
		err = out.Commit()
	}
	return printed, wanted, err
}

// fragmentTexts renders the fragments of a table into rows.
type fragmentTexts struct {
	t   *query.Table
	buf []byte
}

func (x *fragmentTexts) set(row *table.Row, r *query.Row) {
	x.buf = x.t.Text(x.buf[:0], r.Code)
	row.SetText(fragmentColumn, x.buf)
}

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
	if r.usesNamed(exampleColumn) {
		return e, index.Usagef("%s is a column to show: it is found for the rows that are printed", exampleColumn)
	}
	if i := table.Index(r.columns, exampleColumn); slices.Contains(r.shown, i) {
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
