package look

import (
	"context"
	"math"

	"fstore/cli/command"
	"fstore/cli/table"
	"fstore/cli/where"
	"fstore/index"
	"fstore/mine/query"
	"fstore/store"
)

// selectionColumns returns the columns that a selection's table shows, and those that --columns can add. The
// first two columns are those of a list of fragments.
func selectionColumns(sel *query.Selection) (always, more []table.Column) {
	always = []table.Column{
		{Name: "fragment"},
		{Name: "order", Kind: table.Uint},
		{Name: "score", Kind: table.Float},
		{Name: "weight", Kind: table.Float},
	}
	for _, name := range sel.Info.Columns {
		always = append(always, table.Column{Name: name, Kind: statisticKind(name)})
	}
	return always, []table.Column{{Name: "id", Kind: table.Uint}}
}

// Indexes of the columns after orderColumn.
const (
	scoreColumn = orderColumn + 1 + iota
	weightColumn
	firstStatisticColumn
)

// statisticKind returns the kind of the column of a statistic.
func statisticKind(name string) table.Kind {
	switch name {
	case query.SupportColumn, query.OccurrencesColumn, query.ObservedColumn:
		return table.Uint
	case query.LabelColumn:
		return table.Text
	}
	return table.Float
}

type selectionRow struct {
	sel     *query.Selection
	columns []table.Column
	row     *table.Row
	text    []byte
}

func newSelectionRow(sel *query.Selection, columns []table.Column) *selectionRow {
	return &selectionRow{sel: sel, columns: columns, row: table.NewRow(len(columns))}
}

func (r *selectionRow) set(e *query.Entry) {
	r.row.Clear()
	r.text = r.sel.Text(r.text[:0], e.Code)
	r.row.SetText(fragmentColumn, r.text)
	r.row.SetUint(orderColumn, uint64(e.Order))
	r.row.SetFloat(scoreColumn, e.Score)
	r.row.SetFloat(weightColumn, e.Weight)
	for i, x := range e.Stats {
		at := firstStatisticColumn + i
		switch kind := r.columns[at].Kind; {
		case kind == table.Uint:
			r.row.SetUint(at, uint64(x))
		case kind == table.Text:
			r.row.SetString(at, r.sel.Label(x))
		case !math.IsNaN(x) && !math.IsInf(x, 0):
			r.row.SetFloat(at, x)
		}
	}
	r.row.SetUint(firstStatisticColumn+len(e.Stats), uint64(e.ID))
}

// keepWhere returns a function that reports whether condition is true for an entry of a selection.
func keepWhere(ctx context.Context, sel *query.Selection, condition string) (func(*query.Entry) (bool, error), error) {
	always, more := selectionColumns(sel)
	columns := append(always, more...)
	filter, err := where.Compile(condition, columns)
	if err != nil {
		return nil, err
	}
	r := newSelectionRow(sel, columns)
	return func(e *query.Entry) (bool, error) {
		r.set(e)
		return filter.Match(ctx, r.row)
	}, nil
}

func (c *QueryCommand) selection(ctx context.Context, env *command.Env, s *store.Store) error {
	sel, err := query.OpenSelection(s, c.Selection)
	if err != nil {
		return err
	}
	always, more := selectionColumns(sel)
	relevance := len(always) + len(more)
	more = append(more, modelColumns[0])
	rows, err := newListing(always, more, c.Columns, c.Where, c.Sort, table.Order{Column: scoreColumn, Descending: true})
	if err != nil {
		return err
	}
	// With a linear model, the weights in the column `weight` come from the model.
	w, err := c.modelWeights(ctx, env, s, rows.needs(relevance, relevance+1), c.Model != "")
	if err != nil {
		return err
	}
	weighed := false // whether a fragment has a weight
	r := newSelectionRow(sel, rows.columns)
	at := weightColumn // the column that the model fills
	if w != nil && w.Relevance {
		at = relevance
	}
	n, wanted, err := rows.printSorted(ctx, env, c.OutputFlags, c.Limit, c.Selection, exampleSetter{}, func(sorter *table.Sorter) (wanted uint64, err error) {
		err = sel.Each(ctx, func(e *query.Entry) error {
			if !c.Order.has(e.Order) {
				return nil
			}
			r.set(e)
			if w != nil {
				r.row.SetFloat(at, w.Of[e.ID-1])
			}
			weighed = weighed || r.row.Float(weightColumn) != 0
			if ok, err := rows.wants(ctx, r.row); err != nil || !ok {
				return err
			}
			wanted++
			return sorter.Add(r.row)
		})
		return wanted, err
	})
	if err != nil {
		return err
	}
	c.sayListed(env, sel, rows, n, wanted, weighed)
	return nil
}

// sayListed prints the notes below a list of n rows.
func (c *QueryCommand) sayListed(env *command.Env, sel *query.Selection, rows *listing, n, wanted uint64, weighed bool) {
	if sel.Tails() {
		env.Warn("the p-values of %s are tails of χ², which are too small for rare labels and rare fragments: an older version chose it; fstore mine makes them exact", sel.Info.Name)
	}
	if n == 0 {
		env.Note("no fragment of selection %s fits%s", c.Selection, index.MayBeOther(c.Where))
		if !weighed && rows.isUsed(weightColumn) {
			env.Note("its fragments have no weight: --model names the model whose weights they are")
		}
	}
	noteLimit(env, n, wanted, "fragments")
}
