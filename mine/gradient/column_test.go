package gradient

import (
	"math"
	"math/rand/v2"
	"testing"
)

// A column has what was added, across chunks; differences also what takes more than two bytes.
func TestColumn(t *testing.T) {
	r := rand.New(rand.NewPCG(1, 1))
	var w column[float64]
	var d differences
	var wantW []float64
	var wantD []int32
	add := func(x int32) {
		w.add(float64(x))
		d.add(x)
		wantW, wantD = append(wantW, float64(x)), append(wantD, x)
	}
	for _, x := range []int32{0, math.MinInt16, math.MinInt16 + 1, math.MaxInt16, math.MaxInt16 + 1, math.MinInt32, math.MaxInt32} {
		add(x)
	}
	for range 3 << columnBits {
		add(int32(r.Uint32()) >> r.IntN(32))
	}
	for id, x := range wantD {
		if d.at(uint32(id)) != x || w.at(uint32(id)) != wantW[id] {
			t.Fatalf("%d: %d and %g, want %d", id, d.at(uint32(id)), w.at(uint32(id)), x)
		}
	}
	if int(d.near.n) != len(wantD) || int(w.n) != len(wantW) {
		t.Errorf("%d and %d of %d", d.near.n, w.n, len(wantD))
	}
}
