package builder

import (
	"sync/atomic"
)

// fragmentShares estimates which share of the fragments each sample has. If a build exceeds its budget, the
// error names the sample with the most fragments.
type fragmentShares struct {
	seen atomic.Uint32   // fragments looked at
	of   []atomic.Uint32 // how many of the seen fragments each sample has
}

// sharesStep says that one of every sharesStep fragments is looked at. At 64 this takes no measurable time.
const sharesStep = 64

func (s *fragmentShares) add(samples []uint32) {
	s.seen.Add(1)
	for _, sample := range samples {
		s.of[sample].Add(1)
	}
}

// most returns the sample with the most fragments, and its share in percent. It returns false if no fragment
// was counted.
func (s *fragmentShares) most() (sample, percent uint32, ok bool) {
	if s == nil || s.seen.Load() == 0 {
		return 0, 0, false
	}
	n := uint32(0)
	for i := range s.of {
		if k := s.of[i].Load(); k > n {
			sample, n = uint32(i), k
		}
	}
	return sample, uint32(100 * uint64(n) / uint64(s.seen.Load())), true
}
