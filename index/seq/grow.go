package seq

import (
	"fstore/index"
	"fstore/index/internal/growth"
)

// grower grows fragments as PrefixSpan does (SI05 §4): what follows the occurrences of a
// pattern is counted by symbol. An occurrence has the number of matches that end at its
// position: two matches that end at one position go on alike, whatever lies before.
type grower struct {
	it      *Items
	entries []growth.Entry
}

// Additive implements index.Additive.
func (*Space) Additive() bool { return true }

// Grow implements index.Space.
func (s *Space) Grow(items index.Items, r index.Range, w index.Weights, l index.Limits, v index.Visitor) (index.Counts, error) {
	it := items.(*Items)
	l.MaxOrder = s.limit(l.MaxOrder)
	g := &grower{it: it}
	return it.Rows.Grow(r, w, l, v, g.following)
}

// following calls f with what follows the given occurrences, sequence by sequence: each
// position with the number of matches that end before it, near enough.
func (g *grower) following(last []growth.Place, f func([]growth.Entry)) {
	g.entries = g.entries[:0]
	for i := 0; i < len(last); {
		k := i + 1
		for k < len(last) && last[k].From == last[i].From {
			k++
		}
		g.follow(last[i:k])
		if len(g.entries) >= growth.Chunk || k == len(last) {
			f(g.entries)
			g.entries = g.entries[:0]
		}
		i = k
	}
}

// follow appends what follows occurrences in one sequence.
func (g *grower) follow(last []growth.Place) {
	it, seq := g.it, last[0].From
	end, sample := it.Ends[seq].End, it.Ends[seq].Sample
	lo, hi, sum := 0, 0, 0.0 // last[lo:hi] end near enough before pos; sums are exact
	for pos := last[0].At + 1; pos < end; pos++ {
		for hi < len(last) && last[hi].At < pos {
			sum += last[hi].W
			hi++
		}
		for lo < hi && int(pos-last[lo].At)-1 > g.it.s.maxGap {
			sum -= last[lo].W
			lo++
		}
		if lo == hi {
			if hi == len(last) {
				return
			}
			pos = last[hi].At
			continue
		}
		g.entries = append(g.entries, growth.Entry{
			Num: it.Nums[pos], Sample: sample, Place: growth.Place{At: pos, From: seq, W: sum},
		})
	}
}
