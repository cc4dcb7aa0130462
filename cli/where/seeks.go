package where

import (
	"maps"
	"slices"

	"github.com/expr-lang/expr/ast"
)

// Seeks reports whether the expression looks for a text in a column. An expression that negates the result,
// or takes the length of the text, does not.
func (f *Filter) Seeks(column string) bool {
	root, turned := f.program.Node(), false
	walk(root, func(node ast.Node) { turned = turned || turns(node) && reads(node, column) })
	return reads(root, column) && !turned
}

func (v visit) Visit(node *ast.Node) { v(*node) }

// turns reports whether a node is a call of len, or can negate a result below it.
func turns(node ast.Node) bool {
	switch n := node.(type) {
	case *ast.UnaryNode, *ast.ConditionalNode:
		return true
	case *ast.BinaryNode:
		_, left := n.Left.(*ast.BoolNode)
		_, right := n.Right.(*ast.BoolNode)
		return n.Operator == "!=" || left || right
	case *ast.BuiltinNode:
		return n.Name == "len"
	}
	return false
}

func reads(root ast.Node, column string) (does bool) {
	walk(root, func(node ast.Node) {
		id, ok := node.(*ast.IdentifierNode)
		does = does || ok && id.Value == column
	})
	return does
}

// Equals returns the texts with which the expression compares a column, by == or in. It ignores the rest of
// the expression.
func (f *Filter) Equals(column string) (texts []string) {
	walk(f.program.Node(), func(node ast.Node) {
		n, ok := node.(*ast.BinaryNode)
		if !ok || n.Operator != "==" && n.Operator != "in" {
			return
		}
		for _, sides := range [][2]ast.Node{{n.Left, n.Right}, {n.Right, n.Left}} {
			if name, ok := sides[0].(*ast.IdentifierNode); ok && name.Value == column {
				texts = appendTexts(texts, sides[1])
			}
		}
	})
	return texts
}

// appendTexts appends the text of a node, or all texts of a node that is a list.
func appendTexts(texts []string, node ast.Node) []string {
	switch n := node.(type) {
	case *ast.StringNode:
		return append(texts, n.Value)
	case *ast.ArrayNode:
		for _, item := range n.Nodes {
			texts = appendTexts(texts, item)
		}
	case *ast.ConstantNode: // the compiler turns a constant list into a set
		switch list := n.Value.(type) {
		case map[string]struct{}:
			texts = append(texts, slices.Sorted(maps.Keys(list))...)
		case []string:
			texts = append(texts, list...)
		}
	}
	return texts
}

// AtLeast returns a lower bound on the counts in a column for which the expression can be true.
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

// atLeast returns the least count that fulfils `column >= number`, or `column > number` if strict is true. It
// returns 0 if the condition has another form.
func atLeast(column, number ast.Node, name string, strict bool) uint64 {
	c, ok := column.(*ast.IdentifierNode)
	n, isNumber := number.(*ast.IntegerNode)
	if !ok || !isNumber || c.Value != name || n.Value < 0 {
		return 0
	}
	if strict {
		return uint64(n.Value) + 1
	}
	return uint64(n.Value)
}
