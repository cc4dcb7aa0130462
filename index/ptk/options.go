package ptk

import (
	"strconv"

	"fstore/index/internal/option"
)

// Options describes what New reads.
var Options = []option.Doc{
	{Name: "mu", Values: []string{"NUMBER"}, Default: strconv.FormatFloat(defaultMu, 'g', -1, 64), Help: "the decay of a node, above 0, at most 1"},
}
