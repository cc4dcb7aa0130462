package mine

import (
	"math"
	"sync"
	"sync/atomic"

	"fstore/store"
)

// threshold is the |score| from which on fragments are selected: fixed, or, where only
// the best so many are wanted, the least of the best so far. It rises, and then prunes
// what is strictly below only: so the best are the same whatever was seen first.
type threshold struct {
	least float64
	most  int // 0: all that reach least

	mu   sync.Mutex
	best []store.Entry // a heap, the worst first
	at   atomic.Uint64 // math.Float64bits of the |score| of the worst, once there are most
}

// now is what a |score| must reach.
func (t *threshold) now() float64 { return max(t.least, math.Float64frombits(t.at.Load())) }

// worse orders entries: the lower |score|, of equal ones the larger code.
func worse(a, b *store.Entry) bool {
	x, y := math.Abs(a.Score), math.Abs(b.Score)
	return x < y || x == y && string(a.Code) > string(b.Code)
}

// add adds an entry, which is copied, to the best.
func (t *threshold) add(e *store.Entry) {
	t.mu.Lock()
	defer t.mu.Unlock()
	if len(t.best) < t.most {
		t.best = append(t.best, cloneEntry(e))
		t.up(len(t.best) - 1)
	} else if worse(&t.best[0], e) {
		t.best[0] = cloneEntry(e)
		t.down()
	}
	if len(t.best) == t.most {
		t.at.Store(math.Float64bits(math.Abs(t.best[0].Score)))
	}
}

func cloneEntry(e *store.Entry) store.Entry {
	c := *e
	c.Code = append([]byte(nil), e.Code...)
	c.Stats = append([]float64(nil), e.Stats...)
	return c
}

func (t *threshold) up(i int) {
	for i > 0 {
		p := (i - 1) / 2
		if !worse(&t.best[i], &t.best[p]) {
			return
		}
		t.best[i], t.best[p] = t.best[p], t.best[i]
		i = p
	}
}

func (t *threshold) down() {
	for i := 0; ; {
		w := i
		for _, c := range [...]int{2*i + 1, 2*i + 2} {
			if c < len(t.best) && worse(&t.best[c], &t.best[w]) {
				w = c
			}
		}
		if w == i {
			return
		}
		t.best[i], t.best[w] = t.best[w], t.best[i]
		i = w
	}
}
