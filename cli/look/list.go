package look

import (
	"context"
	"math"
	"slices"

	"fstore/cli/command"
	"fstore/cli/table"
	"fstore/index"
	"fstore/mine/query"
)

// Indexes of the columns that a list has in every store, after fragmentColumn.
const (
	orderColumn = 1 + iota
	supportColumn
	occurrencesColumn
	firstLabelColumn
)

// list is the list of fragments that query prints.
type list struct {
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
	ranks      []uint32 // for each id less 1: rank of its text among all texts; nil: texts are compared
	counted    bool     // the field wanted is known from the start, so only rows that can be printed are read in full
	examples   exampleSetter

	row         *table.Row
	wanted      uint64
	occurrences uint64 // sum over the wanted rows
}

// cells are columns of a list that one function sets.
type cells struct {
	early bool // true: set for every row, to decide whether it is wanted; false: set only for printed rows
	set   func(*query.Row) error
}

// add adds a function that sets the columns with the indexes from first to end-1.
func (l *list) add(first, end int, set func(*query.Row) error) {
	l.cells = append(l.cells, cells{l.uses(first, end), set})
}

// set sets the cells that are needed early. If the parameter early is false, it sets the other cells.
func (l *list) set(r *query.Row, early bool) error {
	for _, k := range l.cells {
		if k.early == early {
			if err := k.set(r); err != nil {
				return err
			}
		}
	}
	return nil
}

// fragmentColumns returns the columns that every list of t shows, and those that it shows on demand.
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

// list prints fragments of a table.
func (c *QueryCommand) list(ctx context.Context, env *command.Env, t *query.Table, of query.Filter) error {
	l, err := c.openList(ctx, env, t, of)
	if err != nil {
		return err
	}
	n, _, err := l.printSorted(ctx, env, c.OutputFlags, c.Limit, "fragments", l.examples, func(s *table.Sorter) (uint64, error) {
		err := l.collect(ctx, env, s)
		return l.wanted, err
	})
	if err != nil {
		return err
	}
	c.closing(env, l, n)
	return c.beyond(ctx, env, l)
}

// closing prints the notes about a list of which n rows were printed.
func (c *QueryCommand) closing(env *command.Env, l *list, n uint64) {
	noteLimit(env, n, l.wanted, "fragments")
	if n == 0 {
		pattern := ""
		if l.of.Pattern != nil {
			pattern = *c.Fragment
		}
		hint := l.t.Hint(pattern)
		if len(l.of.Or) > 0 || c.conditions {
			hint = "" // Hint can read only a single pattern without conditions
		}
		env.Note("no stored fragment fits: %s%s%s", l.t.Stored(), hint, index.MayBeOther(c.Where))
	}
	if l.of.Pattern != nil {
		noteLiteral(env, l.t, *c.Fragment)
	}
	if n > 0 {
		noteHeads(env, l.t)
	}
}

// noteHeads prints a note if the sign > in fragments does not tell on which side of its head a word is.
func noteHeads(env *command.Env, t *query.Table) {
	if says := t.EitherSide(); says != "" {
		env.Note("%s", says)
	}
}

// openList returns a list with all columns, or an error if --positive has no effect.
func (c *QueryCommand) openList(ctx context.Context, env *command.Env, t *query.Table, of query.Filter) (*list, error) {
	l, err := c.newList(ctx, env, t, of, modelColumns)
	if err == nil {
		err = l.checkPositive(c.Positive)
	}
	return l, err
}

// newList returns a list. The parameter model holds the columns for a model's weights. It is modelColumns or
// empty.
func (c *QueryCommand) newList(ctx context.Context, env *command.Env, t *query.Table, of query.Filter, model []table.Column) (*list, error) {
	always, more := fragmentColumns(t)
	l := &list{t: t, of: of, orders: c.Order, texts: fragmentTexts{t: t}, id: len(always)}
	l.association = l.id + 1
	l.inside = l.association + len(associationColumns)
	l.model = l.inside + len(insideColumns)
	l.spread = l.model + len(model)
	more = slices.Concat(more, measureColumns(associationColumns), measureColumns(insideColumns), model, spreadColumns(t), []table.Column{{Name: exampleColumn}})
	var err error
	l.listing, err = newListing(always, more, c.Columns, c.Where, c.Sort, table.Order{Column: supportColumn, Descending: true})
	if err != nil {
		return nil, err
	}
	l.row = table.NewRow(len(l.columns))
	if l.examples, err = newExampleSetter(l.listing); err != nil {
		return nil, err
	}
	l.examples.t = t
	for _, add := range []func(context.Context, *command.Env, *list) error{addSpread, c.addLabels, addInside, c.addModel} {
		if err := add(ctx, env, l); err != nil {
			return nil, err
		}
	}
	if l.ranks, err = c.ranks(ctx, l); err != nil {
		return nil, err
	}
	l.textEarly = l.filter != nil && slices.Contains(l.filter.Uses(), fragmentColumn) || l.ranks == nil && l.order.Column == fragmentColumn
	l.cells = append(l.cells, cells{l.textEarly, func(r *query.Row) error {
		l.texts.set(l.row, r)
		return nil
	}})
	l.orderEarly = l.orders != orderRange{} || l.isUsed(orderColumn)
	return l, nil
}

// addModel adds the column with a model's weight or relevance, if it is needed.
func (c *QueryCommand) addModel(ctx context.Context, env *command.Env, l *list) error {
	if l.model == l.spread { // no columns of models
		return nil
	}
	relevance, weight := l.needs(l.model, l.model+1), l.needs(l.model+1, l.model+2)
	if relevance && weight {
		return index.Usagef("the columns relevance and weight are of different models")
	}
	w, err := c.modelWeights(ctx, env, l.t.Store(), relevance, weight)
	if w == nil {
		return err
	}
	at := l.model
	if weight {
		at++
	}
	l.add(at, at+1, func(r *query.Row) error {
		l.row.SetFloat(at, w.Of[r.ID-1])
		return nil
	})
	return nil
}

// ranks returns the value of list.ranks. Ranks save time only if many rows differ only in their texts and
// most rows are not printed. Otherwise the result is nil.
func (c *QueryCommand) ranks(ctx context.Context, l *list) ([]uint32, error) {
	if c.Limit == 0 || 2*c.Limit >= int(l.t.Info.Features) || l.order.Column != fragmentColumn && l.order.Column != orderColumn {
		return nil, nil
	}
	return l.t.TextRanks(ctx)
}

// admits reports whether a row can still be among the printed rows. Call it once for each wanted row.
func (l *list) admits(r *query.Row) bool {
	switch {
	case l.ranks == nil:
		return l.sorter.Admits(l.row)
	case l.order.Column != fragmentColumn && !l.sorter.Admits(l.row):
		return false
	}
	return l.sorter.AdmitsRank(l.row, l.ranks[r.ID-1])
}

// count sets the fields counted and wanted if the store's counts by order say how many rows are wanted. Then
// a row is not read in full if its posting list shows that it has too small a support or too few occurrences.
func (l *list) count() {
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

// collect gives the wanted rows to the sorter s.
func (l *list) collect(ctx context.Context, env *command.Env, s *table.Sorter) error {
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

// each calls f for the wanted rows. It first sets the cheap columns that decide whether a row is wanted. So
// it reads the numbers of the posting list before the text. Columns that are not needed for every row are not
// set.
func (l *list) each(ctx context.Context, env *command.Env, f func(*query.Row) error) error {
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
		// Do not clear the cells of the last row: there can be as many labels as samples.
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

// leastSupport returns the least support with which --where can be true. A bound on the support of a label is
// also a bound on the whole support.
func (l *list) leastSupport() (least uint32) {
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
