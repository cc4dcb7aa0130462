package index

import (
	"runtime"
	"sync"
)

// Progress receives reports about a long run. It is called from one goroutine at a time, at most some hundred
// times a second.
type Progress interface {
	// Step announces a stage ("read", "mine spaces", …) and its length in units; 0 if the length is unknown.
	Step(stage, unit string, total int64)
	// Add counts units done in the current stage.
	Add(n int64)
}

// NoProgress is a Progress that ignores all reports.
type NoProgress struct{}

func (NoProgress) Step(string, string, int64) {}
func (NoProgress) Add(int64)                  {}

// OneAtATime returns a Progress that any number of goroutines may call. It calls p from one goroutine at a
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

// perProcessor is how many goroutines a pool can have for each processor. More are not faster, and each needs
// memory.
const perProcessor = 4

// Workers returns n, but at most perProcessor goroutines for each processor. If n is 0 or less, it returns
// one goroutine for each processor.
func Workers(n int) int {
	processors := runtime.GOMAXPROCS(0)
	if n <= 0 {
		return processors
	}
	return min(n, perProcessor*processors)
}
