package seq

import (
	"fstore/index"
	"fstore/index/internal/option"
)

// Options describes what New reads.
var Options = []option.Doc{
	{Name: "unit", Values: option.Units, Default: index.Form.String(), Help: "what stands for a word; upos and xpos of constituency trees are its parent's label"},
	{Name: "max-length", Values: []string{"N"}, Default: "0", Help: "symbols of a fragment; 0 is any, and --max-order counts too"},
	{Name: "max-gap", Values: []string{"N"}, Help: "words skipped between two neighbours; any unless given"},
}

// Headless implements index.Headless.
func (*Space) Headless() {}

// Columns implements index.ColumnReading.
func (s *Space) Columns() []string { return []string{s.unit.String()} }
