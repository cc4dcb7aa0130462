package association

import (
	"math/rand/v2"
	"slices"
	"testing"
)

// The last discovery follows the definition, test by test. It is the same if the tests above alpha are only
// counted.
func TestLastDiscovery(t *testing.T) {
	r := rand.New(rand.NewPCG(1, 1))
	none := 0
	for range 2000 {
		alpha := []float64{.05, .5}[r.IntN(2)]
		var all []float64
		for range 1 + r.IntN(12) {
			all = append(all, []float64{0, .001, .01, .05, .3, .7, 1}[r.IntN(7)])
		}
		slices.Sort(all)
		want, found := 0.0, false
		some := Tests{}
		for k, p := range all {
			if AtMost(p, alpha*float64(k+1)/float64(len(all))) {
				want, found = p, true
			}
			if p <= alpha {
				some.P, some.Times = append(some.P, p), append(some.Times, 1)
			}
		}
		if !found {
			none++
		}
		if p, ok := some.LastDiscovery(alpha, uint64(len(all))); p != want || ok != found {
			t.Fatalf("alpha %v of %v: %v, %v, want %v, %v", alpha, all, p, ok, want, found)
		}
	}
	if none < 100 {
		t.Errorf("only %d without a discovery", none)
	}
}
