// Package progresstest tests code that reports its progress from several goroutines.
package progresstest

import (
	"sync/atomic"
	"time"
)

// Alone is a Progress that notices two calls at the same time.
type Alone struct{ busy, clash atomic.Bool }

// Step implements index.Progress.
func (*Alone) Step(string, string, int64) {}

// Add implements index.Progress.
func (a *Alone) Add(int64) {
	if !a.busy.CompareAndSwap(false, true) {
		a.clash.Store(true)
	}
	time.Sleep(time.Millisecond)
	a.busy.Store(false)
}

// Clashed says whether two calls were made at the same time.
func (a *Alone) Clashed() bool { return a.clash.Load() }
