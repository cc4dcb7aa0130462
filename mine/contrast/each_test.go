package contrast_test

import (
	"cmp"
	"context"
	"slices"
	"testing"

	"github.com/cockroachdb/pebble/v2/vfs"

	"fstore/index"
	"fstore/mine/contrast"
	"fstore/mine/query"
)

// NewEach gives each label the same rows as New does for that label alone. Only the adjusted p-values differ,
// because they depend on the rows of all labels.
func TestEach(t *testing.T) {
	tab := random(t, 2, false)
	o := contrast.Options{FS: vfs.NewMem(), TempDir: "each", MinDocs: -1}
	each, err := contrast.NewEach(context.Background(), tab, o)
	if err != nil || len(each) != len(tab.Labels) {
		t.Fatal(len(each), err)
	}
	var p, adjusted []float64
	for i, c := range each {
		_, alone := rows(t, tab, contrast.Options{A: tab.Labels[i]})
		var got []row
		err := c.Each(context.Background(), func(r *contrast.Row) error {
			p, adjusted = append(p, r.P), append(adjusted, r.Adjusted)
			x := row{string(tab.Text(nil, r.Code)), r.Order, r.ID, r.FreqA, r.FreqB, r.DocsA, r.DocsB, *r.Measures}
			x.m.Adjusted = 0
			got = append(got, x)
			return nil
		})
		if err != nil || len(got) != len(alone) {
			t.Fatal(len(got), len(alone), err)
		}
		for k := range alone {
			alone[k].m.Adjusted = 0
			same(t, tab.Labels[i], got[k], alone[k])
		}
		if c.Tests == c.Rows {
			t.Errorf("label %s: %d tests, as many as rows", tab.Labels[i], c.Tests)
		}
	}
	sorted := slices.Sorted(slices.Values(p))
	m := float64(len(p))
	for i := range p {
		want := 1.0
		for k, q := range sorted {
			if q >= p[i] {
				want = min(want, q*m/float64(k+1))
			}
		}
		if !near(adjusted[i], want) {
			t.Fatalf("p %v adjusted to %v, want %v", p[i], adjusted[i], want)
		}
	}
	if uint64(len(p)) != each[0].Tests {
		t.Errorf("%d rows, %d tests", len(p), each[0].Tests)
	}
}

// ancestors adds the parts of a code, the parts of these parts, and so on, to all.
func ancestors(tab *query.Table, c index.Code, all map[string]bool) {
	for _, p := range tab.Space.Parts(nil, c, tab.Symbols()) {
		if !all[string(p)] {
			all[string(p)] = true
			ancestors(tab, p, all)
		}
	}
}

// A fragment joins the first head that is a part of it, or of which it is a part. Else it becomes a head, if
// there are fewer than 7.
func TestKin(t *testing.T) {
	tab := random(t, 5, false)
	kin := contrast.NewKin(tab, 7)
	type head struct {
		code   string
		parts  map[string]bool
		family uint64
	}
	var want []head
	n := 0
	err := tab.Each(context.Background(), func(r *query.Row) error {
		if n++; n*7%11 > 3 { // skips some, to make fewer fragments
			return nil
		}
		may, err := kin.MayGo(r.Order, r.Posting())
		if err != nil {
			return err
		}
		if _, err := kin.Add(string(tab.Text(nil, r.Code))); err != nil {
			return err
		}
		code, parts := string(r.Code), map[string]bool{}
		ancestors(tab, r.Code, parts)
		for i, h := range want {
			if h.parts[code] || parts[h.code] {
				if want[i].family++; !may && h.code != code {
					t.Errorf("%s goes with %s: MayGo says that it cannot", tab.Text(nil, r.Code), h.code)
				}
				return nil
			}
		}
		if len(want) < 7 {
			want = append(want, head{code, parts, 1})
		}
		return nil
	})
	if err != nil || len(kin.Heads) != len(want) || len(want) < 7 {
		t.Fatal(len(kin.Heads), len(want), err)
	}
	for i, h := range kin.Heads {
		c, err := tab.Parse(h.Text)
		if err != nil || string(c) != want[i].code || h.Family != want[i].family {
			t.Errorf("head %d: %s of %d, want family %d (%v)", i, h.Text, h.Family, want[i].family, err)
		}
	}
}

// A construction occurs more often than the smallest label has words. Then no label uses 2×2 tables, because
// all labels must be measured in the same way.
func TestEachShares(t *testing.T) {
	tab := random(t, 2, false)
	samples, err := query.OpenSamples(tab.Store())
	if err != nil {
		t.Fatal(err)
	}
	o := contrast.Options{FS: vfs.NewMem(), TempDir: "each", Constructions: []contrast.Construction{{Name: "none"}}}
	each, err := contrast.NewEach(context.Background(), samples, o)
	if err != nil {
		t.Fatal(err)
	}
	least := slices.MinFunc(each, func(a, b *contrast.Contrast) int { return cmp.Compare(a.A.N, b.A.N) })
	bm, err := tab.Store().LabelBitmap(least.A.Label)
	if err != nil {
		t.Fatal(err)
	}
	o.Constructions[0] = contrast.Construction{Name: "many", IDs: []uint32{bm.Minimum()}, Hits: []uint64{1}, Places: []uint32{uint32(least.A.N) + 1}}
	if each, err = contrast.NewEach(context.Background(), samples, o); err != nil {
		t.Fatal(err)
	}
	alone := 0
	for _, c := range each {
		if c.A.N > least.A.N+1 && c.B.N > least.A.N+1 {
			alone++
		}
		if c.Shares {
			t.Errorf("label %s: 2×2 tables", c.A.Label)
		}
	}
	if alone == 0 {
		t.Error("no label is larger")
	}
}
