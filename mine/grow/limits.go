package grow

import (
	"errors"
	"fmt"
	"sync/atomic"

	"fstore/index"
	"fstore/index/spaces"
	"fstore/store"
)

// MaxMaxOrder is the largest allowed maximum order, since growth counts levels in 32 bits.
const MaxMaxOrder = 1<<31 - 2

// SpaceOf returns the space that info describes. If this program does not know the space, the error is
// ErrVersion.
func SpaceOf(dir string, info *store.SpaceInfo) (index.Space, error) {
	r, err := spaces.Parse(info.ID)
	if err != nil {
		return nil, &store.Error{Dir: dir, Kind: store.ErrVersion, Err: err}
	}
	return r.Space, nil
}

// Set sets *target to the value of the first choice that is not nil, if there is one.
func Set[T any](target *T, choices ...*T) {
	for _, c := range choices {
		if c != nil {
			*target = *c
			return
		}
	}
}

// AddByOrder adds the counts of each order to sums, and returns the sums.
func AddByOrder(sums, more []uint64) []uint64 {
	for o, n := range more {
		for o >= len(sums) {
			sums = append(sums, 0)
		}
		sums[o] += n
	}
	return sums
}

// Describe says in words within which limits a space is indexed, as in `space stk, order ≤ 5, support ≥ 2`.
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

// SpaceLimits is a space and the limits within which it is indexed.
type SpaceLimits struct {
	Space  index.Space
	Limits index.Limits
}

// Budget bounds the number of fragments that all workers make together.
type Budget struct {
	limit uint64
	n     atomic.Uint64
}

// NewBudget returns a budget of this many fragments; 0 means any number.
func NewBudget(limit uint64) *Budget { return &Budget{limit: limit} }

// Take counts n more fragments. It returns ErrTooMany if there are too many.
func (b *Budget) Take(n uint64) error {
	if all := b.n.Add(n); b.limit > 0 && all > b.limit {
		return tooMany(b.limit)
	}
	return nil
}

// Share is one goroutine's access to a Budget. It takes shareStep fragments at a time, so that goroutines do
// not slow each other down.
type Share struct {
	Budget  *Budget
	pending uint64 // fragments not yet taken from the budget
}

const shareStep = 256

// Add counts n more fragments. It returns ErrTooMany if the budget is exceeded.
func (s *Share) Add(n uint64) error {
	if s.pending += n; s.pending < shareStep {
		return nil
	}
	return s.Finish()
}

// Finish takes the pending fragments from the Budget.
func (s *Share) Finish() error {
	n := s.pending
	s.pending = 0
	return s.Budget.Take(n)
}

// ErrTooMany says that there are more fragments than the option MaxFragments allows.
var ErrTooMany = errors.New("too many fragments")

func tooMany(limit uint64) error {
	return fmt.Errorf("%w: more than %s: raise the minimum support, lower the maximum order, keep closed fragments only, or raise the limit", ErrTooMany, index.Thousands(limit))
}
