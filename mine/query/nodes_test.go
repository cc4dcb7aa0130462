package query_test

import (
	"context"
	"errors"
	"testing"

	"fstore/mine/query"
)

// A space of constituency trees does not label its nodes, so Nodes returns ErrNoNodes.
func TestNoNodes(t *testing.T) {
	if _, err := table(t, "stk").Nodes(context.Background()); !errors.Is(err, query.ErrNoNodes) {
		t.Error(err)
	}
}
