package association

import (
	"math"
	"testing"

	"pgregory.net/rapid"
)

// DP is half the sum of the differences of shares over all documents, also those without hits.
func TestDispersion(t *testing.T) {
	rapid.Check(t, func(t *rapid.T) {
		words := rapid.SliceOfN(rapid.IntRange(1, 50), 1, 8).Draw(t, "words")
		var hits []int
		all, total, smallest := 0, 0, 1000
		for _, w := range words {
			n := rapid.IntRange(0, 5).Draw(t, "hits")
			hits = append(hits, n)
			all, total, smallest = all+w, total+n, min(smallest, w)
		}
		d := Dispersion{Words: float64(all), Smallest: float64(smallest), Hits: float64(total)}
		want := 0.0
		for i, w := range words {
			want += math.Abs(float64(hits[i])/float64(total)-float64(w)/float64(all)) / 2
			if hits[i] > 0 {
				d.Add(float64(w), float64(hits[i]))
			}
		}
		switch norm := want / (1 - float64(smallest)/float64(all)); {
		case total == 0:
			if !math.IsNaN(d.DP()) || !math.IsNaN(d.DPNorm()) {
				t.Fatalf("without hits: %v %v", d.DP(), d.DPNorm())
			}
		case math.Abs(d.DP()-want) > 1e-12:
			t.Fatalf("DP %v, want %v", d.DP(), want)
		case len(words) == 1 && !math.IsNaN(d.DPNorm()), len(words) > 1 && math.Abs(d.DPNorm()-norm) > 1e-12:
			t.Fatalf("DPnorm %v, want %v", d.DPNorm(), norm)
		}
	})
}

// DP of five documents of unequal size is as computed by hand.
func TestDispersionOfUnequalParts(t *testing.T) {
	d := Dispersion{Words: 100, Smallest: 9, Hits: 10}
	for i, w := range []float64{9, 18, 20, 20, 33} {
		d.Add(w, []float64{1, 2, 3, 0.5, 3.5}[i])
	}
	if want := (0.01 + 0.02 + 0.1 + 0.15 + 0.02) / 2; math.Abs(d.DP()-want) > 1e-12 {
		t.Errorf("DP %v, want %v", d.DP(), want)
	}
}
