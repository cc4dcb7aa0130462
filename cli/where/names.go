package where

import (
	"cmp"
	"fmt"
	"reflect"
	"strings"

	"github.com/expr-lang/expr/ast"

	"fstore/cli/table"
	"fstore/index"
)

// byPrefix is the prefix of the columns that expressions write as by["LABEL"].
const byPrefix = "support:"

// renamer puts the names of columns in place of by["LABEL"] and of the aliases in table.Aliases.
type renamer struct {
	columns []table.Column
	err     error
}

func (p *renamer) Visit(node *ast.Node) {
	switch n := (*node).(type) {
	case *ast.IdentifierNode:
		if name, ok := table.Aliases[n.Value]; ok && table.Index(p.columns, n.Value) < 0 {
			p.replace(node, name)
		}
	case *ast.MemberNode:
		base, ok := n.Node.(*ast.IdentifierNode)
		label, constant := n.Property.(*ast.StringNode)
		if !ok || base.Value != "by" || !constant {
			return
		}
		names := labelNames(p.columns)
		found, ok := index.FindLabel(label.Value, names)
		if !ok {
			list := cmp.Or(strings.Join(names, ", "), "none here: by is of query's list, over a store with labels")
			p.err = fmt.Errorf("unknown label %q%s (labels: %s)", label.Value, index.FormHint(label.Value, names), list)
			return
		}
		p.replace(node, byPrefix+found)
	}
}

func (p *renamer) replace(node *ast.Node, column string) {
	if i := table.Index(p.columns, column); i >= 0 {
		id := &ast.IdentifierNode{Value: column}
		id.SetType(reflect.TypeOf(zero(p.columns[i].Kind)))
		ast.Patch(node, id)
	}
}

func labelNames(columns []table.Column) (list []string) {
	for _, c := range columns {
		if label, ok := strings.CutPrefix(c.Name, byPrefix); ok {
			list = append(list, label)
		}
	}
	return list
}

func zero(k table.Kind) any {
	switch k {
	case table.Text:
		return ""
	case table.Float:
		return 0.0
	}
	return 0
}
