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

// listing is a table whose first column is the text of a fragment. The flags --where, --sort and --columns
// choose its rows, order and columns.
type listing struct {
	columns []table.Column // all columns
	shown   []int          // indexes of the shown columns, in the order printed
	filter  *where.Filter  // of --where; nil: every row is wanted
	order   table.Order
	used    []int // columns that --where and the sorting need
	named   []int // columns that --columns and --sort name
}

// fragmentColumn is the column with the text. Rows that are equal otherwise are sorted by the text.
const fragmentColumn = 0

// newListing returns a listing of fixedColumns, and of those in extraColumns that --columns names. Without
// --sort, rows are in the given order. The column of this order can also be a hidden one, right after all
// others.
func newListing(fixedColumns, extraColumns []table.Column, columns []string, condition, sort string, order table.Order) (*listing, error) {
	r := &listing{columns: slices.Concat(fixedColumns, extraColumns), order: order}
	for i := range fixedColumns {
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

// uses reports whether --where or the sorting needs one of the columns [first, end).
func (r *listing) uses(first, end int) bool { return hasBetween(r.used, first, end) }

// isUsed reports whether --where or the sorting needs a column.
func (r *listing) isUsed(column int) bool { return slices.Contains(r.used, column) }

// usesNamed reports whether --where or the sorting needs a column with one of these names.
func (r *listing) usesNamed(names ...string) bool {
	return slices.ContainsFunc(r.used, func(i int) bool { return i < len(r.columns) && slices.Contains(names, r.columns[i].Name) })
}

func hasBetween(columns []int, first, end int) bool {
	return slices.ContainsFunc(columns, func(i int) bool { return first <= i && i < end })
}

// needs reports whether one of the columns [first, end) is shown, or needed by --where or the sorting.
func (r *listing) needs(first, end int) bool {
	return r.uses(first, end) || hasBetween(r.shown, first, end)
}

// wants reports whether --where is true for a row. The columns in r.used must be set.
func (r *listing) wants(ctx context.Context, row *table.Row) (bool, error) {
	if r.filter == nil {
		return true, nil
	}
	return r.filter.Match(ctx, row)
}

// show shows a column after all others, or before them if atFront is true.
func (r *listing) show(column int, atFront bool) {
	r.shown = slices.DeleteFunc(r.shown, func(i int) bool { return i == column })
	if atFront {
		r.shown = append([]int{column}, r.shown...)
	} else {
		r.shown = append(r.shown, column)
	}
}

// header returns the columns to print. On a narrow terminal, the columns named in flags are the last to be
// left out.
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

// width returns the number of cells of a row. The sorting can need a cell after the last column.
func (r *listing) width() int { return max(len(r.columns), r.order.Column+1) }

// sorter returns a sorter that keeps the first maxRows rows, or all rows if maxRows is 0.
func (r *listing) sorter(env *command.Env, maxRows int) *table.Sorter {
	return table.NewSorter(r.width(), r.order, fragmentColumn, maxRows, spill(env))
}

// spill returns where a sorter puts rows that do not fit into memory.
func spill(env *command.Env) table.Spill { return table.Spill{FS: env.FS, Dir: env.TempDir()} }

// picker returns a function that writes only the shown columns of a row.
func (r *listing) picker(out table.Writer) func(*table.Row) error {
	shown := table.NewRow(len(r.shown))
	return func(row *table.Row) error {
		row.Pick(shown, r.shown)
		return out.Write(shown)
	}
}

// noteLimit prints a note if fewer rows were printed than are wanted.
func noteLimit(env *command.Env, printed, wanted uint64, what string) {
	if printed < wanted {
		env.Note("%s of %s %s (--limit 0 prints all)", index.Thousands(printed), index.Thousands(wanted), what)
	}
}

// eachSorted calls f for the rows of a sorter in order, and counts them.
func eachSorted(ctx context.Context, s *table.Sorter, f func(*table.Row) error) (n uint64, err error) {
	err = s.Rows(func(row *table.Row) error {
		if n++; n&0xFFF == 0 && ctx.Err() != nil {
			return ctx.Err()
		}
		return f(row)
	})
	return n, err
}

// printSorted prints the first maxRows rows in order, or all if maxRows is 0. The function `collect` gives
// the wanted rows to the sorter.
func (r *listing) printSorted(ctx context.Context, env *command.Env, flags command.OutputFlags, maxRows int, title string, examples exampleSetter, collect func(*table.Sorter) (wanted uint64, err error)) (printed, wanted uint64, err error) {
	out, err := env.TableWith(flags, r.header(), env.Titled(title))
	if err != nil {
		return 0, 0, err
	}
	defer out.Abort()
	sorter := r.sorter(env, maxRows)
	wanted, err = collect(sorter)
	env.Progress.Close()
	if err != nil {
		return 0, 0, errors.Join(err, sorter.Close())
	}
	out.Announce(env, wanted, maxRows)
	printed, err = eachSorted(ctx, sorter, examples.writer(ctx, r.picker(out)))
	if err == nil {
		err = out.Commit()
	}
	return printed, wanted, err
}

// fragmentTexts sets the first column of rows.
type fragmentTexts struct {
	t   *query.Table
	buf []byte
}

func (x *fragmentTexts) set(row *table.Row, r *query.Row) {
	x.buf = x.t.Text(x.buf[:0], r.Code)
	row.SetText(fragmentColumn, x.buf)
}

// exampleColumn is the name of the column with a phrase from a tree that has the fragment.
const exampleColumn = "example"

// exampleSetter sets the column `example` of the rows that are printed.
type exampleSetter struct {
	t          *query.Table
	patterns   *patternRows // the constructions that are the rows; nil: the rows are fragments
	column, id int          // indexes of example and id in a row; column is 0 if example is not shown
}

// newExampleSetter returns an error if --sort or --where names the column `example`, which only printed rows
// have.
func newExampleSetter(r *listing) (e exampleSetter, err error) {
	if r.usesNamed(exampleColumn) {
		return e, index.Usagef("%s is a column to show: it is found for the rows that are printed", exampleColumn)
	}
	if i := table.Index(r.columns, exampleColumn); slices.Contains(r.shown, i) {
		e.column, e.id = i, table.Index(r.columns, "id")
	}
	return e, nil
}

// writer returns a function that sets the column `example` of a row and then calls write.
func (e exampleSetter) writer(ctx context.Context, write func(*table.Row) error) func(*table.Row) error {
	if e.column == 0 {
		return write
	}
	return func(row *table.Row) error {
		text, err := e.phrase(ctx, row.Uint(e.id))
		if err != nil {
			return err
		}
		row.SetString(e.column, text)
		return write(row)
	}
}

// phrase returns a phrase from a tree that has the fragment or construction with this id.
func (e exampleSetter) phrase(ctx context.Context, id uint64) (string, error) {
	if e.patterns != nil {
		return concordance.ConstructionExample(e.t.Store(), e.patterns.counts[id-1])
	}
	return concordance.Example(ctx, e.t, uint32(id))
}
