package cli

import "fstore/cli/table"

// record is a single row under construction, column by column.
type record struct {
	columns []table.Column
	set     []func(r *table.Row, i int)
}

func (c *record) add(name string, kind table.Kind, set func(r *table.Row, i int)) {
	c.columns = append(c.columns, table.Column{Name: name, Kind: kind})
	c.set = append(c.set, set)
}

func (c *record) uint(name string, n uint64) {
	c.add(name, table.Uint, func(r *table.Row, i int) { r.SetUint(i, n) })
}

func (c *record) text(name, text string) {
	c.add(name, table.Text, func(r *table.Row, i int) { r.SetString(i, text) })
}

// row is the record's row.
func (c *record) row() *table.Row {
	r := table.NewRow(len(c.columns))
	for i, set := range c.set {
		set(r, i)
	}
	return r
}
