package cli

import (
	"context"
	"errors"
	"fmt"
	"math/rand/v2"
	"os"
	"slices"

	"fstore/cli/table"
	"fstore/cli/usage"
	"fstore/cli/where"
	"fstore/index"
	"fstore/mine/query"
)

// The columns of a list of fragments that do not depend on the store.
const (
	fragmentColumn = iota
	orderColumn
	supportColumn
	occurrencesColumn
	firstLabelColumn
)

// list is `query STORE`.
type list struct {
	t       *query.Table
	columns []table.Column // all that there are
	shown   []int          // of them, in the order printed
	orders  orderRange
	filter  *where.Filter // nil: none
	order   table.Order
	sorter  *table.Sorter
	early   bool // the text is needed to tell whether a row is wanted
	labels  bool // and so are the numbers of labels

	row  *table.Row
	text []byte
	rows uint64 // wanted
}

// fragmentColumns are the columns of a table that are shown always, then those of
// --columns.
func fragmentColumns(t *query.Table) (always, more []table.Column) {
	always = []table.Column{
		{Name: "fragment"},
		{Name: "order", Kind: table.Uint},
		{Name: "support", Kind: table.Uint},
		{Name: "occurrences", Kind: table.Uint},
	}
	for _, label := range t.Labels {
		always = append(always, table.Column{Name: "support:" + label, Kind: table.Uint})
	}
	return always, []table.Column{{Name: "id", Kind: table.Uint}}
}

// list prints the fragments of a table.
func (c *queryCommand) list(ctx context.Context, env *Env, t *query.Table) error {
	l, err := c.newList(env, t)
	if err != nil {
		return err
	}
	columns := make([]table.Column, len(l.shown))
	for i, k := range l.shown {
		columns[i] = l.columns[k]
	}
	out, err := env.Table(c.outputFlags, columns)
	if err != nil {
		return err
	}
	defer out.Abort()
	err = l.collect(ctx, env)
	env.Progress.Close()
	if err != nil {
		return errors.Join(err, l.sorter.Close())
	}
	shown := table.NewRow(len(columns))
	n := uint64(0)
	err = l.sorter.Rows(func(r *table.Row) error {
		if n++; n&0xFFF == 0 && ctx.Err() != nil {
			return ctx.Err()
		}
		r.Pick(shown, l.shown)
		return out.Write(shown)
	})
	if err == nil {
		err = out.Commit()
	}
	if err != nil {
		return err
	}
	if n < l.rows {
		env.Note("%s of %s fragments (--limit 0 prints all)", index.Thousands(n), index.Thousands(l.rows))
	}
	return nil
}

func (c *queryCommand) newList(env *Env, t *query.Table) (*list, error) {
	always, more := fragmentColumns(t)
	l := &list{t: t, columns: slices.Concat(always, more), orders: c.Order}
	for i := range always {
		l.shown = append(l.shown, i)
	}
	for _, name := range c.Columns {
		i := table.Index(l.columns, name)
		if i < 0 {
			return nil, usage.Errorf("--columns %s: unknown column (columns: %s)", name, table.Names(l.columns))
		}
		if !slices.Contains(l.shown, i) {
			l.shown = append(l.shown, i)
		}
	}
	var err error
	if c.Where != "" {
		if l.filter, err = where.Compile(c.Where, l.columns); err != nil {
			return nil, err
		}
	}
	l.order = table.Order{Column: supportColumn, Descending: true}
	if c.Sort != "" {
		if l.order, err = table.ParseOrder(c.Sort, l.columns); err != nil {
			return nil, err
		}
	}
	used := []int{l.order.Column}
	if l.filter != nil {
		used = append(used, l.filter.Uses()...)
	}
	l.early = slices.Contains(used, fragmentColumn)
	l.labels = slices.ContainsFunc(used, l.isLabel)
	l.row = table.NewRow(len(l.columns))
	if c.Limit > 0 {
		l.sorter = table.NewSorter(len(l.columns), l.order, fragmentColumn, c.Limit)
	} else {
		dir := fmt.Sprintf("fstore-%016x", rand.Uint64())
		l.sorter = table.NewFullSorter(len(l.columns), l.order, fragmentColumn,
			table.Spill{FS: env.FS, Dir: env.FS.PathJoin(os.TempDir(), dir)})
	}
	return l, nil
}

func (l *list) isLabel(column int) bool {
	return column >= firstLabelColumn && column < firstLabelColumn+len(l.t.Labels)
}

// collect gives the wanted rows to the sorter. What a row may be left out by comes
// first: numbers are read off its posting list, text is made.
func (l *list) collect(ctx context.Context, env *Env) error {
	const step = 1 << 12
	n := 0
	env.Progress.Step("read", "fragments", int64(l.t.Info.Features))
	return l.t.Each(ctx, nil, nil, l.labels, func(r *query.Row) error {
		if n++; n%step == 0 {
			env.Progress.Add(step)
		}
		if !l.orders.has(r.Order) {
			return nil
		}
		l.numbers(r)
		if l.early {
			l.setText(r)
		}
		if l.filter != nil {
			if ok, err := l.filter.Match(l.row); err != nil || !ok {
				return err
			}
		}
		l.rows++
		if !l.sorter.Admits(l.row) {
			return nil
		}
		if !l.early {
			l.setText(r)
		}
		if !l.labels {
			if err := l.t.CountLabels(r); err != nil {
				return err
			}
			l.setLabels(r)
		}
		return l.sorter.Add(l.row)
	})
}

// numbers starts a row. There can be as many labels as samples: their cells are
// not cleared for rows that do not get as far as needing them.
func (l *list) numbers(r *query.Row) {
	l.row.Reuse()
	l.row.SetUint(orderColumn, uint64(r.Order))
	l.row.SetUint(supportColumn, uint64(r.Support))
	l.row.SetUint(occurrencesColumn, uint64(r.Occurrences))
	l.row.SetUint(firstLabelColumn+len(l.t.Labels), uint64(r.ID))
	if l.labels {
		l.setLabels(r)
	}
}

func (l *list) setLabels(r *query.Row) {
	for i, n := range r.ByLabel {
		l.row.SetUint(firstLabelColumn+i, uint64(n))
	}
}

func (l *list) setText(r *query.Row) {
	l.text = l.t.Text(l.text[:0], r.Code)
	l.row.SetText(fragmentColumn, l.text)
}
