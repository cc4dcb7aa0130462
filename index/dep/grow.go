package dep

import (
	"math"
	"slices"

	"fstore/index"
)

// Growth is depth first (index/README.md, "Growth"): what can extend a pattern is laid out
// as a stream of arcs; the features of these arcs are counted in dense slots, one a
// feature; the survivors get places, sorted by symbol, and a second pass over the
// stream fills them. At the last order only samples are placed.

// slot counts one feature while a segment is read. 32 bytes: half a cache line.
type slot struct {
	occ     float64 // embeddings
	n       uint32  // entries; 0: free, or not frequent in the second pass
	support uint32
	last    uint32 // the last sample seen, plus 1
	entry   uint32 // where the next entry goes
	sample  uint32 // where the last sample stands, plus 1
}

// group is the entries of one extension: entries[from:to] of its level.
type group struct {
	off, sym uint32
	from, to uint32
}

// level is what one depth of growth keeps while its children grow.
type level struct {
	occ     occurrences
	st      stream
	entries []uint32 // positions in st, group by group
	groups  []group
	batch   index.Batch
}

type grower struct {
	extender
	it     *Items
	w      index.Weights
	l      index.Limits
	v      index.Visitor
	code   []byte
	levels []*level
	slots  []slot
	seen   []uint32 // features counted
	keys   []uint64 // of the survivors: symbol<<32 | feature
	counts index.Counts
	reach  *reaches // where values are weighed

	// What a batch holds for its visitor only, shared by all levels.
	samples, count, sampleEnd, suffixEnd, support, occ []uint32
	suffix                                             []byte
	most                                               []float64 // beside samples, where values are weighed: λ is left out
}

// Additive implements index.Additive. Without order a pattern's embeddings are bounded
// (maxRows) over all samples, not over those of a part.
func (s *Space) Additive() bool { return !s.unordered }

// Grow implements index.Space.
func (s *Space) Grow(items index.Items, r index.Range, w index.Weights, l index.Limits, v index.Visitor) (index.Counts, error) {
	it := items.(*Items)
	l.MinSupport = max(l.MinSupport, 1)
	g, _ := it.growers.Get().(*grower)
	if g == nil {
		g = &grower{it: it}
		g.s, g.f = s, &it.forest
	}
	if len(g.slots) < len(it.syms) {
		g.slots = make([]slot, len(it.syms))
	}
	g.w, g.l, g.v, g.reach = w, l, v, nil
	if w.Lambda != 0 {
		g.reach = it.reachesOf(w.Lambda)
	}
	g.pat.reset()
	g.code, g.counts = g.code[:0], index.Counts{}
	err := g.roots(r)
	counts := g.counts // another goroutine may have g after Put
	if err == nil {
		it.growers.Put(g)
	}
	return counts, err
}

// roots visits the first steps in r and grows each.
func (g *grower) roots(r index.Range) error {
	lv := g.level(0)
	lv.groups = lv.groups[:0]
	b := g.startBatch(lv, 1)
	var seen, below uint64
	for _, right := range [2]bool{false, true} {
		if right && g.s.rule != side {
			break
		}
		off := g.s.offOf(0, right)
		lo, hi := max(r.Lo, index.Step{Off: off, Sym: 1}.Packed()), min(r.Hi, index.Step{Off: off + 1}.Packed())
		if hi <= lo {
			continue
		}
		for sym := uint32(lo); sym <= uint32(hi-1) && int(sym) < len(g.it.numberOf); sym++ {
			arcs := g.it.arcsWith(sym)
			if len(arcs) == 0 {
				continue
			}
			g.first(&lv.occ, arcs, right)
			arcs = lv.occ.arc
			if g.s.unordered {
				arcs = lv.occ.rows
			}
			if len(arcs) == 0 {
				continue
			}
			seen++
			if !g.firstStep(b, arcs) {
				below++
				continue
			}
			lv.groups = append(lv.groups, group{off: off, sym: sym})
			g.endSuffix(b, off, sym)
		}
	}
	g.counts.Count(1, seen, below)
	if b.Len() == 0 {
		return nil
	}
	if err := g.visit(b); err != nil {
		return err
	}
	if g.l.MaxOrder == 1 {
		return nil
	}
	for i := range lv.groups {
		if !b.Descend[i] {
			continue
		}
		gr := &lv.groups[i]
		g.first(&g.level(1).occ, g.it.arcsWith(gr.sym), gr.off != 0)
		if err := g.descend(1, gr); err != nil {
			return err
		}
	}
	return nil
}

// firstStep adds the samples of a first step to the batch, where they are enough.
func (g *grower) firstStep(b *index.Batch, arcs []int32) bool {
	from := len(g.samples)
	for _, a := range arcs {
		s := g.f.arcs[a].sample
		if n := len(g.samples); n == from || g.samples[n-1] != s {
			g.samples, g.count, g.most = append(g.samples, s), append(g.count, 0), append(g.most, 0)
		}
		n := len(g.samples) - 1
		g.count[n]++
		if g.reach != nil {
			g.most[n] += g.reach.most(g.f, a, 0)
		}
	}
	support := uint32(len(g.samples) - from)
	if support < g.l.MinSupport {
		g.samples, g.count, g.most = g.samples[:from], g.count[:from], g.most[:from]
		return false
	}
	b.Support, b.Occ = append(b.Support, support), append(b.Occ, uint32(len(arcs)))
	g.weigh(b, from)
	if g.l.NoSamples {
		g.samples, g.count, g.most = g.samples[:0], g.count[:0], g.most[:0]
	} else {
		b.SampleEnd = append(b.SampleEnd, uint32(len(g.samples)))
	}
	return true
}

// descend grows the pattern that gr adds to the present one; level n has its
// occurrences.
func (g *grower) descend(n int, gr *group) error {
	length := len(g.code)
	g.code = index.AppendStep(g.code, index.Step{Off: gr.off, Sym: gr.sym})
	g.pat.push(int(g.s.depthOf(gr.off)), g.s.rule == side && gr.off&1 == 1, gr.sym)
	err := g.grow(n)
	g.pat.pop()
	g.code = g.code[:length]
	return err
}

// grow extends the pattern of n arcs, whose occurrences are in level n.
func (g *grower) grow(n int) error {
	lv := g.level(n)
	leaf := g.l.MaxOrder > 0 && n+1 >= g.l.MaxOrder
	g.countOnly = leaf
	if err := g.extend(&lv.occ, &lv.st, n); err != nil {
		return err
	}
	b := g.startBatch(lv, n+1)
	b.Parent = g.code
	lv.groups, lv.entries = lv.groups[:0], lv.entries[:0]
	var seen, below uint64
	for i := range lv.st.segments {
		s, k, err := g.count1(lv, &lv.st.segments[i], b, leaf)
		if err != nil {
			return err
		}
		seen, below = seen+uint64(s), below+uint64(s-k)
	}
	g.counts.Count(n+1, seen, below)
	if b.Len() == 0 {
		return nil
	}
	if err := g.visit(b); err != nil || leaf {
		return err
	}
	for i := range lv.groups {
		if !b.Descend[i] {
			continue
		}
		gr := &lv.groups[i]
		next := &g.level(n + 1).occ
		if err := g.take(next, &lv.occ, &lv.st, lv.entries[gr.from:gr.to]); err != nil {
			return err
		}
		rows := len(next.rows)
		g.held += rows
		if err := g.descend(n+1, gr); err != nil {
			return err
		}
		g.held -= rows
	}
	return nil
}

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
	from := len(g.samples)
	samples, entries := uint32(from), uint32(len(lv.entries))
	for _, key := range g.keys {
		sl := &g.slots[uint32(key)]
		if sl.occ > math.MaxUint32 {
			return 0, 0, &index.OccurrenceError{Order: len(g.pat.sym) + 1, Limit: math.MaxUint32, Sample: g.mostOften(&lv.st, seg, uint32(key)) + 1}
		}
		sym := uint32(key >> 32)
		b.Support, b.Occ = append(b.Support, sl.support), append(b.Occ, uint32(sl.occ))
		g.endSuffix(b, seg.off, sym)
		sl.last, sl.entry, sl.sample = 0, entries, samples
		lv.groups = append(lv.groups, group{seg.off, sym, entries, entries + sl.n})
		samples += sl.support
		b.SampleEnd = append(b.SampleEnd, samples)
		entries += sl.n
	}
	withSamples := !g.l.NoSamples || g.w.Class != nil || g.w.Occ != nil
	if withSamples {
		g.samples = slices.Grow(g.samples, int(samples)-from)[:samples]
		g.count = slices.Grow(g.count, int(samples)-from)[:samples]
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
		g.samples, g.count, b.SampleEnd = g.samples[:0], g.count[:0], b.SampleEnd[:0]
	}
	return len(g.seen), len(g.keys), nil
}

// mostOften returns the sample in which a segment has feature n most often.
func (g *grower) mostOften(st *stream, seg *segment, n uint32) uint32 {
	best, most := uint32(0), 0.0
	for i := seg.from; i < seg.to; {
		sample, times := g.f.arcs[st.arc[i]].sample, 0.0
		for ; i < seg.to && g.f.arcs[st.arc[i]].sample == sample; i++ {
			if st.w != nil && slices.Contains(g.f.featsOf(st.arc[i]), n) {
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
	slots := g.slots
	for i := seg.from; i < seg.to; i++ {
		a := st.arc[i]
		w := 1.0
		if st.w != nil {
			w = st.w[i]
		}
		sample := g.f.arcs[a].sample + 1
		for _, f := range g.f.featsOf(a) {
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
	st, slots := &lv.st, g.slots
	for i := seg.from; i < seg.to; i++ {
		a := st.arc[i]
		w := uint32(1)
		if st.w != nil {
			w = uint32(st.w[i])
		}
		sample := g.f.arcs[a].sample
		most := 0.0
		if g.reach != nil {
			most = float64(float64(w) * g.reach.most(g.f, a, int(g.s.depthOf(seg.off))))
		}
		for _, f := range g.f.featsOf(a) {
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
				sl.last = sample + 1
				g.samples[sl.sample], g.count[sl.sample] = sample, w
				if g.reach != nil {
					g.most[sl.sample] = most
				}
				sl.sample++
				continue
			}
			g.count[sl.sample-1] += w
			if g.reach != nil {
				g.most[sl.sample-1] += most
			}
		}
	}
}

// weigh sums the weights of the samples from the given one on.
func (g *grower) weigh(b *index.Batch, from int) { g.weighTo(b, from, len(g.samples)) }

// weighTo sums the weights of g.samples[from:to] by sign, where there are weights.
func (g *grower) weighTo(b *index.Batch, from, to int) {
	if g.w.Class == nil && g.w.Occ == nil {
		return
	}
	pos, neg := g.w.Sum(g.samples[from:to], g.count[from:to])
	if g.reach != nil {
		value := g.s.Value(b.Order, index.Match{Count: 1}, g.w.Lambda)
		above, below := g.w.SumValues(g.samples[from:to], g.most[from:to])
		b.Most = append(b.Most, float64(value*max(above, below)))
		pos, neg = float64(value*pos), float64(value*neg)
	}
	b.A, b.B = append(b.A, pos), append(b.B, neg)
}

// endSuffix appends the step of one more extension.
func (g *grower) endSuffix(b *index.Batch, off, sym uint32) {
	g.suffix = index.AppendStep(g.suffix, index.Step{Off: off, Sym: sym})
	b.SuffixEnd = append(b.SuffixEnd, uint32(len(g.suffix)))
}

// startBatch empties the batch of lv; what only its visitor reads lies in memory
// that all levels share.
func (g *grower) startBatch(lv *level, order int) *index.Batch {
	b := &lv.batch
	g.suffix, g.samples, g.count, g.most = g.suffix[:0], g.samples[:0], g.count[:0], g.most[:0]
	*b = index.Batch{
		Order: order, SuffixEnd: g.suffixEnd[:0], Support: g.support[:0], Occ: g.occ[:0],
		SampleEnd: g.sampleEnd[:0], A: b.A[:0], B: b.B[:0], Most: b.Most[:0], Descend: b.Descend[:0],
	}
	return b
}

// visit hands b over.
func (g *grower) visit(b *index.Batch) error {
	b.Suffix, b.Sample, b.Count = g.suffix, g.samples, g.count
	b.Descend = slices.Grow(b.Descend, b.Len())[:b.Len()]
	clear(b.Descend)
	err := g.v.Visit(b)
	g.suffixEnd, g.support, g.occ, g.sampleEnd = b.SuffixEnd, b.Support, b.Occ, b.SampleEnd
	return err
}

func (g *grower) level(n int) *level {
	for n >= len(g.levels) {
		g.levels = append(g.levels, new(level))
	}
	return g.levels[n]
}
