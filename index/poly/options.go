package poly

import (
	"strconv"

	"fstore/index/dep"
	"fstore/index/internal/option"
)

// Options describes what New reads.
var Options = append([]option.Doc{
	{Name: "degree", Values: []string{"D"}, Default: strconv.Itoa(defaultDegree), Help: "of the kernel, and the largest size of a set, at most " + strconv.Itoa(maxDegree) + "; of arcs, the features are chosen as in dep"},
}, dep.ArcOptions...)

// Columns implements index.ColumnReading.
func (s *Space) Columns() []string { return s.arcs.Columns() }
