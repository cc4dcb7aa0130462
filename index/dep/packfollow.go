package dep

import (
	"slices"

	"fstore/index"
	"fstore/index/expansion"
	"fstore/index/internal/growth"
)

// storedPacks implements index.StoredPacks.
type storedPacks struct {
	*packView
	x *expansion.Index
}

// Stored implements index.Packs.
func (p *Packs) Stored(sides []index.Sides, x index.Automaton) index.StoredPacks {
	e := x.(*expansion.Index)
	return &storedPacks{p.view(index.OnSides(sides), e.Live), e}
}

// storedSlot is the state of a stored extension while its occurrences are read.
type storedSlot struct {
	mask  uint64 // the candidates of the last pack that have the extension
	last  uint32 // the last pack
	child int32  // 1 + the extension's index in the children; 0: not stored
	n     uint32 // number of occurrences; in place, where the next one goes
}

// storedLevel is the state of the walk at one depth.
type storedLevel struct {
	occ      []packOccurrence
	children []expansion.Record
	groups   []storedGroup
}

// storedGroup is the range of a stored extension's occurrences in storedLevel.occ.
type storedGroup struct {
	child    int
	from, to uint32
}

type packFollower struct {
	packExtender
	x      *expansion.Index
	f      func(*index.PackHits) error
	st     []packOccurrence
	levels growth.Levels[storedLevel]
	slots  []storedSlot
	set    []uint32 // numbers of the slots in use
	hits   index.PackHits
}

// Follow implements index.StoredPacks.
func (p *storedPacks) Follow(r index.Range, f func(*index.PackHits) error) error {
	w := &packFollower{packExtender: newPackExtender(p.packView), x: p.x, f: f, slots: make([]storedSlot, len(p.syms))}
	root := p.x.Root()
	var occ []packOccurrence
	for off, number := range p.firstSteps(r) {
		rec, ok := p.x.Step(&root, index.Step{Off: off, Sym: p.syms[number]})
		if !ok {
			continue
		}
		occ = w.takeFirst(occ[:0], number, p.s.rightOf(off))
		slot := storedSlot{}
		for _, o := range occ {
			w.hit(&slot, o, rec.Out)
		}
		if err := w.hits.HandOver(w.f); err != nil {
			return err
		}
		if rec.N == 0 {
			continue
		}
		if err := w.extensions(1, off, &rec, occ); err != nil {
			return err
		}
	}
	return nil
}

// hit reports an occurrence of a stored extension, whose feature id is `id`.
func (w *packFollower) hit(s *storedSlot, o packOccurrence, id uint32) {
	mask := o.mask
	if s.n > 0 && s.last == o.pack {
		mask &^= s.mask
		s.mask |= mask
	} else {
		s.last, s.mask = o.pack, mask
	}
	s.n++
	if mask != 0 {
		w.hits.Add(id, o.pack, mask)
	}
}

// extensions reports all stored extensions of a pattern of n steps. `rec` is the pattern's record in the
// expansion index.
func (w *packFollower) extensions(n int, last uint32, rec *expansion.Record, occ []packOccurrence) error {
	lv := w.levels.At(n)
	lv.children = w.x.Children(lv.children[:0], rec)
	lv.occ, lv.groups = lv.occ[:0], lv.groups[:0]
	path := w.s.pathAfter(last)
	lowest := path - 1
	for i := range lv.children {
		lowest = min(lowest, int(w.s.depthOf(uint32(lv.children[i].Off))))
	}
	w.chain(occ, path, lowest)
	w.offs = w.s.appendOffs(w.offs[:0], n, last)
	for _, off := range w.offs {
		w.step(lv, path, off)
	}
	if err := w.hits.HandOver(w.f); err != nil {
		return err
	}
	for _, g := range lv.groups {
		child := &lv.children[g.child]
		if err := w.extensions(n+1, uint32(child.Off), child, lv.occ[g.from:g.to]); err != nil {
			return err
		}
	}
	return nil
}

// step reports the stored extensions whose last step has this Off, with their occurrences.
func (w *packFollower) step(lv *storedLevel, path int, off uint32) {
	which := w.s.kindOf(off)
	w.set = w.set[:0]
	for i := range lv.children {
		c := &lv.children[i]
		if uint32(c.Off) != off {
			continue
		}
		if f := w.numberOf[c.Sym]; f != noNumber {
			w.slots[f] = storedSlot{child: int32(i + 1)}
			w.set = append(w.set, f)
		}
	}
	if len(w.set) == 0 {
		return
	}
	if which == anArc {
		w.st = w.segment(w.st[:0], path, off)
	} else {
		w.st = append(w.st[:0], w.at[path-1]...)
	}
	goOn := false
	for i := range w.st {
		o := &w.st[i]
		for _, f := range w.symbolsOf(o.arc, which) {
			s := &w.slots[f]
			if s.child == 0 {
				continue
			}
			c := &lv.children[s.child-1]
			w.hit(s, *o, c.Out)
			goOn = goOn || c.N != 0
		}
	}
	if goOn {
		w.place(lv, which)
	}
	for _, f := range w.set {
		w.slots[f].child = 0
	}
}

// place appends the occurrences in w.st to lv.occ, grouped by child. It skips children that are leaves.
func (w *packFollower) place(lv *storedLevel, which stepKind) {
	at := uint32(len(lv.occ))
	for _, f := range w.set {
		s := &w.slots[f]
		if lv.children[s.child-1].N == 0 || s.n == 0 {
			s.child = 0
			continue
		}
		lv.groups = append(lv.groups, storedGroup{int(s.child - 1), at, at + s.n})
		at, s.n = at+s.n, at
	}
	lv.occ = slices.Grow(lv.occ, int(at)-len(lv.occ))[:at]
	for i := range w.st {
		o := &w.st[i]
		for _, f := range w.symbolsOf(o.arc, which) {
			if s := &w.slots[f]; s.child != 0 {
				lv.occ[s.n] = *o
				s.n++
			}
		}
	}
}
