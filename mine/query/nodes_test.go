package query_test

import (
	"context"
	"errors"
	"testing"

	"fstore/mine/query"
)

// Constituency trees have no labels of tokens.
func TestNoNodes(t *testing.T) {
	if _, err := table(t, "stk").Nodes(context.Background()); !errors.Is(err, query.ErrNoNodes) {
		t.Error(err)
	}
}
