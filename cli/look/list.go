package look

import (
	"context"
	"math"

	"fstore/cli/command"
	"fstore/cli/table"
	"fstore/mine/query"
)

// Indexes of columns that every list has. Column 0 is fragmentColumn.
const (
	orderColumn = 1 + iota
	supportColumn
	occurrencesColumn
	firstLabelColumn
)

// fragmentList is the list of fragments that query prints.
type fragmentList struct {
	*listing
	t      *query.Table
	of     query.Filter
	orders orderRange
	sorter *table.Sorter // the sorter that collect fills
	texts  fragmentTexts

	id                                 int // index of the column id, after those of the labels
	association, inside, model, spread int // index of the first of associationColumns, insideColumns and so on

	cells      []cells  // columns that need more than the row of a fragment and its order
	textEarly  bool     // the text is needed to decide whether a row is wanted
	orderEarly bool     // the order is needed to decide whether a row is wanted
	labels     bool     // the counts of labels are needed to decide whether a row is wanted
	ranks      []uint32 // at index id-1: rank of the text among all texts; nil: texts are compared
	counted    bool     // count has set wanted, so only rows that can be printed are read in full
	examples   exampleSetter

	row         *table.Row
	wanted      uint64
	occurrences uint64 // sum over the wanted rows
}

// cells is a function that sets some cells of a row.
type cells struct {
	early bool // true: set for every row, to decide whether it is wanted; false: set only for printed rows
	set   func(*query.Row) error
}

// add adds the columns [first, end) to the list. The function `setCells` fills their cells in a row.
func (l *fragmentList) add(first, end int, setCells func(*query.Row) error) {
	l.cells = append(l.cells, cells{l.uses(first, end), setCells})
}

// set fills those cells of row r whose field `early` has this value.
func (l *fragmentList) set(r *query.Row, early bool) error {
	for _, k := range l.cells {
		if k.early == early {
			if err := k.set(r); err != nil {
				return err
			}
		}
	}
	return nil
}

// fragmentColumns returns the columns that every list of t shows, and those that --columns can add.
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

// admits reports whether a row is among the first --limit rows so far. Call it once for each wanted row.
func (l *fragmentList) admits(r *query.Row) bool {
	switch {
	case l.ranks == nil:
		return l.sorter.Admits(l.row)
	case l.order.Column != fragmentColumn && !l.sorter.Admits(l.row):
		return false
	}
	return l.sorter.AdmitsRank(l.row, l.ranks[r.ID-1])
}

// count sets l.counted and l.wanted, if the store knows the number of wanted rows.
func (l *fragmentList) count() {
	if l.filter != nil || !l.of.IsZero() || l.orders == (orderRange{}) || l.order.Column != supportColumn && l.order.Column != occurrencesColumn {
		return
	}
	l.counted = true
	for order, n := range l.t.Info.Fragments {
		if order > 0 && l.orders.has(order) {
			l.wanted += n
		}
	}
}

func (l *fragmentList) collect(ctx context.Context, env *command.Env, s *table.Sorter) error {
	l.sorter = s
	l.count()
	return l.each(ctx, env, func(r *query.Row) error {
		if !l.counted {
			l.wanted++
			l.occurrences += uint64(r.Occurrences)
		}
		if !l.admits(r) {
			return nil
		}
		if err := l.t.ReadOrder(r); err != nil {
			return err
		}
		l.row.SetUint(orderColumn, uint64(r.Order))
		if err := l.set(r, false); err != nil {
			return err
		}
		return s.Add(l.row)
	})
}

// each calls f for the wanted rows. It sets only support, occurrences, id, and the columns that decide
// whether a row is wanted.
func (l *fragmentList) each(ctx context.Context, env *command.Env, f func(*query.Row) error) error {
	const step = 1 << 12
	n, least := 0, l.leastSupport()
	l.t.LateOrder = true
	defer func() { l.t.LateOrder = false }()
	if l.of.IsZero() {
		env.Progress.Step("read", "fragments", int64(l.t.Info.Features))
	} else {
		env.Progress.Step("found", "fragments", 0)
	}
	return l.t.List(ctx, l.of, func(r *query.Row) error {
		if n++; n%step == 0 {
			env.Progress.Add(step)
		}
		if r.Support < least {
			return nil
		}
		// The row is not cleared: it has a cell for each label, and there can be as many labels as samples.
		l.row.Reuse()
		l.row.SetUint(supportColumn, uint64(r.Support))
		l.row.SetUint(occurrencesColumn, uint64(r.Occurrences))
		l.row.SetUint(l.id, uint64(r.ID))
		if l.counted && !l.sorter.Admits(l.row) {
			return nil
		}
		if l.orderEarly {
			if err := l.t.SetOrder(r); err != nil || !l.orders.has(r.Order) {
				return err
			}
			l.row.SetUint(orderColumn, uint64(r.Order))
		}
		if err := l.set(r, true); err != nil {
			return err
		}
		ok, err := l.wants(ctx, l.row)
		if err != nil && !l.textEarly && ctx.Err() == nil {
			l.texts.set(l.row, r)
			_, err = l.wants(ctx, l.row)
		}
		if err != nil || !ok {
			return err
		}
		return f(r)
	})
}

// leastSupport returns a lower bound on the support of the rows for which --where is true.
func (l *fragmentList) leastSupport() (least uint32) {
	if l.filter == nil {
		return 0
	}
	for _, i := range l.filter.Uses() {
		if i == supportColumn || firstLabelColumn <= i && i < l.id {
			least = max(least, uint32(min(l.filter.AtLeast(l.columns[i].Name), math.MaxUint32)))
		}
	}
	return least
}
