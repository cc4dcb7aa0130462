package gradient

import (
	"fmt"
	"math/rand/v2"
	"testing"

	"fstore/index"
)

// A filter of any size lets through each candidate that is seen more than C times, in any order. A filter
// that is large enough lets through no other candidate.
func TestBloom(t *testing.T) {
	for c := range uint32(6) {
		for _, counters := range []uint64{1, 20, 1 << 20} {
			f := newBloom(c, bloomWidth(c), counters)
			r := rand.New(rand.NewPCG(uint64(c), counters))
			for side := range 2 {
				times := map[string]uint32{}
				let := map[string]bool{}
				for range 2000 {
					code := fmt.Sprint(side, r.IntN(500))
					times[code]++
					if f.see(index.Code(code)) {
						let[code] = true
					}
				}
				for code, n := range times {
					if n > c && !let[code] {
						t.Errorf("C %d, %d counters: %s was seen %d times and held back", c, counters, code, n)
					}
					if n <= c && let[code] && counters == 1<<20 {
						t.Errorf("C %d: %s was seen %d times and let through", c, code, n)
					}
				}
				f.endSide()
			}
		}
	}
}
