package emb

import (
	"fstore/index"
	"fstore/index/internal/option"
)

// Options describes what New reads.
var Options = []option.Doc{
	{Name: "unit", Values: option.Units, Default: index.Form.String(), Help: "the label of a token; the nodes of constituency trees have their own"},
}

// Columns implements index.ColumnReading.
func (s *Space) Columns() []string { return []string{s.unit.String()} }
