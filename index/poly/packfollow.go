package poly

import (
	"cmp"
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

// packOccurrence says that the candidates in `mask` have a set of features. rows[at] is the last feature of
// the set.
type packOccurrence struct {
	mask     uint64
	at, pack uint32
}

// packFollower walks the stored sets of features, and finds the packs (groups of trees) that have each set.
//
// Measured on 12,544 lists of 10 trees and 1.5e6 sets of up to 3 features: it reads 2.1e8 entries for 8.2e7
// hits.
type packFollower struct {
	*storedPacks
	f      func(*index.PackHits) error
	levels growth.Levels[storedLevel]
	slots  []storedSlot // by number of the basic feature
	looked []uint32     // the numbers of slots in use
	hits   index.PackHits
}

// storedSlot is the data of a basic feature that can extend the present set.
type storedSlot struct {
	child int32  // 1 + the index of its child in children; 0: not looked for, -1: no child
	id    uint32 // feature id of the child
	more  bool   // the child has children
	n     uint32 // number of occurrences to continue from; later the place of the next one, plus 1
}

// storedLevel is the state of the walk at one depth.
type storedLevel struct {
	children []expansion.Record
	occ      []packOccurrence
	groups   []storedGroup
}

// storedGroup is a stored extension that has extensions itself. Its occurrences that can be extended are
// occ[from:to] of the level.
type storedGroup struct {
	num      uint32
	child    int32
	from, to uint32
}

// Follow implements index.StoredPacks.
func (p *storedPacks) Follow(r index.Range, f func(*index.PackHits) error) error {
	w := &packFollower{storedPacks: p, f: f, slots: make([]storedSlot, len(p.syms))}
	root := p.x.Root()
	var occ []packOccurrence
	lo, hi := growth.In(p.syms, r)
	for n := lo; n < hi; n++ {
		rec, ok := p.x.Find(&root, 0, p.syms[n])
		if !ok {
			continue
		}
		occ = occ[:0]
		for _, at := range p.places(n) {
			occ = append(occ, packOccurrence{p.rows[at.at].mask, at.at, at.pack})
			w.hits.Add(rec.Out, at.pack, p.rows[at.at].mask)
		}
		if err := w.extensions(1, &rec, occ); err != nil {
			return err
		}
	}
	return w.hits.HandOver(w.f)
}

// mostHits is the approximate number of hits that are handed over at a time. This many hits and the rows
// together fit into the processor's cache.
const mostHits = 1 << 10

// extensions reports the hits of the stored extensions of a set of n features. A pack (a group of candidate
// trees) gets the same hits in the same order, whatever the other packs are.
func (w *packFollower) extensions(n int, rec *expansion.Record, occ []packOccurrence) error {
	if rec.N == 0 {
		return nil
	}
	if steps := w.x.Leaves(rec); len(steps) > fewFollow*len(occ) {
		return w.leaves(steps, rec, occ)
	}
	lv := w.levels.At(n)
	w.look(lv, rec, occ)
	if len(lv.children) > 0 {
		if err := w.find(occ); err != nil {
			return err
		}
		w.place(lv, occ)
	}
	for _, n := range w.looked {
		w.slots[n] = storedSlot{}
	}
	for _, g := range lv.groups {
		if err := w.extensions(n+1, &lv.children[g.child], lv.occ[g.from:g.to]); err != nil {
			return err
		}
	}
	return nil
}

// fewFollow is a guess of how many features follow an occurrence in a pack.
const fewFollow = 8

// leaves adds a hit for each occurrence of a child of rec. `steps` has the children, all of them leaves.
func (w *packFollower) leaves(steps []uint32, rec *expansion.Record, occ []packOccurrence) error {
	for i := range occ {
		o := &occ[i]
		next, ok := 0, false
		for at := o.at + 1; next < len(steps); at++ {
			e := &w.rows[at]
			if e.sym == rowEnd {
				break
			}
			mask := o.mask & e.mask
			if mask == 0 {
				continue
			}
			if next, ok = expansion.NextLeaf(steps, next, 0, w.syms[e.sym]); ok {
				w.hits.Add(rec.Out+1+uint32(next), o.pack, mask)
			}
		}
	}
	if len(w.hits.ID) >= mostHits {
		return w.hits.HandOver(w.f)
	}
	return nil
}

// look finds the children of rec: all of them, or those whose symbol follows an occurrence, whichever seems
// faster.
func (w *packFollower) look(lv *storedLevel, rec *expansion.Record, occ []packOccurrence) {
	lv.children, lv.groups, w.looked = lv.children[:0], lv.groups[:0], w.looked[:0]
	if n := max(w.x.Ordered(rec), len(w.x.Block(rec))); n <= fewFollow*len(occ) {
		lv.children = w.x.Children(lv.children, rec)
		for i := range lv.children {
			c := &lv.children[i]
			if c.Off != 0 || int(c.Sym) >= len(w.numberOf) {
				continue
			}
			if n := w.numberOf[c.Sym]; n != rowEnd {
				w.slots[n] = storedSlot{child: int32(i + 1), id: c.Out, more: c.N != 0}
				w.looked = append(w.looked, n)
			}
		}
		return
	}
	for i := range occ {
		for at := occ[i].at + 1; w.rows[at].sym != rowEnd; at++ {
			n := w.rows[at].sym
			if w.slots[n].child != 0 {
				continue
			}
			w.looked = append(w.looked, n)
			w.slots[n].child = -1
			if c, ok := w.x.Find(rec, 0, w.syms[n]); ok {
				lv.children = append(lv.children, c)
				w.slots[n] = storedSlot{child: int32(len(lv.children)), id: c.Out, more: c.N != 0}
			}
		}
	}
}

// find reports each occurrence of a stored extension, and counts the occurrences that can be extended.
func (w *packFollower) find(occ []packOccurrence) error {
	for i := range occ {
		o := &occ[i]
		for at := o.at + 1; ; at++ {
			e := &w.rows[at]
			if e.sym == rowEnd {
				break
			}
			s := &w.slots[e.sym]
			mask := o.mask & e.mask
			if s.child <= 0 || mask == 0 {
				continue
			}
			w.hits.Add(s.id, o.pack, mask)
			if s.more && w.rows[at+1].sym != rowEnd {
				s.n++
			}
		}
		if len(w.hits.ID) >= mostHits {
			if err := w.hits.HandOver(w.f); err != nil {
				return err
			}
		}
	}
	return nil
}

// place lays out the occurrences that the method `find` has counted, child by child.
func (w *packFollower) place(lv *storedLevel, occ []packOccurrence) {
	for _, n := range w.looked {
		if s := &w.slots[n]; s.n > 0 {
			lv.groups = append(lv.groups, storedGroup{num: n, child: s.child - 1})
		}
	}
	if len(lv.groups) == 0 {
		return
	}
	slices.SortFunc(lv.groups, func(a, b storedGroup) int { return cmp.Compare(a.num, b.num) })
	room := uint32(0)
	for i := range lv.groups {
		g := &lv.groups[i]
		n := &w.slots[g.num].n
		g.from, g.to = room, room+*n
		*n, room = g.from+1, g.to
	}
	lv.occ = slices.Grow(lv.occ[:0], int(room))[:room]
	for i := range occ {
		o := &occ[i]
		for at := o.at + 1; ; at++ {
			e := &w.rows[at]
			if e.sym == rowEnd {
				break
			}
			s := &w.slots[e.sym]
			mask := o.mask & e.mask
			if s.n == 0 || mask == 0 || w.rows[at+1].sym == rowEnd {
				continue
			}
			lv.occ[s.n-1] = packOccurrence{mask, at, o.pack}
			s.n++
		}
	}
}
