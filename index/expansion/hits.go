package expansion

import (
	"slices"

	"fstore/index"
)

// Hits are the features that a walk found. Hits allocates nothing once its memory is large enough.
type Hits struct {
	found []uint64 // id<<32 | order
	out   []index.Hit
}

// Reset removes all hits, for the next sample.
func (h *Hits) Reset() { h.found = h.found[:0] }

// Add records a feature of this order.
func (h *Hits) Add(id uint32, order int) {
	h.found = append(h.found, uint64(id)<<32|uint64(uint32(order)))
}

// Len is the number of features added.
func (h *Hits) Len() int { return len(h.found) }

// Sort sorts the features in h.found[start:]. All earlier features must have lower ids.
func (h *Hits) Sort(start int) { slices.Sort(h.found[start:]) }

// Merged returns one hit for each feature, with the number of times that the feature was added. The features
// must be sorted. The result is valid until the next call.
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
