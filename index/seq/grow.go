package seq

import (
	"cmp"
	"slices"

	"fstore/index"
	"fstore/index/internal/growth"
)

// grower grows fragments as PrefixSpan does (SI05 §4): it counts, by symbol, the positions that follow the
// occurrences of a pattern. Matches that end at the same position are one occurrence.
type grower struct {
	it      *Items
	entries []growth.Entry
	reach   []float64 // set if growth sums values, see Items.reaches
	power   []float64 // powers of λ
}

// Additive implements index.Additive.
func (*Space) Additive() bool { return true }

// Grow implements index.Items.
func (it *Items) Grow(r index.Range, w index.Weights, l index.Limits, v index.Visitor) (index.Counts, error) {
	l.MaxOrder = it.s.limit(l.MaxOrder)
	g := &grower{it: it}
	if w.Lambda != 0 && len(it.Nums) > 0 {
		g.reach, g.power = it.reaches(w.Lambda, max(l.MaxOrder-1, 0)), []float64{1, w.Lambda}
	}
	places := growth.Ranks
	if it.s.maxGap < noMaxGap && !l.NoSamples {
		v, places = &placer{it: it, v: v}, growth.NoPlaces
	}
	return it.Rows.Grow(r, w, l, v, g.following, g.reach, places)
}

// placer is the visitor that sets Batch.Places if gaps are limited. Else the counter sets it.
type placer struct {
	it     *Items
	v      index.Visitor
	steps  []index.Step
	places []uint32
	ends   []bool // by position of the row: the symbols from the present one on match from there
}

// Visit implements index.Visitor.
func (p *placer) Visit(b *index.Batch) error {
	p.places = append(p.places[:0], b.Count...)
	for i := range b.Len() {
		if len(b.SampleEnd) == 0 {
			break
		}
		p.steps, _ = b.Parent.Steps(p.steps[:0])
		p.steps, _ = index.Code(b.SuffixOf(i)).Steps(p.steps)
		at := int(b.SampleEnd[i]) - len(b.SamplesOf(i))
		for k, sample := range b.SamplesOf(i) {
			if b.Count[at+k] > 1 {
				p.places[at+k] = p.starts(sample)
			}
		}
	}
	b.Places = p.places
	return p.v.Visit(b)
}

// starts returns the number of positions of a sample at which p.steps match.
func (p *placer) starts(sample uint32) (n uint32) {
	rows := p.it.Ends
	row, _ := slices.BinarySearchFunc(rows, sample, func(r growth.Row, s uint32) int { return cmp.Compare(r.Sample, s) })
	from := uint32(0)
	if row > 0 {
		from = rows[row-1].End
	}
	length := int(rows[row].End - from)
	p.ends = append(p.ends[:0], make([]bool, length)...)
	for k := len(p.steps) - 1; k >= 0; k-- {
		n = 0
		next := length // the nearest position to the right where the following symbols match
		for at := length - 1; at >= 0; at-- {
			goesOn := k == len(p.steps)-1 || next < length && next-at-1 <= p.it.s.maxGap
			if p.ends[at] {
				next = at
			}
			if p.ends[at] = goesOn && p.it.SymbolAt(from+uint32(at)) == p.steps[k].Sym; p.ends[at] {
				n++
			}
		}
	}
	return n
}

// following calls f with the positions at which occurrences can continue. All positions of a sequence are in
// one call.
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

// follow appends the positions that follow occurrences in one sequence.
func (g *grower) follow(last []growth.Place, values []float64) {
	it, seq := g.it, last[0].From
	end, sample := it.Ends[seq].End, it.Ends[seq].Sample
	lo, hi, sum := 0, 0, 0.0 // last[lo:hi] end near enough before pos; sum is exact
	for pos := last[0].At + 1; pos < end; pos++ {
		for hi < len(last) && last[hi].At < pos {
			sum += float64(last[hi].W)
			hi++
		}
		for lo < hi && int(pos-last[lo].At)-1 > g.it.s.maxGap {
			sum -= float64(last[lo].W)
			lo++
		}
		if lo == hi {
			if hi == len(last) {
				return
			}
			pos = last[hi].At
			continue
		}
		e := growth.Entry{Num: it.Nums[pos], Sample: sample, Place: growth.Place{At: pos, From: seq, Root: last[hi-1].Root}, W: sum}
		if values != nil {
			e.Value = g.valueAt(last[lo:hi], values[lo:hi], pos)
			e.Most = float64(e.Value * g.reach[pos])
		}
		g.entries = append(g.entries, e)
	}
}

// valueAt returns the value of the matches after they continue at position pos. Each match decays for every
// position that it skips.
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
