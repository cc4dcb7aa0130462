package pages

import (
	"bytes"
	"cmp"
	"encoding/json"
	"fmt"
	"strings"

	"fstore/cli/serve/ask"
)

// Table is the output of a command, or says why there is none.
type Table struct {
	Columns []string
	Rows    []Row
	Notes   []string
	Wait    *ask.Progress // progress, if there is no answer yet
	Problem *Problem
	Picture []byte
}

// first returns the first row, or nil if there are no rows.
func (t *Table) first() Row {
	if len(t.Rows) == 0 {
		return nil
	}
	return t.Rows[0]
}

// Row holds the cells of a row by column name: a string, a float64, or nil for an empty cell.
type Row map[string]any

// Text returns a text cell, or "" if it is empty.
func (r Row) Text(name string) string { s, _ := r[name].(string); return s }

// Num returns a number cell, or nil if it is empty.
func (r Row) Num(name string) any {
	if x, ok := r[name].(float64); ok {
		return x
	}
	return nil
}

// Number returns a number cell, or 0 if it is empty.
func (r Row) Number(name string) float64 { x, _ := r[name].(float64); return x }

// parse reads rows from JSON lines, which commands print.
func (t *Table) parse(text []byte) error {
	for line := range bytes.Lines(text) {
		row := Row{}
		if err := json.Unmarshal(line, &row); err != nil {
			return fmt.Errorf("internal error: %w", err)
		}
		if t.Columns == nil {
			t.Columns = keys(line)
		}
		t.Rows = append(t.Rows, row)
	}
	return nil
}

// keys returns the keys of a JSON object, in the order of the text.
func keys(line []byte) (all []string) {
	d := json.NewDecoder(bytes.NewReader(line))
	_, _ = d.Token() // skips the {
	for d.More() {
		key, err := d.Token()
		if err != nil {
			return all
		}
		all = append(all, fmt.Sprint(key))
		var value json.RawMessage
		if d.Decode(&value) != nil {
			return all
		}
	}
	return all
}

// Some returns the names of columns that begin with prefix, without the prefix.
func (t *Table) Some(prefix string) (all []string) {
	for _, c := range t.Columns {
		if name, ok := strings.CutPrefix(c, prefix); ok {
			all = append(all, name)
		}
	}
	return all
}

// Name returns the row's pattern, or its fragment if it has no pattern.
func (r Row) Name() string { return cmp.Or(r.Text("pattern"), r.Text("fragment")) }
