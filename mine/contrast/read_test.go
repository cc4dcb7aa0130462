package contrast_test

import (
	"context"
	"math"
	"slices"
	"testing"

	"github.com/cockroachdb/pebble/v2/vfs"

	"fstore/mine/contrast"
	"fstore/mine/query"
)

// Constructions that occur where fragments do have the same measures as the fragments, in every unit. A
// construction that never occurs has a row of zeros.
func TestConstructions(t *testing.T) {
	tab := random(t, 3, false)
	var all []contrast.Construction
	err := tab.Each(context.Background(), func(r *query.Row) error {
		ids, counts, places, err := tab.WithPlaces(r, nil, nil, nil)
		k := contrast.Construction{Name: string(tab.Text(nil, r.Code)), IDs: ids, Places: places}
		for _, n := range counts {
			k.Hits = append(k.Hits, uint64(n))
		}
		all = append(all, k)
		return err
	})
	if err != nil {
		t.Fatal(err)
	}
	samples, err := query.OpenSamples(tab.Store())
	if err != nil {
		t.Fatal(err)
	}
	for _, o := range []contrast.Options{
		{A: "x", B: "y", Count: contrast.Occurrences},
		{A: "x", Count: contrast.Sentences, MinDocs: 2},
		{A: "x,y", B: "z", Count: contrast.Places, Confidence: 0.9},
	} {
		fragments := o
		fragments.All = true
		_, want := rows(t, tab, fragments)
		o.Constructions, o.FS, o.TempDir = all, vfs.NewMem(), "sort"
		c, err := contrast.New(context.Background(), samples, o)
		if err != nil {
			t.Fatal(err)
		}
		zeros := 0
		err = c.Each(context.Background(), func(r *contrast.Row) error {
			if r.FreqA+r.FreqB == 0 {
				zeros++
				if r.G2 != 0 || r.LRC != 0 || r.P != 1 || !math.IsNaN(r.LogRatio) {
					t.Errorf("%s never occurs: %+v", r.Name, r.Measures)
				}
				return nil
			}
			i := slices.IndexFunc(want, func(w row) bool { return w.text == r.Name })
			if i < 0 {
				t.Fatalf("%s has no row as a fragment", r.Name)
			}
			w := want[i]
			w.m.Adjusted = r.Adjusted // differs, because there are more rows
			got := row{r.Name, w.order, w.id, r.FreqA, r.FreqB, r.DocsA, r.DocsB, *r.Measures}
			same(t, r.Name, got, w)
			want = slices.Delete(want, i, i+1)
			return nil
		})
		if err != nil || len(want) > 0 {
			t.Errorf("%d rows are missing: %v", len(want), err)
		}
		if o.MinDocs == 0 && zeros == 0 {
			t.Error("no construction without hits")
		}
	}
	for _, o := range []contrast.Options{
		{A: "x", Constructions: all, Members: true},
		{Constructions: all, Reference: &contrast.Reference{Size: 1}},
	} {
		if _, err := contrast.New(context.Background(), samples, o); err == nil {
			t.Errorf("%+v is compared", o)
		}
	}
}
