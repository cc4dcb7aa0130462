package contrast_test

import (
	"context"
	"fmt"
	"math"
	"testing"

	"fstore/mine/association"
	"fstore/mine/contrast"
)

// With Brief, rows from memory and rows from groups that the store keeps are the same as without Brief.
// Recall gives their dispersion.
func TestBrief(t *testing.T) {
	for seed, o := range []contrast.Options{
		{A: "x", B: "y", Count: contrast.Occurrences},
		{A: "x", Count: contrast.Documents, MinDocs: 2},
		{A: "x", B: "z", Count: contrast.Sentences, MinDocs: 3, All: true},
		{A: "y,z", MinDocs: 3, Adjust: contrast.Bonferroni},
	} {
		tab := random(t, uint64(seed), seed == 1)
		whole, want := rows(t, tab, o)
		o.Brief = true
		_, first := rows(t, tab, o)
		tab.Store().HoldUpTo(1 << 24)
		brief, got := rows(t, tab, o) // from the groups that the store keeps
		if brief.Holds() == o.All {
			t.Fatalf("%+v: it holds groups: %v", o, brief.Holds())
		}
		if fmt.Sprint(first) != fmt.Sprint(got) {
			t.Fatalf("%+v: again other rows", o)
		}
		if brief.Few != whole.Few || brief.Fragments != whole.Fragments || brief.Tests != whole.Tests || len(got) != len(want) {
			t.Fatalf("%+v: %d rows, %d few; want %d and %d", o, len(got), brief.Few, len(want), whole.Few)
		}
		for i := range want {
			if got[i].text != want[i].text || got[i].order != want[i].order || got[i].id != want[i].id {
				t.Fatalf("%+v, want %+v", got[i], want[i])
			}
			same(t, want[i].text, got[i], want[i])
		}
		err := whole.Each(context.Background(), func(r *contrast.Row) error {
			again, err := brief.Recall(r.ID)
			if err != nil {
				return err
			}
			for _, ofB := range []bool{false, true} {
				for _, of := range []func(association.Dispersion) float64{association.Dispersion.DP, association.Dispersion.DPNorm} {
					got, want := of(again.Dispersion(ofB)), of(r.Dispersion(ofB))
					if got != want && !(math.IsNaN(got) && math.IsNaN(want)) {
						t.Errorf("fragment %d: dispersion %v, want %v", r.ID, got, want)
					}
				}
			}
			return nil
		})
		if err != nil {
			t.Fatal(err)
		}
	}
}
