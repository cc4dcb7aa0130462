package dep

import (
	"slices"

	"fstore/index"
	"fstore/index/internal/growth"
)

// frequentPacks implements index.FrequentPacks. The mask of an arc has two bits: 1 for the candidate on side
// A and 2 for the candidate on side B.
type frequentPacks struct {
	*packView
	c        uint32
	maxOrder int
}

// Frequent implements index.Packs.
func (p *Packs) Frequent(sides []index.Sides, c uint32) index.FrequentPacks {
	of := func(pack uint32, mask uint64) uint64 { return sides[pack].Of(mask) }
	// Only features that more than c packs have on one side are kept, because no fragment is more frequent
	// than its features.
	slots := make([]packSlot, p.syms.Len(index.Features)+1)
	for i := range p.arcs {
		a := &p.arcs[i]
		if side := of(a.pack, a.mask); side != 0 {
			for _, f := range p.feats[a.feat:a.featEnd] {
				slots[f].add(a.pack, side)
			}
			for _, sym := range a.words {
				if sym != 0 {
					slots[sym].add(a.pack, side)
				}
			}
		}
	}
	v := p.view(of, func(sym uint32) bool { return slots[sym].packs.Most() > c })
	return &frequentPacks{v, c, p.maxOrder}
}

// packSlot counts the packs in which an extension occurs. The occurrences must come in the order of their
// packs.
type packSlot struct {
	last  uint32 // the last pack<<2, with the sides of it that have the extension
	n     uint32 // number of occurrences; 0: the slot is free; in group, where the next one goes, plus 1
	packs growth.Packs
}

// add counts an occurrence in a pack. The mask is 1 for an occurrence on side A, 2 for side B, 3 for both.
func (s *packSlot) add(pack uint32, mask uint64) {
	side := uint32(mask)
	if s.n == 0 {
		*s = packSlot{pack<<2 | side, 1, growth.BySide[side&3]}
		return
	}
	s.n++
	if s.last>>2 == pack {
		side &^= s.last
		s.last |= side
	} else {
		s.last = pack<<2 | side
	}
	s.packs += growth.BySide[side&3]
}

// packLevel is the state of growth at one depth, while the extensions of a pattern grow.
type packLevel struct {
	occ    []packOccurrence
	groups []growth.Extension // the frequent extensions, each with its part of occ
	batch  index.Batch
}

type packGrower struct {
	packExtender
	of *frequentPacks
	growth.Batches
	code   []byte
	st     []packOccurrence
	levels growth.Levels[packLevel]
	slots  []packSlot
	seen   []uint32
	keys   []uint64 // the frequent features: symbol<<32 | number
	counts index.Counts
}

// Grow implements index.FrequentPacks.
func (p *frequentPacks) Grow(r index.Range, visitor index.Visitor) (index.Counts, error) {
	g := &packGrower{packExtender: newPackExtender(p.packView), of: p, Batches: growth.Batches{Visitor: visitor}, slots: make([]packSlot, len(p.syms))}
	lv := g.levels.At(0)
	b := g.start(lv, 1)
	for off, number := range p.firstSteps(r) {
		g.st = g.takeFirst(g.st[:0], number, g.s.rightOf(off))
		slot := packSlot{}
		for _, o := range g.st {
			slot.add(o.pack, o.mask)
		}
		if slot.n == 0 {
			continue
		}
		below := uint64(0)
		if slot.packs.Most() <= p.c {
			below = 1
		} else {
			step := index.Step{Off: off, Sym: p.syms[number]}
			g.Packs(b, step, slot.packs)
			lv.groups = append(lv.groups, growth.Extension{Step: step})
		}
		g.counts.Count(1, 1, below)
	}
	if b.Len() == 0 {
		return g.counts, nil
	}
	if err := g.Visit(b); err != nil || p.maxOrder == 1 {
		return g.counts, err
	}
	for i, gr := range lv.groups {
		if !b.Descend[i] {
			continue
		}
		next := g.levels.At(0)
		next.occ = g.takeFirst(next.occ[:0], p.numberOf[gr.Step.Sym], p.s.rightOf(gr.Step.Off))
		if err := g.descend(1, gr.Step, next.occ); err != nil {
			return g.counts, err
		}
	}
	return g.counts, nil
}

// descend adds a step to the current pattern as its n-th, and grows the new pattern.
func (g *packGrower) descend(n int, step index.Step, occ []packOccurrence) error {
	length := len(g.code)
	g.code = index.AppendStep(g.code, step)
	err := g.extensions(n, step.Off, occ)
	g.code = g.code[:length]
	return err
}

// extensions visits the extensions of a pattern of n steps, and grows them.
func (g *packGrower) extensions(n int, last uint32, occ []packOccurrence) error {
	path := g.s.pathAfter(last)
	lv := g.levels.At(n)
	leaf := n+1 >= g.of.maxOrder
	b := g.start(lv, n+1)
	g.chain(occ, path, 0)
	g.offs = g.s.appendOffs(g.offs[:0], n, last)
	for _, off := range g.offs {
		if g.s.isWord(off) {
			g.st = append(g.st[:0], occ...)
		} else {
			g.st = g.segment(g.st[:0], path, off)
		}
		if len(g.st) > 0 {
			g.count(lv, b, off, leaf)
		}
	}
	if b.Len() == 0 {
		return nil
	}
	if err := g.Visit(b); err != nil || leaf {
		return err
	}
	for i, gr := range lv.groups {
		if !b.Descend[i] {
			continue
		}
		if err := g.descend(n+1, gr.Step, lv.occ[gr.From:gr.To]); err != nil {
			return err
		}
	}
	return nil
}

// count counts the features of the arcs in g.st, and adds the frequent features to the batch b.
func (g *packGrower) count(lv *packLevel, b *index.Batch, off uint32, leaf bool) {
	slots, seen, which := g.slots, g.seen[:0], g.s.kindOf(off)
	for i := range g.st {
		o := &g.st[i]
		for _, f := range g.symbolsOf(o.arc, which) {
			if slots[f].n == 0 {
				seen = append(seen, f)
			}
			slots[f].add(o.pack, o.mask)
		}
	}
	g.seen = seen
	g.keys = g.keys[:0]
	for _, f := range g.seen {
		if slots[f].packs.Most() > g.of.c {
			g.keys = append(g.keys, uint64(g.syms[f])<<32|uint64(f))
		} else {
			slots[f].n = 0
		}
	}
	g.counts.Count(b.Order, uint64(len(g.seen)), uint64(len(g.seen)-len(g.keys)))
	slices.Sort(g.keys)
	g.group(lv, b, off, leaf)
}

// group appends the extensions in g.keys to b. If they can grow further, it also appends their occurrences to
// lv.
func (g *packGrower) group(lv *packLevel, b *index.Batch, off uint32, leaf bool) {
	slots, which := g.slots, g.s.kindOf(off)
	at := uint32(len(lv.occ))
	for _, key := range g.keys {
		s := &slots[uint32(key)]
		step := index.Step{Off: off, Sym: uint32(key >> 32)}
		g.Packs(b, step, s.packs)
		if leaf {
			s.n = 0
			continue
		}
		n := s.n
		lv.groups = append(lv.groups, growth.Extension{Step: step, From: int(at), To: int(at + n)})
		s.n = at + 1 // where the next occurrence goes, plus 1
		at += n
	}
	if leaf || len(g.keys) == 0 {
		return
	}
	lv.occ = slices.Grow(lv.occ, int(at)-len(lv.occ))[:at]
	for i := range g.st {
		o := &g.st[i]
		for _, f := range g.symbolsOf(o.arc, which) {
			if s := &slots[f]; s.n > 0 {
				lv.occ[s.n-1] = *o
				s.n++
			}
		}
	}
	for _, key := range g.keys {
		slots[uint32(key)].n = 0
	}
}

func (g *packGrower) start(lv *packLevel, order int) *index.Batch {
	b := &lv.batch
	lv.groups, lv.occ = lv.groups[:0], lv.occ[:0]
	g.Start(b, g.code, order)
	return b
}
