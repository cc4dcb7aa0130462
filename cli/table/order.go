package table

import (
	"cmp"
	"strings"

	"fstore/cli/usage"
	"fstore/index"
)

// Order is what rows are sorted by.
type Order struct {
	Column     int
	Descending bool
}

// ParseOrder reads --sort: the name of a column, numbers descending and text
// ascending, or the name with :asc or :desc. A column that is named exactly so
// comes first.
func ParseOrder(spec string, columns []Column) (Order, error) {
	spec = unalias(spec)
	if i := Index(columns, spec); i >= 0 {
		return Order{i, columns[i].Kind != Text}, nil
	}
	name, descending := strings.CutSuffix(spec, ":desc")
	if !descending {
		name, _ = strings.CutSuffix(spec, ":asc")
	}
	if i := Index(columns, unalias(name)); i >= 0 && name != spec {
		return Order{i, descending}, nil
	}
	return Order{}, usage.Errorf("--sort %s: %s", spec, Unknown(name, columns))
}

// Unknown says that no column has a name, which one may be meant, and which there are. A column that
// an expression has as by["LABEL"] is support:LABEL elsewhere.
func Unknown(name string, columns []Column) string {
	names, meant := make([]string, len(columns)), name
	for i, c := range columns {
		names[i] = c.Name
	}
	if label, ok := strings.CutPrefix(name, "by["); ok {
		meant = "support:" + strings.Trim(label, `"'[]`)
	}
	hint := cmp.Or(index.FormHint(meant, names), index.DidYouMean(meant, names))
	return "unknown column " + name + hint + " (columns: " + strings.Join(names, ", ") + ")"
}

// Aliases are other names of columns.
var Aliases = map[string]string{"freq": "occurrences"}

// unalias is the column that name stands for.
func unalias(name string) string { return cmp.Or(Aliases[name], name) }
