package grow

import (
	"errors"
	"fmt"
	"sync/atomic"

	"fstore/index"
)

// Budget counts fragments over all workers.
type Budget struct {
	limit uint64
	n     atomic.Uint64
}

// NewBudget is a budget of so many fragments; 0 is any number.
func NewBudget(limit uint64) *Budget { return &Budget{limit: limit} }

// Take counts n more fragments.
func (b *Budget) Take(n uint64) error {
	if all := b.n.Add(n); b.limit > 0 && all > b.limit {
		return tooMany(b.limit)
	}
	return nil
}

// Share takes fragments from the budget for one goroutine, shareStep of them at a time.
type Share struct {
	Budget  *Budget
	pending uint64 // fragments not yet taken
}

// shareStep is how many fragments a worker makes between two looks at the budget.
const shareStep = 256

// Add counts n more fragments.
func (s *Share) Add(n uint64) error {
	if s.pending += n; s.pending < shareStep {
		return nil
	}
	return s.Finish()
}

// Finish takes what Add has not taken yet.
func (s *Share) Finish() error {
	n := s.pending
	s.pending = 0
	return s.Budget.Take(n)
}

// ErrTooMany says that there are more fragments than MaxFragments.
var ErrTooMany = errors.New("too many fragments")

func tooMany(limit uint64) error {
	return fmt.Errorf("%w: more than %s: raise the minimum support, lower the maximum order, keep closed fragments only, or raise the limit", ErrTooMany, index.Thousands(limit))
}
