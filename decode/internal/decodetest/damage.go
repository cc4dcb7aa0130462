package decodetest

import (
	"context"
	"testing"

	"fstore/mine/query"
	"fstore/mine/vocabulary"
	"fstore/store"
)

// EveryOther is every other fragment of a store's one space.
func EveryOther(t *testing.T, s *store.Store) *vocabulary.Subset {
	table, err := query.Open(s, "")
	if err != nil {
		t.Fatal(err)
	}
	kept := vocabulary.NewSubset(table.Info.Features)
	err = table.Each(context.Background(), func(r *query.Row) error {
		if r.ID%2 == 0 {
			kept.Add(r.ID, r.Code)
		}
		return nil
	})
	if err != nil {
		t.Fatal(err)
	}
	syms, err := s.Symbols()
	if err != nil {
		t.Fatal(err)
	}
	kept.Finish(table.Space, syms)
	return kept
}
