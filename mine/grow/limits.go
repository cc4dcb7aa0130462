package grow

import (
	"errors"
	"fmt"
	"sync/atomic"

	"fstore/index"
	"fstore/index/spaces"
	"fstore/store"
)

// MaxMaxOrder is the largest value of a maximum order, since growth counts levels in 32 bits.
const MaxMaxOrder = 1<<31 - 2

// SpaceOf returns a space of the store in dir. It returns ErrVersion if this program does not know the space.
func SpaceOf(dir string, info *store.SpaceInfo) (index.Space, error) {
	r, err := spaces.Parse(info.ID)
	if err != nil {
		return nil, &store.Error{Dir: dir, Kind: store.ErrVersion, Err: err}
	}
	return r.Space, nil
}

// Set copies the first choice that is not nil to *to. If all choices are nil, it does nothing.
func Set[T any](to *T, choices ...*T) {
	for _, c := range choices {
		if c != nil {
			*to = *c
			return
		}
	}
}

// AddByOrder adds the counts in more to those in sums, order by order.
func AddByOrder(sums, more []uint64) []uint64 {
	for o, n := range more {
		for o >= len(sums) {
			sums = append(sums, 0)
		}
		sums[o] += n
	}
	return sums
}

// Describe says in words how far a space is indexed: `space stk, order ≤ 5, support ≥ 2`.
func Describe(id string, l index.Limits) string {
	line := "space " + id
	if l.MaxOrder > 0 {
		line += fmt.Sprintf(", order ≤ %d", l.MaxOrder)
	}
	line += fmt.Sprintf(", support ≥ %d", l.MinSupport)
	if l.Closed {
		line += ", closed"
	}
	return line
}

// SpaceLimits is a space to index, with its limits.
type SpaceLimits struct {
	Space  index.Space
	Limits index.Limits
}

// Budget counts fragments over all workers.
type Budget struct {
	limit uint64
	n     atomic.Uint64
}

// NewBudget returns a budget of limit fragments; 0 means any number.
func NewBudget(limit uint64) *Budget { return &Budget{limit: limit} }

// Take counts n more fragments.
func (b *Budget) Take(n uint64) error {
	if all := b.n.Add(n); b.limit > 0 && all > b.limit {
		return tooMany(b.limit)
	}
	return nil
}

// Share takes fragments from the budget for one goroutine, shareStep at a time.
type Share struct {
	Budget  *Budget
	pending uint64 // fragments not yet taken from the budget
}

// shareStep is how many fragments a worker makes before it asks the budget again.
const shareStep = 256

// Add counts n more fragments.
func (s *Share) Add(n uint64) error {
	if s.pending += n; s.pending < shareStep {
		return nil
	}
	return s.Finish()
}

// Finish takes from the budget the fragments that Add has counted but not taken yet.
func (s *Share) Finish() error {
	n := s.pending
	s.pending = 0
	return s.Budget.Take(n)
}

// ErrTooMany says that there are more fragments than the limit MaxFragments.
var ErrTooMany = errors.New("too many fragments")

func tooMany(limit uint64) error {
	return fmt.Errorf("%w: more than %s: raise the minimum support, lower the maximum order, keep closed fragments only, or raise the limit", ErrTooMany, index.Thousands(limit))
}
