package spacetest

import (
	"math"
	"math/rand/v2"
	"testing"

	"fstore/index"
)

// Values checks the sums of values that growth returns in Valued spaces. No bound may be below the value of a
// larger fragment (index/README.md, "What the tests compare with").
func (c *Case) Values(t *testing.T) {
	if _, ok := c.Space.(index.Valued); !ok {
		return
	}
	r := rand.New(rand.NewPCG(4, uint64(len(c.Trees))))
	occ := make([]float64, len(c.Trees))
	for i := range occ {
		occ[i] = r.NormFloat64()
	}
	for _, lambda := range []float64{1, 0.4} {
		want := map[string]row{}
		for id, tree := range c.Trees {
			for f, m := range c.Brute(tree, lambda) {
				x := want[f]
				x.A += max(0, occ[id]*m.Value)
				x.B += max(0, -occ[id]*m.Value)
				want[f] = x
			}
		}
		for _, order := range []int{0, 3} {
			got, _ := c.grow(t, everything, index.Weights{Occ: occ, Lambda: lambda}, index.Limits{MaxOrder: order}, false)
			c.checkValues(t, got, want)
		}
	}
}

func (c *Case) checkValues(t *testing.T, got *recorder, want map[string]row) {
	t.Helper()
	const slack = 1 + 1e-9
	most := map[string]float64{} // by code
	for _, code := range got.codes {
		f := string(c.Space.AppendText(nil, code, c.Symbols))
		x, w := got.rows[f], want[f]
		if math.Abs(x.A-w.A) > 1e-9*max(1, w.A) || math.Abs(x.B-w.B) > 1e-9*max(1, w.B) {
			t.Fatalf("%s weighs %v and %v, want %v and %v", f, x.A, x.B, w.A, w.B)
		}
		most[string(code)] = x.Most
	}
	for _, code := range got.codes {
		f := string(c.Space.AppendText(nil, code, c.Symbols))
		for above := range prefixes(code) {
			if bound, ok := most[string(above)]; ok && max(want[f].A, want[f].B) > bound*slack {
				t.Fatalf("%s weighs %v and %v, above the bound %v of %s", f, want[f].A, want[f].B, bound,
					c.Space.AppendText(nil, above, c.Symbols))
			}
		}
	}
}
