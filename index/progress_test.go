package index

import (
	"sync"
	"sync/atomic"
	"testing"
	"time"
)

// alone is a Progress that notices when it is called twice at a time.
type alone struct {
	busy, clash atomic.Bool
	sum         int64
}

func (a *alone) Step(string, string, int64) { a.Add(0) }

func (a *alone) Add(n int64) {
	if !a.busy.CompareAndSwap(false, true) {
		a.clash.Store(true)
	}
	time.Sleep(100 * time.Microsecond)
	a.sum += n
	a.busy.Store(false)
}

func TestOneAtATime(t *testing.T) {
	var a alone
	p := OneAtATime(&a)
	var all sync.WaitGroup
	for range 8 {
		all.Go(func() {
			p.Step("read", "samples", 10)
			for range 10 {
				p.Add(1)
			}
		})
	}
	all.Wait()
	if a.clash.Load() || a.sum != 80 {
		t.Errorf("%d units, called twice at a time: %v", a.sum, a.clash.Load())
	}
}
