package judge

import (
	"container/heap"
	"math"
	"slices"
	"sync"
	"sync/atomic"

	"fstore/store"
)

// Threshold is the |score| from which on fragments are selected. It is fixed, or, where only the
// best are wanted, the least |score| of the best so far. Then it rises. It prunes only what is
// strictly below: so the best are the same in any order of visits.
type Threshold struct {
	Least float64
	Most  int // 0: all that reach Least

	mu   sync.Mutex
	Best []store.Entry // a heap, the worst first
	at   atomic.Uint64 // math.Float64bits of the |score| of the worst, once there are most
}

// Now is what a |score| must reach.
func (t *Threshold) Now() float64 { return max(t.Least, math.Float64frombits(t.at.Load())) }

// worse orders entries: the lower |score|, of equal ones the larger code.
func worse(a, b *store.Entry) bool {
	x, y := math.Abs(a.Score), math.Abs(b.Score)
	return x < y || x == y && string(a.Code) > string(b.Code)
}

// add adds an entry, which is copied, to the best.
func (t *Threshold) add(e *store.Entry) {
	t.mu.Lock()
	defer t.mu.Unlock()
	best := (*entryHeap)(&t.Best)
	if len(t.Best) < t.Most {
		heap.Push(best, CloneEntry(e))
	} else if worse(&t.Best[0], e) {
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

// entryHeap is a heap.Interface, the worst entry first.
type entryHeap []store.Entry

func (h entryHeap) Len() int           { return len(h) }
func (h entryHeap) Less(i, j int) bool { return worse(&h[i], &h[j]) }
func (h entryHeap) Swap(i, j int)      { h[i], h[j] = h[j], h[i] }
func (h *entryHeap) Push(e any)        { *h = append(*h, e.(store.Entry)) }
func (h *entryHeap) Pop() any          { panic("nothing is taken off") }
