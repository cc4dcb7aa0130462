// Package progresstest tests code that reports its progress from several goroutines.
package progresstest

import (
	"sync/atomic"
	"time"
)

// Alone is an index.Progress that notices two calls at the same time.
type Alone struct{ busy, clash atomic.Bool }

// Step does nothing.
func (*Alone) Step(string, string, int64) {}

// Add takes a moment, and notices if another call has not ended.
func (a *Alone) Add(int64) {
	if !a.busy.CompareAndSwap(false, true) {
		a.clash.Store(true)
	}
	time.Sleep(time.Millisecond)
	a.busy.Store(false)
}

// Clashed says whether there were two calls at the same time.
func (a *Alone) Clashed() bool { return a.clash.Load() }
