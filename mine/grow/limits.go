package grow

import (
	"fmt"

	"fstore/index"
	"fstore/index/spaces"
	"fstore/store"
)

// MaxMaxOrder is the largest maximum order: growth counts levels in 32 bits.
const MaxMaxOrder = 1<<31 - 2

// SpaceOf returns a space of the store in dir; one that this program does not know
// is ErrVersion.
func SpaceOf(dir string, info *store.SpaceInfo) (index.Space, error) {
	r, err := spaces.Parse(info.ID)
	if err != nil {
		return nil, &store.Error{Dir: dir, Kind: store.ErrVersion, Err: err}
	}
	return r.Space, nil
}

// Set sets to to the first choice that says anything.
func Set[T any](to *T, choices ...*T) {
	for _, c := range choices {
		if c != nil {
			*to = *c
			return
		}
	}
}

// AddByOrder adds more to sums, order by order.
func AddByOrder(sums, more []uint64) []uint64 {
	for o, n := range more {
		for o >= len(sums) {
			sums = append(sums, 0)
		}
		sums[o] += n
	}
	return sums
}

// Describe says how far a space is indexed: `space stk, order ≤ 5, support ≥ 2`.
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

// SpaceLimits is a space to index, and how far.
type SpaceLimits struct {
	Space  index.Space
	Limits index.Limits
}
