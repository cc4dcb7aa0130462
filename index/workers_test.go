package index

import (
	"math"
	"runtime"
	"testing"
)

func TestWorkers(t *testing.T) {
	defer runtime.GOMAXPROCS(runtime.GOMAXPROCS(2))
	for n, want := range map[int]int{-1: 2, 0: 2, 1: 1, 3: 3, 8: 8, 9: 8, 1_000_000_000: 8, math.MaxInt: 8} {
		if got := Workers(n); got != want {
			t.Errorf("%d: %d, want %d", n, got, want)
		}
	}
}
