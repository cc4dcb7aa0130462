package ptk

import (
	"math"
	"slices"

	"fstore/index"
)

// Growth is depth first: what can extend a pattern is laid out as a stream of nodes;
// their labels are counted in dense slots, one a label; the survivors get places, sorted
// by label, and a second pass over the stream fills them. At the last order only samples
// are placed.

// slot counts one label while a segment is read. 32 bytes: half a cache line.
type slot struct {
	occ     float64 // matches
	n       uint32  // entries; 0: free, or not frequent in the second pass
	support uint32
	last    uint32 // the last sample seen, plus 1
	entry   uint32 // where the next entry goes
	sample  uint32 // where the next sample goes
}

// group is the entries of one extension: entries[from:to] of its level.
type group struct {
	step     index.Step
	from, to uint32
}

// level is what one order of growth keeps while its extensions grow.
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
	r      index.Range
	w      index.Weights
	l      index.Limits
	v      index.Visitor
	code   []byte
	levels []*level
	slots  []slot
	seen   []uint32 // numbers of the labels counted
	keys   []uint64 // of the survivors: label<<32 | number
	counts index.Counts

	// What a batch holds for its visitor only, shared by all levels.
	samples, count, sampleEnd, suffixEnd, support, occ []uint32
	suffix                                             []byte
}

// Grow implements index.Space.
func (s *Space) Grow(items index.Items, r index.Range, w index.Weights, l index.Limits, v index.Visitor) (index.Counts, error) {
	it := items.(*Items)
	l.MinSupport = max(l.MinSupport, 1)
	g, _ := it.growers.Get().(*grower)
	if g == nil {
		g = &grower{extender: extender{f: &it.forest}, it: it}
	}
	if len(g.slots) < len(it.labels) {
		g.slots = make([]slot, len(it.labels))
	}
	g.r, g.w, g.l, g.v = r, w, l, v
	g.code, g.counts = g.code[:0], index.Counts{}
	var err error
	if r.Hi2 != 0 {
		err = g.descend(1, index.Unpack(r.Lo), nil)
	} else {
		err = g.roots()
	}
	if err == nil {
		it.growers.Put(g)
	}
	return g.counts, err
}

// roots visits the first steps in the range and grows each.
func (g *grower) roots() error {
	lv := g.level(0)
	lv.groups = lv.groups[:0]
	b := g.startBatch(lv, 1)
	var seen, below uint64
	for label := g.r.Lo; label < min(g.r.Hi, uint64(len(g.it.numberOf))); label++ {
		nodes := g.it.nodesWith(uint32(label))
		if len(nodes) == 0 {
			continue
		}
		seen++
		if !g.firstStep(b, nodes) {
			below++
			continue
		}
		step := index.Step{Sym: uint32(label)}
		lv.groups = append(lv.groups, group{step: step})
		g.endSuffix(b, step)
	}
	g.counts.Count(1, seen, below)
	if b.Len() == 0 {
		return nil
	}
	if err := g.visit(b); err != nil || g.l.MaxOrder == 1 {
		return err
	}
	for i := range lv.groups {
		if !b.Descend[i] {
			continue
		}
		if err := g.descend(1, lv.groups[i].step, nil); err != nil {
			return err
		}
	}
	return nil
}

// firstStep adds the samples of a first step to the batch, where they are enough.
func (g *grower) firstStep(b *index.Batch, nodes []int32) bool {
	from := len(g.samples)
	for _, n := range nodes {
		s := g.f.nodes[n].sample
		if k := len(g.samples); k > from && g.samples[k-1] == s {
			g.count[k-1]++
			continue
		}
		g.samples, g.count = append(g.samples, s), append(g.count, 1)
	}
	support := uint32(len(g.samples) - from)
	if support < g.l.MinSupport {
		g.samples, g.count = g.samples[:from], g.count[:from]
		return false
	}
	b.Support, b.Occ = append(b.Support, support), append(b.Occ, uint32(len(nodes)))
	g.weigh(b, from, len(g.samples))
	b.SampleEnd = append(b.SampleEnd, uint32(len(g.samples)))
	g.dropSamples(b)
	return true
}

// descend grows the extension by a step of the present pattern, to n nodes: a first step,
// or the given entries of the level before.
func (g *grower) descend(n int, step index.Step, entries []uint32) error {
	o := &g.level(n).occ
	if n == 1 {
		g.first(o, g.it.nodesWith(step.Sym))
	} else {
		g.take(o, &g.level(n-1).st, entries)
	}
	length := len(g.code)
	g.code = index.AppendStep(g.code, step)
	err := g.grow(n, int(step.Off))
	g.code = g.code[:length]
	return err
}

// grow extends the pattern of n nodes, the last of them at depth last, whose occurrences
// are in level n.
func (g *grower) grow(n, last int) error {
	lv := g.level(n)
	g.extend(&lv.occ, &lv.st, last, 1, last+1)
	if n == 1 && g.r.Hi2 != 0 {
		g.keepRange(&lv.st)
	}
	b := g.startBatch(lv, n+1)
	b.Parent = g.code
	lv.groups, lv.entries = lv.groups[:0], lv.entries[:0]
	leaf := g.l.MaxOrder > 0 && n+1 >= g.l.MaxOrder
	var seen, below uint64
	for i := range lv.st.segments {
		s, k, err := g.segment(lv, &lv.st.segments[i], b, leaf)
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
		if err := g.descend(n+1, gr.step, lv.entries[gr.from:gr.to]); err != nil {
			return err
		}
	}
	return nil
}

// keepRange leaves of the second steps, which are one segment, those in the range.
func (g *grower) keepRange(st *stream) {
	k := 0
	for i, n := range st.node {
		s := secondStep(g.f.labels[g.f.nodes[n].label])
		if g.r.Lo2 <= s && s < g.r.Hi2 {
			st.node[k], st.count[k] = n, st.count[i]
			k++
		}
	}
	st.node, st.count = st.node[:k], st.count[:k]
	for i := range st.segments {
		st.segments[i].to = k
	}
}

// segment counts the labels of one segment and adds those that are frequent to the batch
// and, but for leaves, to the groups. It returns the labels seen and those kept.
func (g *grower) segment(lv *level, seg *segment, b *index.Batch, leaf bool) (seen, kept int, err error) {
	g.tally(&lv.st, seg)
	g.keys = g.keys[:0]
	for _, f := range g.seen {
		if g.slots[f].support >= g.l.MinSupport {
			g.keys = append(g.keys, uint64(g.f.labels[f])<<32|uint64(f))
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
			return 0, 0, &index.OccurrenceError{Order: b.Order, Limit: math.MaxUint32}
		}
		step := index.Step{Off: seg.depth, Sym: uint32(key >> 32)}
		b.Support, b.Occ = append(b.Support, sl.support), append(b.Occ, uint32(sl.occ))
		g.endSuffix(b, step)
		sl.last, sl.entry, sl.sample = 0, entries, samples
		lv.groups = append(lv.groups, group{step, entries, entries + sl.n})
		samples += sl.support
		b.SampleEnd = append(b.SampleEnd, samples)
		entries += sl.n
	}
	withSamples := !g.l.NoSamples || g.w.Class != nil || g.w.Occ != nil
	if withSamples {
		g.samples = slices.Grow(g.samples, int(samples)-from)[:samples]
		g.count = slices.Grow(g.count, int(samples)-from)[:samples]
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
			g.weigh(b, at, at+int(sl.support))
			at += int(sl.support)
		}
	}
	g.dropSamples(b)
	return len(g.seen), len(g.keys), nil
}

// tally counts the labels of a segment in the slots.
func (g *grower) tally(st *stream, seg *segment) {
	g.seen = g.seen[:0]
	slots := g.slots
	for i := seg.from; i < seg.to; i++ {
		n := &g.f.nodes[st.node[i]]
		sl, sample := &slots[n.label], n.sample+1
		if sl.n == 0 {
			g.seen = append(g.seen, n.label)
			*sl = slot{occ: st.count[i], n: 1, support: 1, last: sample}
			continue
		}
		sl.n++
		sl.occ += st.count[i]
		if sl.last != sample {
			sl.last = sample
			sl.support++
		}
	}
}

// place puts the entries and the samples of the frequent labels where their slots say.
func (g *grower) place(lv *level, seg *segment, samples, leaf bool) {
	st, slots := &lv.st, g.slots
	for i := seg.from; i < seg.to; i++ {
		n := &g.f.nodes[st.node[i]]
		sl := &slots[n.label]
		if sl.n == 0 {
			continue
		}
		if !leaf {
			lv.entries[sl.entry] = uint32(i)
			sl.entry++
		}
		if !samples {
			continue
		}
		count := uint32(st.count[i])
		if sl.last != n.sample+1 {
			sl.last = n.sample + 1
			g.samples[sl.sample], g.count[sl.sample] = n.sample, count
			sl.sample++
			continue
		}
		g.count[sl.sample-1] += count
	}
}

// weigh sums the weights of g.samples[from:to] by sign, where there are weights.
func (g *grower) weigh(b *index.Batch, from, to int) {
	if g.w.Class == nil && g.w.Occ == nil {
		return
	}
	pos, neg := 0.0, 0.0
	for i := from; i < to; i++ {
		s := g.samples[i]
		if g.w.Occ != nil {
			if x := float64(g.w.Occ[s] * float64(g.count[i])); x > 0 {
				pos += x
			} else {
				neg -= x
			}
			continue
		}
		switch g.w.Class[s] {
		case 1:
			pos++
		case 2:
			neg++
		}
	}
	b.A, b.B = append(b.A, pos), append(b.B, neg)
}

// dropSamples takes the samples out again where nobody wants them.
func (g *grower) dropSamples(b *index.Batch) {
	if g.l.NoSamples {
		g.samples, g.count, b.SampleEnd = g.samples[:0], g.count[:0], b.SampleEnd[:0]
	}
}

// endSuffix appends the step of one more extension.
func (g *grower) endSuffix(b *index.Batch, step index.Step) {
	g.suffix = index.AppendStep(g.suffix, step)
	b.SuffixEnd = append(b.SuffixEnd, uint32(len(g.suffix)))
}

// startBatch empties the batch of lv; what only its visitor reads lies in memory that all
// levels share.
func (g *grower) startBatch(lv *level, order int) *index.Batch {
	b := &lv.batch
	g.suffix, g.samples, g.count = g.suffix[:0], g.samples[:0], g.count[:0]
	*b = index.Batch{
		Order: order, SuffixEnd: g.suffixEnd[:0], Support: g.support[:0], Occ: g.occ[:0],
		SampleEnd: g.sampleEnd[:0], A: b.A[:0], B: b.B[:0], Descend: b.Descend[:0],
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
