package selection

import (
	"math"
	"sync/atomic"

	"fstore/index"
	"fstore/mine/grow"
	"fstore/mine/judge"
	"fstore/store"
)

// smallest says which fragments make the smallest set that keeps a share of ‖w‖²: those
// whose |score| is above least, and the first ties in code order of those that have it.
type smallest struct {
	least float64
	above uint64 // fragments
	ties  uint64
	share uint64 // of all of them, as Relevance.share
}

// only puts what is of the set; entries ascend.
func (s *smallest) only(put func(*store.Entry) error) func(*store.Entry) error {
	left := s.ties
	return func(e *store.Entry) error {
		if math.Abs(e.Score) == s.least {
			if left == 0 {
				return nil
			}
			left--
		}
		return put(e)
	}
}

// censusBits is how many bits of a |score| one pass tells apart: the bits of positive
// floats are in the order of the floats.
const censusBits = 16

// census counts the fragments that an objective keeps, and their shares of ‖w‖², by the
// bits of their |score| below a common prefix. Sums of whole numbers are the same in
// whatever order the workers add.
type census struct {
	*Relevance
	prefix uint64 // of the bits that are counted
	shift  uint   // the bits below those that are told apart
	all    bool   // whatever the prefix
	bins   []censusBin
}

type censusBin struct{ fragments, share atomic.Uint64 }

// begin begins a pass.
func (c *census) begin(prefix uint64, shift uint) {
	c.prefix, c.shift, c.all = prefix, shift, shift+censusBits == 64
	clear(c.bins)
}

// Samples implements Objective: nothing is looked up that a census does not need.
func (c *census) Samples() bool { return false }

func (c *census) Judge(b *index.Batch, least float64, v *judge.Verdicts) {
	c.Relevance.Judge(b, least, v)
	for i, keep := range v.Keep {
		if !keep {
			continue
		}
		bits := math.Float64bits(math.Abs(v.Score[i]))
		if !c.all && bits>>(c.shift+censusBits) != c.prefix {
			continue
		}
		bin := &c.bins[bits>>c.shift&(1<<censusBits-1)]
		bin.fragments.Add(1)
		bin.share.Add(c.Share(v.Score[i]))
	}
}

// smallestShare finds the smallest set that keeps a share of ‖w‖². Its passes lower a threshold, from
// first on, until that is enough, and then look at scores that differ in fewer and fewer bits.
func (x *Relevance) smallestShare(from *judge.Source, share, first float64, fragments func() *grow.Budget) (smallest, error) {
	want := uint64(share * wholeShare)
	c := &census{Relevance: x.plain(), bins: make([]censusBin, 1<<censusBits)}
	pass := func(least float64) error {
		return from.Run(judge.NewPass(c, from.Limits, &judge.Threshold{Least: least}, fragments()), judge.CountOnly)
	}
	for least := first; ; least /= 4 {
		c.begin(0, 64-censusBits)
		if err := pass(least); err != nil {
			return smallest{}, err
		}
		if c.total() >= want {
			break
		}
		if least < first*leastThreshold {
			return smallest{}, index.Usagef("a norm share of %v: fragments of next to no weight each are needed, more than can be found", share)
		}
	}
	var s smallest
	for {
		bin := c.crossing(want, &s)
		if c.shift == 0 {
			s.least = math.Float64frombits(c.prefix<<censusBits | bin)
			each := x.Share(s.least)
			s.ties = c.bins[bin].fragments.Load()
			if each > 0 {
				s.ties = min(s.ties, (want-s.share+each-1)/each)
			}
			s.share += s.ties * each
			return s, nil
		}
		prefix := bin
		if !c.all {
			prefix |= c.prefix << censusBits
		}
		c.begin(prefix, c.shift-censusBits)
		if err := pass(math.Float64frombits(prefix << (c.shift + censusBits))); err != nil {
			return smallest{}, err
		}
	}
}

// leastThreshold is how far below its first value the threshold may fall.
const leastThreshold = 1e-12

// total is the share of all that was counted.
func (c *census) total() (share uint64) {
	for i := range c.bins {
		share += c.bins[i].share.Load()
	}
	return share
}

// crossing returns the bin in which the share reaches what is wanted, from the largest
// |score| down, and adds what is above it to s.
func (c *census) crossing(want uint64, s *smallest) uint64 {
	for bin := len(c.bins) - 1; ; bin-- {
		share := c.bins[bin].share.Load()
		if s.share+share >= want || bin == 0 {
			return uint64(bin)
		}
		s.share += share
		s.above += c.bins[bin].fragments.Load()
	}
}
