package spacetest

import (
	"testing"

	"github.com/google/go-cmp/cmp"

	"fstore/index"
)

// addsUp checks the method Additive of a space. If the method returns true, growth in parts of the samples
// must add up to growth in all samples.
func (c *Case) addsUp(t *testing.T) {
	a, ok := c.Space.(index.Additive)
	if ok = ok && a.Additive(); ok != c.Additive {
		t.Fatalf("additive: %v", ok)
	}
	for _, l := range []index.Limits{{}, {MinSupport: 1, MaxOrder: 3}} {
		if c.Additive {
			want, _ := c.grow(t, everything, index.Weights{}, l, false)
			c.addUp(t, want.rows, l)
		}
	}
}

// addUp grows the samples two at a time, with the same Items, and checks that the results add up to the
// wanted rows.
func (c *Case) addUp(t *testing.T, want map[string]row, l index.Limits) {
	t.Helper()
	got := map[string]row{}
	items := c.Space.NewItems(c.Symbols)
	for from := 0; from < len(c.Trees); from += 2 {
		for id := from; id < min(from+2, len(c.Trees)); id++ {
			items.Add(uint32(id), c.Trees[id], index.All, l)
		}
		items.Seal()
		part := &recorder{t: t, c: c, rows: map[string]row{}}
		if _, err := items.Grow(index.All, index.Weights{}, l, part); err != nil {
			t.Fatal(err)
		}
		items.Reset()
		for text, r := range part.rows {
			sum := got[text]
			got[text] = row{
				Order: r.Order, Support: sum.Support + r.Support, Occ: sum.Occ + r.Occ,
				Samples: append(sum.Samples, r.Samples...), Count: append(sum.Count, r.Count...), Places: append(sum.Places, r.Places...),
			}
		}
	}
	if d := cmp.Diff(want, got); d != "" {
		t.Fatalf("(-whole +parts)\n%s", d)
	}
}
