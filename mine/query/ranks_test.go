package query_test

import (
	"cmp"
	"slices"
	"testing"

	"fstore/mine/query"
)

// Ranks are the places of the texts in byte order. A store that does not keep ranks in memory returns no
// ranks.
func TestTextRanks(t *testing.T) {
	tab := table(t, "stk")
	if ranks, err := tab.TextRanks(t.Context()); ranks != nil || err != nil {
		t.Fatal(ranks, err)
	}
	tab.Store().HoldUpTo(1 << 24)
	ranks, err := tab.TextRanks(t.Context())
	if err != nil {
		t.Fatal(err)
	}
	type text struct {
		text string
		id   uint32
	}
	var all []text
	err = tab.Each(t.Context(), func(r *query.Row) error {
		all = append(all, text{string(tab.Text(nil, r.Code)), r.ID})
		return nil
	})
	if err != nil || len(all) != len(ranks) || len(all) < 10 {
		t.Fatal(len(all), len(ranks), err)
	}
	slices.SortFunc(all, func(a, b text) int { return cmp.Compare(a.text, b.text) })
	for i, x := range all {
		if ranks[x.id-1] != uint32(i) {
			t.Fatalf("%s is at %d, not %d", x.text, ranks[x.id-1], i)
		}
	}
}
