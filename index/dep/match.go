package dep

import (
	"slices"

	"fstore/index"
	"fstore/index/expansion"
	"fstore/index/internal/growth"
)

// Matcher grows the stored fragments along a tree: a state is a stored code and its
// occurrences in the tree, merged by their rightmost arc, so that embeddings are
// counted and never listed. States come in code order, and so do the hits. Without
// order the embeddings are listed.
type Matcher struct {
	extender
	x      *expansion.Index
	syms   *index.Symbols
	tree   forest
	plan   planter
	levels []*matchLevel
	with   growth.Inverted[int32] // the arcs with each feature
	slots  []matchSlot
	seen   []uint32
	hits   []index.Hit
	visits int64
	budget int64
}

// matchLevel is what one depth of the walk keeps.
type matchLevel struct {
	occ     occurrences
	st      stream
	found   []found
	entries []uint32
}

// found is an extension that is stored. Where it goes on, its entries are
// entries[from:to] of its level. Of a first step, from is the feature's number.
type found struct {
	rec      expansion.Record
	off, sym uint32
	from, to uint32
	entries  uint32
	count    float64 // embeddings
}

// matchSlot counts one feature of the tree while a segment is read.
type matchSlot struct {
	n, entry uint32
	w        float64
}

// noEntry is the entry of a feature whose extension does not go on.
const noEntry = ^uint32(0)

// NewMatcher implements index.Space.
func (s *Space) NewMatcher(x index.Automaton, syms *index.Symbols, _ float64) index.Matcher {
	m := &Matcher{x: x.(*expansion.Index), syms: syms}
	m.extender.s, m.extender.f = s, &m.tree
	m.tree.maxSpan = s.maxSpan
	m.plan.keys.lookup(s, syms)
	return m
}

// Match implements index.Matcher. The words of t may be ones that the symbols do
// not have, with ids above theirs: their features are not found. A visit is one
// entry in the occurrences of a stored code.
func (m *Matcher) Match(t *index.Tree, budget int64) ([]index.Hit, error) {
	m.hits, m.visits, m.budget = m.hits[:0], 0, budget
	m.load(t)
	m.pat.reset()
	root := m.x.Root()
	lv := m.level(0)
	lv.found = lv.found[:0]
	for _, right := range [2]bool{false, true} {
		off := m.s.offOf(0, right)
		if off > uint32(root.MaxOff) || right && m.s.rule != side {
			break
		}
		for n, sym := range m.tree.syms {
			if r, ok := m.x.Step(&root, index.Step{Off: off, Sym: sym}); ok {
				lv.found = append(lv.found, found{rec: r, off: off, sym: sym, from: uint32(n)})
			}
		}
	}
	for i := range lv.found {
		fd := &lv.found[i]
		o := &m.level(1).occ
		m.first(o, m.with.Of(int(fd.from), int(fd.from)+1), m.s.rightOf(fd.off))
		fd.entries = uint32(max(len(o.arc), len(o.rows)))
		fd.count = float64(fd.entries)
		if err := m.enter(fd, 1); err != nil {
			return nil, err
		}
	}
	return m.hits, nil
}

// load lays out the arcs of t; its features are numbered by ascending symbol.
func (m *Matcher) load(t *index.Tree) {
	p, f := &m.plan, &m.tree
	p.plan(t, m.s.rootArcs)
	p.features(t, func(key []byte) uint32 {
		if id := m.syms.Lookup(index.Features, key); id != 0 && m.x.Live(id) {
			return id
		}
		return 0
	})
	p.keepAll()
	f.reset()
	f.add(t, p, 0)
	f.seal()
	f.syms = append(f.syms[:0], f.feats...)
	for _, w := range f.words {
		for _, sym := range w {
			if sym != 0 {
				f.syms = append(f.syms, sym)
			}
		}
	}
	slices.Sort(f.syms)
	f.syms = slices.Compact(f.syms)
	number := func(sym uint32) uint32 {
		n, _ := slices.BinarySearch(f.syms, sym)
		return uint32(n)
	}
	for i, sym := range f.feats {
		f.feats[i] = number(sym)
	}
	for i := range f.words {
		f.words[i].number(number)
	}
	for len(m.slots) < len(f.syms) {
		m.slots = append(m.slots, matchSlot{})
	}
	m.invert()
}

// invert lists the arcs with each feature, ascending.
func (m *Matcher) invert() {
	f := &m.tree
	m.with.Begin(len(f.syms))
	for _, n := range f.feats {
		m.with.Count(n)
	}
	m.with.Counted()
	for a := range int32(f.len()) {
		for _, n := range f.featsOf(a) {
			m.with.Put(n, a)
		}
	}
}

// enter arrives at the state of fd, a code of n steps; where it goes on, level n has
// its occurrences.
func (m *Matcher) enter(fd *found, n int) error {
	if fd.entries == 0 {
		return nil // under the rule side: the feature is there, on the other side
	}
	if m.visits += int64(fd.entries); m.visits > m.budget && m.budget > 0 {
		return index.BudgetError(m.budget)
	}
	if id := fd.rec.Out; id != 0 {
		m.hits = append(m.hits, index.Hit{ID: id, Order: int32(n), Match: index.Match{Count: fd.count}})
	}
	if fd.rec.N == 0 {
		return nil
	}
	lv := m.level(n)
	m.push(fd.off, fd.sym)
	defer m.pop()
	last := int(m.s.depthOf(uint32(fd.rec.MaxOff)))
	if uint32(fd.rec.MaxOff) == expansion.Skip.Off {
		last = n // a step with any larger off may follow
	}
	if err := m.extend(&lv.occ, &lv.st, last); err != nil {
		return err
	}
	lv.found, lv.entries = lv.found[:0], lv.entries[:0]
	for i := range lv.st.segments {
		m.segment(lv, &lv.st.segments[i], &fd.rec)
	}
	for i := range lv.found {
		next := &lv.found[i]
		if next.rec.N != 0 {
			if err := m.take(&m.level(n+1).occ, &lv.occ, &lv.st, lv.entries[next.from:next.to], next.off); err != nil {
				return err
			}
		}
		if err := m.enter(next, n+1); err != nil {
			return err
		}
	}
	return nil
}

// segment adds to lv.found the extensions in one segment that are stored below rec,
// by ascending symbol, with the entries of those that go on.
func (m *Matcher) segment(lv *matchLevel, seg *segment, rec *expansion.Record) {
	f, st, which := &m.tree, &lv.st, m.s.which(seg.off)
	m.seen = m.seen[:0]
	for i := seg.from; i < seg.to; i++ {
		w := 1.0
		if !m.s.unordered {
			w = st.w[i]
		}
		for _, n := range f.symbolsOf(st.arc[i], which) {
			if !f.allowed(st, seg, i, n) {
				continue
			}
			sl := &m.slots[n]
			if sl.n == 0 {
				m.seen = append(m.seen, n)
				sl.w = 0
			}
			sl.n++
			sl.w += w
		}
	}
	slices.Sort(m.seen) // features are numbered by symbol
	goOn := false
	at := uint32(len(lv.entries))
	kept := m.seen[:0]
	for _, n := range m.seen {
		sl := &m.slots[n]
		r, ok := m.x.Step(rec, index.Step{Off: seg.off, Sym: f.syms[n]})
		if !ok {
			sl.n = 0
			continue
		}
		fd := found{rec: r, off: seg.off, sym: f.syms[n], entries: sl.n, count: sl.w, from: at, to: at}
		if r.N != 0 {
			goOn = true
			sl.entry = at
			at += sl.n
			fd.to = at
		} else {
			sl.entry = noEntry
		}
		lv.found = append(lv.found, fd)
		kept = append(kept, n)
	}
	if goOn {
		lv.entries = slices.Grow(lv.entries, int(at)-len(lv.entries))[:at]
		for i := seg.from; i < seg.to; i++ {
			for _, n := range f.symbolsOf(st.arc[i], which) {
				if sl := &m.slots[n]; sl.n > 0 && sl.entry != noEntry && f.allowed(st, seg, i, n) {
					lv.entries[sl.entry] = uint32(i)
					sl.entry++
				}
			}
		}
	}
	for _, n := range kept {
		m.slots[n].n = 0
	}
}

func (m *Matcher) level(n int) *matchLevel {
	for n >= len(m.levels) {
		m.levels = append(m.levels, new(matchLevel))
	}
	return m.levels[n]
}
