package judge

import (
	"container/heap"
	"math"
	"slices"
	"sync"
	"sync/atomic"

	"fstore/store"
)

// Threshold is the least |score| that is selected. If Most is set, the threshold rises during a pass. A
// fragment at the threshold is not pruned, so the order of visits does not matter.
type Threshold struct {
	Least float64
	Most  int // how many of the best are kept; 0: all that reach Least

	mu   sync.Mutex
	Best []store.Entry // a heap, the worst first
	at   atomic.Uint64 // math.Float64bits of the worst |score| in Best, once Best is full
}

// Now returns the least |score| that is selected at present.
func (t *Threshold) Now() float64 { return max(t.Least, math.Float64frombits(t.at.Load())) }

// isWorse says whether a has a lower |score| than b, or an equal |score| and a larger code.
func isWorse(a, b *store.Entry) bool {
	x, y := math.Abs(a.Score), math.Abs(b.Score)
	return x < y || x == y && string(a.Code) > string(b.Code)
}

// add adds a copy of e to the best entries, if e is good enough.
func (t *Threshold) add(e *store.Entry) {
	t.mu.Lock()
	defer t.mu.Unlock()
	best := (*entryHeap)(&t.Best)
	if len(t.Best) < t.Most {
		heap.Push(best, CloneEntry(e))
	} else if isWorse(&t.Best[0], e) {
		t.Best[0] = CloneEntry(e)
		heap.Fix(best, 0)
	}
	if len(t.Best) == t.Most {
		t.at.Store(math.Float64bits(math.Abs(t.Best[0].Score)))
	}
}

// CloneEntry returns a copy of an entry that shares no memory with it.
func CloneEntry(e *store.Entry) store.Entry {
	c := *e
	c.Code, c.Stats = slices.Clone(e.Code), slices.Clone(e.Stats)
	return c
}

// entryHeap implements heap.Interface, with the worst entry first.
type entryHeap []store.Entry

func (h entryHeap) Len() int           { return len(h) }
func (h entryHeap) Less(i, j int) bool { return isWorse(&h[i], &h[j]) }
func (h entryHeap) Swap(i, j int)      { h[i], h[j] = h[j], h[i] }
func (h *entryHeap) Push(e any)        { *h = append(*h, e.(store.Entry)) }
func (h *entryHeap) Pop() any          { panic("nothing is taken off") }
