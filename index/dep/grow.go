package dep

import (
	"fstore/index"
	"fstore/index/internal/growth"
)

// Growth is depth first (index/README.md, "Growth"). A stream has the arcs that can extend a pattern. The
// first pass over a stream counts the features in a dense table. The second pass writes the entries and
// samples of the frequent features.

// Additive implements index.Additive. Spaces without order are not additive, because maxRows is one limit for
// all samples.
func (s *Space) Additive() bool { return !s.unordered }

// Grow implements index.Items.
func (it *Items) Grow(r index.Range, w index.Weights, l index.Limits, v index.Visitor) (index.Counts, error) {
	g, _ := it.growers.Get().(*grower)
	if g == nil {
		g = &grower{it: it}
		g.s, g.f = it.s, &it.forest
	}
	if len(g.Slots.Slots) < len(it.syms) {
		g.Slots.Slots = make([]growth.Slot, len(it.syms))
	}
	g.Begin(w, l)
	g.Visitor, g.reach, g.counted = v, nil, w.Among
	if w.Lambda != 0 {
		g.reach = it.reachesOf(w.Lambda)
	}
	g.steps, g.code = g.steps[:0], g.code[:0]
	err := g.roots(r)
	counts := g.Total // after Put another goroutine may use g
	if err == nil {
		it.growers.Put(g)
	}
	return counts, err
}

// roots visits the first steps in r and grows those that the visitor wants.
func (g *grower) roots(r index.Range) error {
	lv := g.levels.At(0)
	lv.groups = lv.groups[:0]
	b := g.start(lv, nil, 1)
	var seen, below uint64
	for off, sym := range g.s.firstSteps(r, len(g.it.numberOf)) {
		g.takeFirst(&lv.occ, g.arcsWith(sym), g.s.rightOf(off))
		arcs := lv.occ.arc
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
		step := index.Step{Off: off, Sym: sym}
		lv.groups = append(lv.groups, growth.Extension{Step: step})
		g.Step(b, step)
	}
	g.Total.Count(1, seen, below)
	if b.Len() == 0 {
		return nil
	}
	if err := g.Visit(b); err != nil {
		return err
	}
	if g.Limits.MaxOrder == 1 {
		return nil
	}
	for i := range lv.groups {
		if !b.Descend[i] {
			continue
		}
		gr := &lv.groups[i]
		g.takeFirst(&g.levels.At(1).occ, g.arcsWith(gr.Step.Sym), g.s.rightOf(gr.Step.Off))
		if err := g.descend(1, gr); err != nil {
			return err
		}
	}
	return nil
}

// arcsWith returns the arcs with a feature, in the samples of g.counted.
func (g *grower) arcsWith(sym uint32) []int32 {
	all := g.it.arcsWith(sym)
	if g.counted == nil {
		return all
	}
	g.among = g.among[:0]
	for _, a := range all {
		if g.counted[g.f.arcs[a].sample] {
			g.among = append(g.among, a)
		}
	}
	return g.among
}

// firstStep adds a first step to the batch, with its samples. The step occurs at the given arcs. If the
// samples are too few, firstStep adds nothing and returns false.
func (g *grower) firstStep(b *index.Batch, arcs []int32) bool {
	from := len(g.Samples)
	for i, a := range arcs {
		s := g.f.arcs[a].sample
		if n := len(g.Samples); n == from || g.Samples[n-1] != s {
			g.Samples, g.Counts, g.most = append(g.Samples, s), append(g.Counts, 0), append(g.most, 0)
			g.Places = append(g.Places, 1)
		} else if g.f.differentRoots(a, arcs[i-1], 0) {
			g.Places[n-1]++
		}
		n := len(g.Samples) - 1
		g.Counts[n]++
		if g.reach != nil {
			g.most[n] += g.reach.bound(g.f, a, 0, g.s.reachWords(anArc, true))
		}
	}
	support := uint32(len(g.Samples) - from)
	if support < g.Limits.MinSupport {
		g.Samples, g.Counts, g.most, g.Places = g.Samples[:from], g.Counts[:from], g.most[:from], g.Places[:from]
		return false
	}
	b.Support, b.Occ = append(b.Support, support), append(b.Occ, uint32(len(arcs)))
	g.weigh(b, from, len(g.Samples))
	if g.Limits.NoSamples {
		g.Samples, g.Counts, g.most, g.Places = g.Samples[:0], g.Counts[:0], g.most[:0], g.Places[:0]
	} else {
		b.SampleEnd = append(b.SampleEnd, uint32(len(g.Samples)))
	}
	return true
}

// descend adds the step of gr to the current pattern and grows the result, whose occurrences are in level n.
func (g *grower) descend(n int, gr *growth.Extension) error {
	length := len(g.code)
	g.code = index.AppendStep(g.code, gr.Step)
	g.steps = append(g.steps, gr.Step)
	err := g.grow(n)
	g.steps, g.code = g.steps[:n-1], g.code[:length]
	return err
}

// grow extends the pattern of n steps, whose occurrences are in level n.
func (g *grower) grow(n int) error {
	lv := g.levels.At(n)
	leaf := g.Limits.MaxOrder > 0 && n+1 >= g.Limits.MaxOrder
	g.Leaf, g.leaf = leaf, leaf
	if err := g.extend(&lv.occ, &lv.st, n); err != nil {
		return err
	}
	b := g.start(lv, g.code, n+1)
	lv.groups, lv.entries = lv.groups[:0], lv.entries[:0]
	for i := range lv.st.segments {
		if err := g.count1(lv, &lv.st.segments[i], b); err != nil {
			return err
		}
	}
	if b.Len() == 0 {
		return nil
	}
	if err := g.Visit(b); err != nil || leaf {
		return err
	}
	for i := range lv.groups {
		if !b.Descend[i] {
			continue
		}
		gr := &lv.groups[i]
		next := &g.levels.At(n + 1).occ
		if err := g.take(next, &lv.occ, &lv.st, lv.entries[gr.From:gr.To], gr.Step.Off); err != nil {
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

func (g *grower) start(lv *level, parent index.Code, order int) *index.Batch {
	g.most = g.most[:0]
	g.Start(&lv.batch, parent, order)
	return &lv.batch
}
