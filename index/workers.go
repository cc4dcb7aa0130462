package index

import "runtime"

// perProcessor is how many goroutines of a pool share a processor at most. More of them are
// no faster, and each holds memory of its own.
const perProcessor = 4

// Workers returns how many goroutines a pool has that is asked for n of them: one a processor
// where n is 0 or less, and else n, but at most perProcessor a processor.
func Workers(n int) int {
	processors := runtime.GOMAXPROCS(0)
	if n <= 0 {
		return processors
	}
	return min(n, perProcessor*processors)
}
