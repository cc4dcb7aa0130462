package selection

import (
	"math"
	"sync/atomic"

	"fstore/index"
	"fstore/mine/grow"
	"fstore/mine/judge"
)

// censusBits is how many bits of a |score| select its bin. Positive floats sort like their bits, so a bin is
// a range of scores.
const censusBits = 16

// census counts fragments in bins by |score|, and adds up their shares of ‖w‖². Shares are whole numbers, so
// their sums do not depend on the order in which workers add.
type census struct {
	*Relevance
	prefix uint64 // only scores with this prefix are counted
	shift  uint   // how many bits are below those that select the bin
	all    bool   // count scores with any prefix
	bins   []censusBin
}

type censusBin struct{ fragments, share atomic.Uint64 }

func (c *census) begin(prefix uint64, shift uint) {
	c.prefix, c.shift, c.all = prefix, shift, shift+censusBits == 64
	clear(c.bins)
}

// Samples implements Objective. A census needs no samples.
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

// smallestShare finds the smallest set of fragments with this share of ‖w‖². The first passes lower the
// threshold `first` until the fragments above it have the share. Later passes make the threshold exact.
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

// leastThreshold limits how far smallestShare lowers the threshold, as a fraction of the first threshold.
const leastThreshold = 1e-12

func (c *census) total() (share uint64) {
	for i := range c.bins {
		share += c.bins[i].share.Load()
	}
	return share
}

// crossing adds the bins with the largest |score| to s, as long as s.share stays below the goal. It returns
// the first bin that it does not add.
func (c *census) crossing(goal uint64, s *smallest) uint64 {
	for bin := len(c.bins) - 1; ; bin-- {
		share := c.bins[bin].share.Load()
		if s.share+share >= goal || bin == 0 {
			return uint64(bin)
		}
		s.share += share
		s.above += c.bins[bin].fragments.Load()
	}
}
