package index

import (
	"runtime"
	"sync"
)

// Progress is told how far a long run is. It is called from one goroutine at a
// time, at most some hundred times a second.
type Progress interface {
	// Step announces a stage ("read", "mine spaces", …) with its length in
	// units, 0 where the length is unknown.
	Step(stage, unit string, total int64)
	// Add counts units done in the current stage.
	Add(n int64)
}

// NoProgress ignores what it is told.
type NoProgress struct{}

func (NoProgress) Step(string, string, int64) {}
func (NoProgress) Add(int64)                  {}

// OneAtATime returns a Progress that any goroutine may call, and that calls p from one at a
// time.
func OneAtATime(p Progress) Progress {
	return &oneAtATime{p: p}
}

type oneAtATime struct {
	mu sync.Mutex
	p  Progress
}

func (o *oneAtATime) Step(stage, unit string, total int64) {
	o.mu.Lock()
	defer o.mu.Unlock()
	o.p.Step(stage, unit, total)
}

func (o *oneAtATime) Add(n int64) {
	o.mu.Lock()
	defer o.mu.Unlock()
	o.p.Add(n)
}

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
