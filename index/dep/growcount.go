package dep

import (
	"math"
	"slices"

	"fstore/index"
	"fstore/index/internal/growth"
)

// level has the data of one pattern, kept while its extensions grow.
type level struct {
	occ     occurrences
	st      stream
	entries []uint32           // indices in st, group by group
	groups  []growth.Extension // the extensions to grow, each with its part of entries
	batch   index.Batch
}

type grower struct {
	extender
	growth.Slots
	it     *Items
	code   []byte
	levels growth.Levels[level]
	reach  *reaches // nil unless values are weighed

	counted []bool  // index.Weights.Among: which samples count
	among   []int32 // scratch of arcsWith

	most []float64 // beside Samples, if values are weighed: Most of embeddings with value 1
}

// count1 counts the features of one segment, and adds the frequent features to the batch.
func (g *grower) count1(lv *level, seg *segment, b *index.Batch) (err error) {
	g.tally(&lv.st, seg)
	entries := len(lv.entries)
	if lv.groups, entries, err = g.Lay(b, seg.off, g.f.syms, lv.groups, entries); err != nil {
		for _, f := range g.Seen {
			if often, ok := err.(*index.OccurrenceError); ok && g.Slots.Slots[f].Occ > math.MaxUint32 {
				often.Sample = g.mostOften(&lv.st, seg, f) + 1
				break
			}
		}
		return err
	}
	if len(g.Seen) == 0 {
		return nil
	}
	if g.reach != nil {
		g.most = slices.Grow(g.most[:0], len(g.Samples))[:len(g.Samples)]
	}
	lv.entries = slices.Grow(lv.entries, entries-len(lv.entries))[:entries]
	g.place(lv, seg)
	g.Clear(b, func(from, to int) { g.weigh(b, from, to) })
	return nil
}

// mostOften returns the sample in which the segment's arcs have feature n most often.
func (g *grower) mostOften(st *stream, seg *segment, n uint32) uint32 {
	which := g.s.kindOf(seg.off)
	return growth.MostOften(func(add func(uint32, float64)) {
		for i := seg.from; i < seg.to && st.w != nil; i++ {
			if a := st.arc[i]; slices.Contains(g.f.symbolsOf(a, which), n) {
				add(g.f.arcs[a].sample, st.w[i])
			}
		}
	})
}

// tally counts the arcs of a segment by feature, in g.Slots.
func (g *grower) tally(st *stream, seg *segment) {
	slots, which := g.Slots.Slots, g.s.kindOf(seg.off)
	for i := seg.from; i < seg.to; i++ {
		a := st.arc[i]
		w := 1.0
		if st.w != nil {
			w = st.w[i]
		}
		sample := g.f.arcs[a].sample + 1
		for _, f := range g.f.symbolsOf(a, which) {
			if !g.f.allowed(st, seg, i, f) {
				continue
			}
			sl := &slots[f]
			if sl.N == 0 {
				g.Seen = append(g.Seen, f)
				*sl = growth.Slot{Occ: w, N: 1, Support: 1, Last: sample}
				continue
			}
			sl.N++
			sl.Occ += w
			if sl.Last != sample {
				sl.Last = sample
				sl.Support++
			}
		}
	}
}

// place fills lv.entries and g.Samples for the frequent features.
func (g *grower) place(lv *level, seg *segment) {
	st, slots, which := &lv.st, g.Slots.Slots, g.s.kindOf(seg.off)
	samples, leaf := g.WantsSamples(), g.Leaf
	depth, words := g.s.pathAfter(seg.off)-1, g.s.reachWords(which, false)
	for i := seg.from; i < seg.to; i++ {
		a := st.arc[i]
		w := uint32(1)
		if st.w != nil {
			w = uint32(st.w[i])
		}
		sample := g.f.arcs[a].sample
		most := 0.0
		if g.reach != nil {
			most = float64(float64(w) * g.reach.bound(g.f, a, depth, words))
		}
		for _, f := range g.f.symbolsOf(a, which) {
			sl := &slots[f]
			if sl.N == 0 || !g.f.allowed(st, seg, i, f) {
				continue
			}
			if !leaf {
				lv.entries[sl.Place] = uint32(i)
				sl.Place++
			}
			if !samples {
				continue
			}
			if sl.Last != sample+1 {
				sl.Last, sl.Root = sample+1, uint32(a)
				g.Samples[sl.Sample], g.Counts[sl.Sample], g.Places[sl.Sample] = sample, w, 1
				if g.reach != nil {
					g.most[sl.Sample] = most
				}
				sl.Sample++
				continue
			}
			g.Counts[sl.Sample-1] += w
			if g.f.differentRoots(a, int32(sl.Root), depth) {
				g.Places[sl.Sample-1]++
			}
			sl.Root = uint32(a)
			if g.reach != nil {
				g.most[sl.Sample-1] += most
			}
		}
	}
}

// differentRoots says whether the embeddings with the last arcs a and b have different roots.
func (f *forest) differentRoots(a, b int32, depth int) bool {
	for ; depth > 0 && a != b; depth-- {
		a, b = f.arcs[a].up, f.arcs[b].up
	}
	return f.arcs[a].begin != f.arcs[b].begin
}

// weigh appends to b the sums over g.Samples[from:to] that g.Weights asks for.
func (g *grower) weigh(b *index.Batch, from, to int) {
	if g.Weights.Class == nil && g.Weights.Occ == nil {
		return
	}
	pos, neg := g.Weights.Sum(g.Samples[from:to], g.Counts[from:to])
	if g.reach != nil {
		value := index.Value(g.s, b.Order, index.Match{Count: 1}, g.Weights.Lambda)
		above, below := g.Weights.SumValues(g.Samples[from:to], g.most[from:to])
		b.Most = append(b.Most, float64(value*max(above, below)))
		pos, neg = float64(value*pos), float64(value*neg)
	}
	b.A, b.B = append(b.A, pos), append(b.B, neg)
}
