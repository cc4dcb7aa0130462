package where

import (
	"context"
	"errors"
	"strings"

	"github.com/expr-lang/expr"
	"github.com/expr-lang/expr/ast"
	"github.com/expr-lang/expr/file"
	"github.com/expr-lang/expr/parser/lexer"
	"github.com/expr-lang/expr/vm"

	"fstore/cli/table"
	"fstore/index"
)

// mostTokens is the largest number of tokens in an expression. The parser is recursive, and its stack is
// limited.
const mostTokens = 30_000

// Filter is a compiled expression. Only one goroutine may use it at a time.
type Filter struct {
	source  string
	loops   bool // evaluating one row may take very long
	columns []table.Column
	uses    []int
	program *vm.Program
	machine vm.VM
	env     map[string]any
}

// Compile compiles a condition over columns. Text columns are strings, counts are integers, and by["LABEL"]
// is the column `support:LABEL`. A wrong expression is a usage error.
func Compile(source string, columns []table.Column) (*Filter, error) {
	if isLong(source) {
		return nil, index.Usagef("--where %s: more than %s tokens", cut(source), index.Thousands(mostTokens))
	}
	f, err := compile(source, columns)
	if err != nil {
		check := func(source string) error { _, err := compile(source, columns); return err }
		if hinted := hint(source, columns, check); hinted != nil {
			err = hinted
		}
		return nil, err
	}
	return f, nil
}

func compile(source string, columns []table.Column) (*Filter, error) {
	f := &Filter{source: source, columns: columns, env: make(map[string]any, len(columns)+1)}
	for _, c := range columns {
		f.env[c.Name] = zero(c.Kind)
	}
	f.env["by"] = map[string]int{}
	names := &renamer{columns: columns}
	var err error
	f.program, err = expr.Compile(source,
		expr.Env(f.env), expr.Patch(names), expr.AsBool(), expr.WarnOnAny(),
		// Without now(), the same input gives the same output.
		expr.DisableBuiltin("now"))
	if names.err != nil {
		err = names.err
	}
	if err != nil {
		return nil, f.usageError(err)
	}
	used, hasSequence := map[string]bool{}, false
	walk(f.program.Node(), func(node ast.Node) {
		switch n := node.(type) {
		case *ast.IdentifierNode:
			used[n.Value] = true
		case *ast.PredicateNode:
			f.loops = true
		case *ast.SequenceNode:
			hasSequence = hasSequence || len(n.Nodes) > 1
		}
	})
	for i, c := range columns {
		if used[c.Name] {
			f.uses = append(f.uses, i)
		}
	}
	if hasSequence {
		return nil, index.Usagef("--where %s: of conditions with ; between them only the last would count: write && (both) or || (one of them)", cut(source))
	}
	if used["by"] {
		return nil, index.Usagef(`--where %s: by wants a label, as in by["news"]`, cut(source))
	}
	delete(f.env, "by")
	return f, nil
}

// isLong reports whether an expression has more than mostTokens tokens.
func isLong(source string) bool {
	l := lexer.New()
	l.Reset(file.NewSource(source))
	for range mostTokens {
		if _, err := l.Next(); err != nil {
			return false // the end, or an error that the parser will report
		}
	}
	_, err := l.Next()
	return err == nil
}

// usageError turns an error of expr, which may have several lines, into a usage error on one line.
func (f *Filter) usageError(err error) error {
	source := cut(f.source)
	e, ok := errors.AsType[*file.Error](err)
	if !ok {
		return index.Usagef("--where %s: %v", source, err)
	}
	if name, unknown := strings.CutPrefix(e.Message, "unknown name "); unknown {
		if list := labelNames(f.columns); name == "label" && len(list) > 0 {
			return index.Usagef(`--where %s: unknown column label: by[%q] > 0 asks for samples with a label (labels: %s)`, source, list[0], strings.Join(list, ", "))
		}
		return index.Usagef("--where %s: %s", source, table.Unknown(name, f.columns))
	}
	return index.Usagef("--where %s: %s (at character %d)", source, cut(e.Message), e.From+1)
}

// Uses returns the columns that the expression reads, in ascending order. [Filter.Match] needs no other
// columns.
func (f *Filter) Uses() []int { return f.uses }

// Match reports whether the condition is true for r. It reads only the columns in Uses. An unset cell counts
// as 0, NaN or "", by the kind of its column. If the condition cannot be evaluated, the error is a usage
// error. When ctx is done, Match returns at once. The evaluation can still run then, so the filter must not
// be used any more.
func (f *Filter) Match(ctx context.Context, r *table.Row) (bool, error) {
	for _, i := range f.uses {
		c := &f.columns[i]
		switch c.Kind {
		case table.Text:
			f.env[c.Name] = string(r.Text(i))
		case table.Float:
			f.env[c.Name] = r.Float(i)
		default:
			f.env[c.Name] = int(r.Int(i))
		}
	}
	if !f.loops {
		v, err := f.machine.Run(f.program, f.env)
		return f.answer(v, err, r)
	}
	type answer struct {
		v   any
		err error
	}
	done := make(chan answer, 1)
	go func() { // a row can take hours, and the machine does not check ctx
		v, err := f.machine.Run(f.program, f.env)
		done <- answer{v, err}
	}()
	select {
	case a := <-done:
		return f.answer(a.v, a.err, r)
	case <-ctx.Done():
		return false, ctx.Err()
	}
}

// answer returns v as the value of the expression, or turns err into a usage error that shows the row.
func (f *Filter) answer(v any, err error, r *table.Row) (bool, error) {
	if err == nil {
		return v.(bool), nil
	}
	e, ok := errors.AsType[*file.Error](err)
	if !ok {
		return false, f.usageError(err)
	}
	what := e.Message
	if strings.HasSuffix(what, "integer divide by zero") {
		what = "% by 0"
	}
	if text := r.Text(0); len(text) > 0 {
		what = "row " + cut(string(text)) + ": " + what
	}
	return false, index.Usagef("--where %s: %s (at character %d)", cut(f.source), what, e.From+1)
}

// visit turns a function into an ast.Visitor.
type visit func(node ast.Node)

func walk(root ast.Node, f visit) { ast.Walk(&root, f) }
