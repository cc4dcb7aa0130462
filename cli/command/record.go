package command

import (
	"fstore/cli/table"
)

// Record is a single row under construction, column by column.
type Record struct {
	Columns []table.Column
	set     []func(r *table.Row, i int)
}

func (c *Record) add(name string, kind table.Kind, set func(r *table.Row, i int)) {
	c.Columns = append(c.Columns, table.Column{Name: name, Kind: kind})
	c.set = append(c.set, set)
}

// Uint adds a number.
func (c *Record) Uint(name string, n uint64) {
	c.add(name, table.Uint, func(r *table.Row, i int) { r.SetUint(i, n) })
}

// Text adds a text.
func (c *Record) Text(name, text string) {
	c.add(name, table.Text, func(r *table.Row, i int) { r.SetString(i, text) })
}

// Row is the record's row.
func (c *Record) Row() *table.Row {
	r := table.NewRow(len(c.Columns))
	for i, set := range c.set {
		set(r, i)
	}
	return r
}
