package seq

import (
	"fstore/index"
	"fstore/index/internal/growth"
)

// grower grows fragments as PrefixSpan does (SI05 §4): what follows the occurrences of a
// pattern is counted by symbol. An occurrence has the number of matches that end at its
// position: two matches that end at one position go on alike, whatever lies before.
//
// Where values are weighed, the matches have their value beside their number.
type grower struct {
	it      *Items
	entries []growth.Entry
	reach   []float64 // where values are weighed, see Items.reaches
	power   []float64 // of λ
}

// Additive implements index.Additive.
func (*Space) Additive() bool { return true }

// Grow implements index.Space.
func (s *Space) Grow(items index.Items, r index.Range, w index.Weights, l index.Limits, v index.Visitor) (index.Counts, error) {
	it := items.(*Items)
	l.MaxOrder = s.limit(l.MaxOrder)
	g := &grower{it: it}
	if w.Lambda != 0 && len(it.Nums) > 0 {
		g.reach, g.power = it.reaches(w.Lambda, max(l.MaxOrder-1, 0)), []float64{1, w.Lambda}
	}
	return it.Rows.Grow(r, w, l, v, g.following, g.reach)
}

// following calls f with what follows the given occurrences, sequence by sequence: each
// position with the number of matches that end before it, near enough.
func (g *grower) following(last []growth.Place, values []float64, f func([]growth.Entry)) {
	g.entries = g.entries[:0]
	for i := 0; i < len(last); {
		k := i + 1
		for k < len(last) && last[k].From == last[i].From {
			k++
		}
		if values == nil {
			g.follow(last[i:k], nil)
		} else {
			g.follow(last[i:k], values[i:k])
		}
		if len(g.entries) >= growth.Chunk || k == len(last) {
			f(g.entries)
			g.entries = g.entries[:0]
		}
		i = k
	}
}

// follow appends what follows occurrences in one sequence.
func (g *grower) follow(last []growth.Place, values []float64) {
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
		e := growth.Entry{Num: it.Nums[pos], Sample: sample, Place: growth.Place{At: pos, From: seq, W: sum}}
		if values != nil {
			e.Value = g.valueAt(last[lo:hi], values[lo:hi], pos)
			e.Most = float64(e.Value * g.reach[pos])
		}
		g.entries = append(g.entries, e)
	}
}

// valueAt is the value of the matches that go on at a position.
func (g *grower) valueAt(last []growth.Place, values []float64, pos uint32) (sum float64) {
	for i, p := range last {
		skipped := int(pos-p.At) - 1
		for len(g.power) <= skipped {
			g.power = append(g.power, g.power[len(g.power)-1]*g.power[1])
		}
		sum += float64(values[i] * g.power[skipped])
	}
	return sum
}
