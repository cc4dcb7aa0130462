package growth

import (
	"math"
	"sync"
)

// Reach bounds the factor by which the value of a match can grow in larger patterns. A larger pattern makes
// at least one of several independent choices, such as to add nodes below one node. Each choice has a largest
// factor.
type Reach struct{ best, all float64 }

// NewReach returns the reach of a pattern that has no larger patterns.
func NewReach() Reach { return Reach{0, 1} }

// With returns r plus a choice (see Reach) whose factor is at most x.
func (r Reach) With(x float64) Reach {
	return Reach{max(r.best, x), float64(r.all * max(1, x))}
}

// Most is the bound: the product of all factors that are at least 1. If there are none, it is the largest
// factor.
func (r Reach) Most() float64 {
	if r.best < 1 {
		return r.best
	}
	return r.all
}

// Heaviest sums values by symbol and keeps the largest sum. Each call of Step decays all sums. Call Reset
// first.
type Heaviest struct {
	lambda float64
	step   int
	most   float64
	sums   []heavy // the sum of each symbol, by number
	seen   []uint32
}

// heavy is the sum of a symbol's values, as it was at a certain step.
type heavy struct {
	sum  float64
	step int
}

// Reset removes all sums, and sets the decay of one step to lambda; 1 means no decay.
func (h *Heaviest) Reset(lambda float64) {
	for _, num := range h.seen {
		h.sums[num] = heavy{}
	}
	h.seen = h.seen[:0]
	h.lambda, h.step, h.most = lambda, 0, 0
}

// Step multiplies all sums by lambda, the decay of one step.
func (h *Heaviest) Step() {
	h.step++
	h.most = float64(h.most * h.lambda)
}

// Add adds x, which is not negative, to the sum of a symbol.
func (h *Heaviest) Add(num uint32, x float64) {
	if n := int(num) + 1; n > len(h.sums) {
		h.sums = append(h.sums, make([]heavy, n+n/2-len(h.sums))...)
	}
	s := &h.sums[num]
	switch {
	case s.sum == 0:
		h.seen = append(h.seen, num)
	case s.step < h.step && h.lambda < 1:
		s.sum = float64(s.sum * math.Pow(h.lambda, float64(h.step-s.step)))
	}
	s.step = h.step
	s.sum += x
	h.most = max(h.most, s.sum)
}

// Most is the largest sum.
func (h *Heaviest) Most() float64 { return h.most }

// Memo keeps the value of one key. The first goroutine that asks computes the value, and the others read it.
type Memo[K comparable, T any] struct {
	mu    sync.Mutex
	known bool
	key   K
	value T
}

// Of returns the value for a key. It calls the function `compute` unless m keeps the value.
func (m *Memo[K, T]) Of(key K, compute func() T) T {
	m.mu.Lock()
	defer m.mu.Unlock()
	if !m.known || m.key != key {
		m.known, m.key, m.value = true, key, compute()
	}
	return m.value
}

// Reset forgets the value.
func (m *Memo[K, T]) Reset() {
	m.mu.Lock()
	defer m.mu.Unlock()
	var none T
	m.known, m.value = false, none
}
