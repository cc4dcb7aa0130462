package judge

import (
	"math"
	"sync"
	"sync/atomic"

	"fstore/store"
)

// Threshold is the |score| from which on fragments are selected: fixed, or, where only
// the best so many are wanted, the least of the best so far. It rises, and then prunes
// what is strictly below only: so the best are the same whatever was seen first.
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
	if len(t.Best) < t.Most {
		t.Best = append(t.Best, CloneEntry(e))
		t.up(len(t.Best) - 1)
	} else if worse(&t.Best[0], e) {
		t.Best[0] = CloneEntry(e)
		t.down()
	}
	if len(t.Best) == t.Most {
		t.at.Store(math.Float64bits(math.Abs(t.Best[0].Score)))
	}
}

// CloneEntry returns a copy of an entry that shares no memory with it.
func CloneEntry(e *store.Entry) store.Entry {
	c := *e
	c.Code = append([]byte(nil), e.Code...)
	c.Stats = append([]float64(nil), e.Stats...)
	return c
}

func (t *Threshold) up(i int) {
	for i > 0 {
		p := (i - 1) / 2
		if !worse(&t.Best[i], &t.Best[p]) {
			return
		}
		t.Best[i], t.Best[p] = t.Best[p], t.Best[i]
		i = p
	}
}

func (t *Threshold) down() {
	for i := 0; ; {
		w := i
		for _, c := range [...]int{2*i + 1, 2*i + 2} {
			if c < len(t.Best) && worse(&t.Best[c], &t.Best[w]) {
				w = c
			}
		}
		if w == i {
			return
		}
		t.Best[i], t.Best[w] = t.Best[w], t.Best[i]
		i = w
	}
}
