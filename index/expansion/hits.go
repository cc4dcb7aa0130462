package expansion

import (
	"slices"

	"fstore/index"
)

// Hits are the features that a walk found, those found several times merged. It allocates
// nothing once warm.
type Hits struct {
	found []uint64 // id<<32 | order
	out   []index.Hit
}

// Reset starts a sample.
func (h *Hits) Reset() { h.found = h.found[:0] }

// Add records a feature of this order.
func (h *Hits) Add(id uint32, order int) {
	h.found = append(h.found, uint64(id)<<32|uint64(uint32(order)))
}

// Len is the number of features added.
func (h *Hits) Len() int { return len(h.found) }

// Sort orders what was added from the given one on; what was added before must be lower.
func (h *Hits) Sort(from int) { slices.Sort(h.found[from:]) }

// Merged returns what was added, which ascends, each with the number of times. It is
// valid until the next call.
func (h *Hits) Merged() []index.Hit {
	h.out = h.out[:0]
	for i := 0; i < len(h.found); {
		k := i + 1
		for k < len(h.found) && h.found[k] == h.found[i] {
			k++
		}
		h.out = append(h.out, index.Hit{
			ID: uint32(h.found[i] >> 32), Order: int32(uint32(h.found[i])),
			Match: index.Match{Count: float64(k - i)},
		})
		i = k
	}
	return h.out
}
