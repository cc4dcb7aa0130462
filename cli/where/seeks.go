package where

import "github.com/expr-lang/expr/ast"

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
