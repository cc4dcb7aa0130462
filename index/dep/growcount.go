package dep

import (
	"math"
	"slices"

	"fstore/index"
)

// count1 counts the features of one segment and adds those that are frequent to
// the batch and, but for leaves, to the groups. It returns the features seen and
// those kept.
func (g *grower) count1(lv *level, seg *segment, b *index.Batch, leaf bool) (seen, kept int, err error) {
	g.tally(&lv.st, seg)
	g.keys = g.keys[:0]
	for _, f := range g.seen {
		if g.slots[f].support >= g.l.MinSupport {
			g.keys = append(g.keys, uint64(g.f.syms[f])<<32|uint64(f))
		} else {
			g.slots[f].n = 0
		}
	}
	if len(g.keys) == 0 {
		return len(g.seen), 0, nil
	}
	slices.Sort(g.keys)
	from := len(g.Samples)
	samples, entries := uint32(from), uint32(len(lv.entries))
	for _, key := range g.keys {
		sl := &g.slots[uint32(key)]
		if sl.occ > math.MaxUint32 {
			return 0, 0, &index.OccurrenceError{Order: g.pat.len() + 1, Limit: math.MaxUint32, Sample: g.mostOften(&lv.st, seg, uint32(key)) + 1}
		}
		sym := uint32(key >> 32)
		b.Support, b.Occ = append(b.Support, sl.support), append(b.Occ, uint32(sl.occ))
		g.Step(b, index.Step{Off: seg.off, Sym: sym})
		sl.last, sl.entry, sl.sample = 0, entries, samples
		lv.groups = append(lv.groups, group{seg.off, sym, entries, entries + sl.n})
		samples += sl.support
		b.SampleEnd = append(b.SampleEnd, samples)
		entries += sl.n
	}
	withSamples := !g.l.NoSamples || g.w.Class != nil || g.w.Occ != nil
	if withSamples {
		g.Samples = slices.Grow(g.Samples, int(samples)-from)[:samples]
		g.Counts = slices.Grow(g.Counts, int(samples)-from)[:samples]
		g.Places = slices.Grow(g.Places, int(samples)-from)[:samples]
	}
	if g.reach != nil {
		g.most = slices.Grow(g.most[:0], int(samples))[:samples]
	}
	if !leaf {
		lv.entries = slices.Grow(lv.entries, int(entries)-len(lv.entries))[:entries]
	}
	g.place(lv, seg, withSamples, leaf)
	at := from
	for _, key := range g.keys {
		sl := &g.slots[uint32(key)]
		sl.n = 0
		if withSamples {
			g.weighTo(b, at, at+int(sl.support))
			at += int(sl.support)
		}
	}
	if g.l.NoSamples {
		g.Samples, g.Counts, g.Places, b.SampleEnd = g.Samples[:0], g.Counts[:0], g.Places[:0], b.SampleEnd[:0]
	}
	return len(g.seen), len(g.keys), nil
}

// mostOften returns the sample in which a segment has feature n most often.
func (g *grower) mostOften(st *stream, seg *segment, n uint32) uint32 {
	best, most, which := uint32(0), 0.0, g.s.which(seg.off)
	for i := seg.from; i < seg.to; {
		sample, times := g.f.arcs[st.arc[i]].sample, 0.0
		for ; i < seg.to && g.f.arcs[st.arc[i]].sample == sample; i++ {
			if st.w != nil && slices.Contains(g.f.symbolsOf(st.arc[i], which), n) {
				times += st.w[i]
			}
		}
		if times > most {
			best, most = sample, times
		}
	}
	return best
}

// tally counts the features of a segment in the slots.
func (g *grower) tally(st *stream, seg *segment) {
	g.seen = g.seen[:0]
	slots, which := g.slots, g.s.which(seg.off)
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
			if sl.n == 0 {
				g.seen = append(g.seen, f)
				*sl = slot{occ: w, n: 1, support: 1, last: sample}
				continue
			}
			sl.n++
			sl.occ += w
			if sl.last != sample {
				sl.last = sample
				sl.support++
			}
		}
	}
}

// place puts the entries and the samples of the frequent features where their
// slots say.
func (g *grower) place(lv *level, seg *segment, samples, leaf bool) {
	st, slots, which := &lv.st, g.slots, g.s.which(seg.off)
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
			most = float64(float64(w) * g.reach.most(g.f, a, depth, words))
		}
		for _, f := range g.f.symbolsOf(a, which) {
			sl := &slots[f]
			if sl.n == 0 || !g.f.allowed(st, seg, i, f) {
				continue
			}
			if !leaf {
				lv.entries[sl.entry] = uint32(i)
				sl.entry++
			}
			if !samples {
				continue
			}
			if sl.last != sample+1 {
				sl.last, sl.arc = sample+1, a
				g.Samples[sl.sample], g.Counts[sl.sample], g.Places[sl.sample] = sample, w, 1
				if g.reach != nil {
					g.most[sl.sample] = most
				}
				sl.sample++
				continue
			}
			g.Counts[sl.sample-1] += w
			if g.f.apart(a, sl.arc, depth) {
				g.Places[sl.sample-1]++
			}
			sl.arc = a
			if g.reach != nil {
				g.most[sl.sample-1] += most
			}
		}
	}
}

// apart says whether the roots of two embeddings differ whose last arcs are a and b, with heads
// at this depth. Roots ascend along a segment, as arcs do.
func (f *forest) apart(a, b int32, depth int) bool {
	for ; depth > 0 && a != b; depth-- {
		a, b = f.arcs[a].up, f.arcs[b].up
	}
	return f.arcs[a].begin != f.arcs[b].begin
}

// weigh sums the weights of the samples from the given one on.
func (g *grower) weigh(b *index.Batch, from int) { g.weighTo(b, from, len(g.Samples)) }

// weighTo sums the weights of g.Samples[from:to] by sign, where there are weights.
func (g *grower) weighTo(b *index.Batch, from, to int) {
	if g.w.Class == nil && g.w.Occ == nil {
		return
	}
	pos, neg := g.w.Sum(g.Samples[from:to], g.Counts[from:to])
	if g.reach != nil {
		value := index.Value(g.s, b.Order, index.Match{Count: 1}, g.w.Lambda)
		above, below := g.w.SumValues(g.Samples[from:to], g.most[from:to])
		b.Most = append(b.Most, float64(value*max(above, below)))
		pos, neg = float64(value*pos), float64(value*neg)
	}
	b.A, b.B = append(b.A, pos), append(b.B, neg)
}
