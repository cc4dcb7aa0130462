package metamorphic

import (
	"flag"
	"fmt"
	"maps"
	"math/rand/v2"
	"slices"
	"strings"
	"testing"
	"time"
)

var (
	seedFlag = flag.Uint64("seed", 0, "the seed of one run of TestMetamorphic; 0: several runs")
	forFlag  = flag.Duration("for", 0, "how long TestMetamorphic goes on with seeds that are new each time; 0: a minute of seeds that are always the same")
)

// steps is the number of operations of a run.
const steps = 25

// TestMetamorphic runs random operations on random stores, see the documentation of the package.
func TestMetamorphic(t *testing.T) {
	count := map[string]int{}
	runs := 0
	run := func(seed uint64) bool {
		runs++
		return t.Run(fmt.Sprint("seed=", seed), func(t *testing.T) {
			w := newWorld(t, seed)
			for range steps {
				w.step()
			}
			if w.m != nil {
				w.verify()
			}
			for name, n := range w.count {
				count[name] += n
			}
		})
	}
	switch {
	case *seedFlag != 0:
		run(*seedFlag)
	case *forFlag != 0:
		for end := time.Now().Add(*forFlag); time.Now().Before(end); {
			if !run(1 + rand.Uint64N(1<<40)) {
				break
			}
		}
	default:
		for end, seed := time.Now().Add(defaultFor), uint64(1); time.Now().Before(end) && (seed <= shortRuns || !testing.Short()); seed++ {
			run(seed)
		}
	}
	var did []string
	for _, name := range slices.Sorted(maps.Keys(count)) {
		did = append(did, fmt.Sprintf("%s %d", name, count[name]))
	}
	t.Logf("%d runs: %s", runs, strings.Join(did, ", "))
}

// defaultFor is the time after which no new run begins, if no flag sets it. shortRuns is the number of runs
// with -short.
const (
	defaultFor = time.Minute
	shortRuns  = 12
)
