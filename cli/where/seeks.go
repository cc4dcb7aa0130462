package where

import (
	"maps"
	"slices"

	"github.com/expr-lang/expr/ast"
)

// Seeks says whether the expression looks for text in a column: it reads the column, and
// neither negates what it finds there nor measures its length. Then a row that stands for
// others is found by any of them.
func (f *Filter) Seeks(column string) bool {
	node := f.program.Node()
	v := seeker{column: column}
	ast.Walk(&node, &v)
	return reads(node, column) && !v.turned
}

// seeker notes whether anything in an expression turns what is said of a column into its
// opposite, or may.
type seeker struct {
	column string
	turned bool
}

func (v *seeker) Visit(node *ast.Node) {
	turns := false
	switch n := (*node).(type) {
	case *ast.UnaryNode:
		turns = true
	case *ast.BinaryNode:
		_, left := n.Left.(*ast.BoolNode)
		_, right := n.Right.(*ast.BoolNode)
		turns = n.Operator == "!=" || left || right
	case *ast.ConditionalNode:
		turns = true
	case *ast.BuiltinNode:
		turns = n.Name == "len"
	}
	v.turned = v.turned || turns && reads(*node, v.column)
}

func reads(node ast.Node, column string) bool {
	used := collector{names: map[string]bool{}}
	ast.Walk(&node, &used)
	return used.names[column]
}

// Equals returns the texts that the expression compares a column with by == or in, in the order of the
// source, whatever stands around the comparisons.
func (f *Filter) Equals(column string) []string {
	node := f.program.Node()
	v := equal{column: column}
	ast.Walk(&node, &v)
	return v.texts
}

// equal collects texts that a column is compared with.
type equal struct {
	column string
	texts  []string
}

func (v *equal) Visit(node *ast.Node) {
	n, ok := (*node).(*ast.BinaryNode)
	if !ok || n.Operator != "==" && n.Operator != "in" {
		return
	}
	for _, sides := range [][2]ast.Node{{n.Left, n.Right}, {n.Right, n.Left}} {
		if name, ok := sides[0].(*ast.IdentifierNode); ok && name.Value == v.column {
			v.take(sides[1])
		}
	}
}

// take takes a text, or the texts of a list.
func (v *equal) take(node ast.Node) {
	switch n := node.(type) {
	case *ast.StringNode:
		v.texts = append(v.texts, n.Value)
	case *ast.ArrayNode:
		for _, item := range n.Nodes {
			v.take(item)
		}
	case *ast.ConstantNode: // a list that the compiler has made a set
		switch list := n.Value.(type) {
		case map[string]struct{}:
			v.texts = append(v.texts, slices.Sorted(maps.Keys(list))...)
		case []string:
			v.texts = append(v.texts, list...)
		}
	}
}

// AtLeast returns the least value of a column of counts with which the expression can hold; 0 if the
// expression does not bound it.
func (f *Filter) AtLeast(column string) (least uint64) {
	var look func(node ast.Node)
	look = func(node ast.Node) {
		n, ok := node.(*ast.BinaryNode)
		if !ok {
			return
		}
		switch n.Operator {
		case "&&", "and":
			look(n.Left)
			look(n.Right)
		case ">", ">=":
			least = max(least, atLeast(n.Left, n.Right, column, n.Operator == ">"))
		case "<", "<=":
			least = max(least, atLeast(n.Right, n.Left, column, n.Operator == "<"))
		case "==":
			least = max(least, atLeast(n.Left, n.Right, column, false), atLeast(n.Right, n.Left, column, false))
		}
	}
	look(f.program.Node())
	return least
}

// atLeast returns the least count in a column that is not below a number, or is above it; 0 if the two
// nodes are no such column and number.
func atLeast(column, number ast.Node, name string, above bool) uint64 {
	c, ok := column.(*ast.IdentifierNode)
	n, isNumber := number.(*ast.IntegerNode)
	if !ok || !isNumber || c.Value != name || n.Value < 0 {
		return 0
	}
	if above {
		return uint64(n.Value) + 1
	}
	return uint64(n.Value)
}
