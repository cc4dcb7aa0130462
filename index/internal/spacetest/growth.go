package spacetest

import (
	"math"
	"math/rand/v2"
	"testing"

	"github.com/google/go-cmp/cmp"

	"fstore/index"
)

// Growth checks the reports of Grow: with limits, in ranges, and with weights.
func (c *Case) Growth(t *testing.T) {
	table := c.table()
	r := rand.New(rand.NewPCG(3, uint64(len(table))))
	class, occ := make([]uint8, len(c.Trees)), make([]float64, len(c.Trees))
	for i := range c.Trees {
		class[i], occ[i] = uint8(r.IntN(3)), float64(r.IntN(9)-4)/4
	}
	tally := &index.Tally{}
	for id, tree := range c.Trees {
		c.Space.Tally(tree, c.Symbols, uint32(id), tally)
	}
	var cuts []index.Range
	lo := uint64(0)
	tally.Each(func(s index.Step, _, _ uint32) {
		if r.IntN(2) == 0 {
			cuts = append(cuts, index.Range{Lo: lo, Hi: s.Packed()})
			lo = s.Packed()
		}
	})
	cuts = append(cuts, index.Range{Lo: lo, Hi: math.MaxUint64})
	for _, l := range []index.Limits{
		{}, {MinSupport: 2}, {MinSupport: 2, MaxOrder: 2}, {MinSupport: 3, MaxOrder: 3}, {MaxOrder: 1}, {MinSupport: 2, MaxOrder: 3, NoSamples: true},
	} {
		for _, w := range []index.Weights{{}, {Class: class}, {Occ: occ}} {
			want := wanted(table, l, w, class, occ)
			got, whole := c.grow(t, everything, w, l, false)
			if d := cmp.Diff(want, got.rows); d != "" {
				t.Fatalf("%+v, %+v: (-want +got)\n%s", l, w, d)
			}
			for o, n := range c.candidates(table, l) {
				if o < len(whole.Candidates) && whole.Candidates[o]-whole.Below[o] != n {
					t.Fatalf("%+v, order %d: %d candidates, %d below, %d fragments", l, o, whole.Candidates[o], whole.Below[o], n)
				}
			}
			for _, restricted := range []bool{false, true} {
				got, counts := c.grow(t, cuts, w, l, restricted)
				if d := cmp.Diff(want, got.rows); d != "" {
					t.Fatalf("%+v, %+v in ranges (restricted %v): (-want +got)\n%s", l, w, restricted, d)
				}
				if d := cmp.Diff(whole, counts); d != "" {
					t.Fatalf("%+v in ranges (restricted %v): counts (-whole +parts)\n%s", l, restricted, d)
				}
			}
		}
	}
	c.checkCandidates(t, table)
	c.checkTally(t, table, tally)
}

// wanted returns the rows of the table that are within the limits, with their sums of weights.
func wanted(table map[string]row, l index.Limits, w index.Weights, class []uint8, occ []float64) map[string]row {
	want := map[string]row{}
	for f, x := range table {
		if x.Support < l.MinSupport || l.MaxOrder > 0 && x.Order > l.MaxOrder {
			continue
		}
		switch {
		case w.Class != nil:
			for _, s := range x.Samples {
				x.A += [...]float64{0, 1, 0}[class[s]]
				x.B += [...]float64{0, 0, 1}[class[s]]
			}
		case w.Occ != nil:
			for i, s := range x.Samples {
				x.A += max(0, occ[s]*float64(x.Count[i]))
				x.B += max(0, -occ[s]*float64(x.Count[i]))
			}
		}
		if l.NoSamples {
			x.Samples, x.Count, x.Places = nil, nil, nil
		}
		want[f] = x
	}
	return want
}

// candidates returns the number of fragments within limits, by order.
func (c *Case) candidates(table map[string]row, l index.Limits) map[int]uint64 {
	n := map[int]uint64{}
	for _, x := range table {
		if x.Support >= l.MinSupport {
			n[x.Order]++
		}
	}
	return n
}

// checkCandidates checks the numbers of candidates (see index.Counts).
func (c *Case) checkCandidates(t *testing.T, table map[string]row) {
	all, _ := c.grow(t, everything, index.Weights{}, index.Limits{}, false)
	support := map[string]uint32{}
	for _, code := range all.codes {
		support[string(code)] = table[string(c.Space.AppendText(nil, code, c.Symbols))].Support
	}
	const least = 2
	var want index.Counts
	for _, code := range all.codes {
		var parent index.Code
		for c := range prefixes(code) {
			parent = c
		}
		if len(parent) > 0 && support[string(parent)] < least {
			continue
		}
		below := uint64(0)
		if support[string(code)] < least {
			below = 1
		}
		want.Count(code.Len(), 1, below)
	}
	_, got := c.grow(t, everything, index.Weights{}, index.Limits{MinSupport: least}, false)
	if d := cmp.Diff(want, got); d != "" {
		t.Fatalf("candidates: (-want +got)\n%s", d)
	}
}

func (c *Case) checkTally(t *testing.T, table map[string]row, tally *index.Tally) {
	first := 0
	tally.Each(func(s index.Step, occ, support uint32) {
		first++
		text := string(c.Space.AppendText(nil, index.AppendStep(nil, s), c.Symbols))
		if x := table[text]; x.Occ != occ || x.Support != support {
			t.Fatalf("%s is tallied %d times in %d samples: %+v", text, occ, support, x)
		}
	})
	for _, x := range table {
		if x.Order == 1 {
			first--
		}
	}
	if first != 0 {
		t.Fatalf("%d first steps too many", first)
	}
}
