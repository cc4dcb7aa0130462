package look

import (
	"context"
	"errors"
	"math"

	"fstore/cli/table"
	"fstore/cli/usage"
	"fstore/index"
	"fstore/mine/association"
	"fstore/mine/query"
)

// insideColumns are those of the association inside a fragment: of its nodes, which
// occur by themselves too, and of no label.
var insideColumns = []struct {
	name string
	of   func(association.Nodes) float64
}{
	{"inside_pmi", association.Nodes.MI},
	{"inside_logdice", association.Nodes.LogDice},
	{"inside_g2", association.Nodes.G2},
}

// nodesFor counts the nodes that what, a flag, asks for: a space without is wrong usage.
func nodesFor(ctx context.Context, t *query.Table, what string) (*query.Nodes, error) {
	n, err := t.Nodes(ctx)
	if errors.Is(err, query.ErrNoNodes) {
		return nil, usage.Errorf("%s: %v", what, err)
	}
	return n, err
}

// inside sets the cells of a row from the column at on; a number that is none is an
// empty cell.
func inside(row *table.Row, at int, n *query.Nodes, c index.Code, occurrences uint64) {
	x := n.Association(c, occurrences)
	for i, k := range insideColumns {
		if v := k.of(x); !math.IsNaN(v) && !math.IsInf(v, 0) {
			row.SetFloat(at+i, v)
		} else {
			row.SetEmpty(at + i)
		}
	}
}
