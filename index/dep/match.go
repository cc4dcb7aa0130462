package dep

import (
	"slices"

	"fstore/index"
	"fstore/index/expansion"
	"fstore/index/internal/growth"
	"fstore/index/internal/walk"
)

// Matcher finds the stored fragments in a tree. It finds the embeddings of a stored code by extending those
// of its prefix. Hits come in code order.
type Matcher struct {
	extender
	walk.Walk
	syms   *index.Symbols
	tree   forest
	plan   planter
	levels growth.Levels[matchLevel]
	with   growth.Inverted[int32] // the arcs with each feature
}

// matchLevel is the state of one depth of the walk.
type matchLevel struct {
	occ     occurrences
	st      stream
	found   []walk.Found // for a first step, From is the feature's number
	entries []uint32
}

// NewMatcher implements index.Space.
func (s *Space) NewMatcher(x index.Automaton, syms *index.Symbols, _ float64) index.Matcher {
	m := &Matcher{Walk: walk.Walk{Index: x.(*expansion.Index)}, syms: syms}
	m.extender.s, m.extender.f = s, &m.tree
	m.tree.maxSpan = s.maxSpan
	m.plan.keys.know(s, syms, false)
	return m
}

// Match implements index.Matcher. Features with unknown words match nothing.
func (m *Matcher) Match(t *index.Tree, budget int64) ([]index.Hit, error) {
	m.Begin(budget)
	m.load(t)
	m.steps = m.steps[:0]
	root := m.Index.Root()
	lv := m.levels.At(0)
	lv.found = lv.found[:0]
	for _, right := range m.s.sides() {
		off := m.s.offOf(0, right)
		if off > uint32(root.MaxOff) {
			break
		}
		for n, sym := range m.tree.syms {
			step := index.Step{Off: off, Sym: sym}
			if r, ok := m.Index.Step(&root, step); ok {
				lv.found = append(lv.found, walk.Found{Record: r, Step: step, From: uint32(n)})
			}
		}
	}
	for i := range lv.found {
		fd := &lv.found[i]
		o := &m.levels.At(1).occ
		m.takeFirst(o, m.with.Of(int(fd.From), int(fd.From)+1), m.s.rightOf(fd.Step.Off))
		fd.Entries = uint32(max(len(o.arc), len(o.rows)))
		fd.Count = float64(fd.Entries)
		if err := m.enter(fd, 1); err != nil {
			return nil, err
		}
	}
	return m.Hits(), nil
}

// load lays out the arcs of t, and numbers their features by ascending symbol.
func (m *Matcher) load(t *index.Tree) {
	f := &m.tree
	f.layOut(t, &m.plan, func(key []byte) uint32 {
		if id := m.syms.Lookup(index.Features, key); id != 0 && m.Index.Live(id) {
			return id
		}
		return 0
	})
	m.Symbols = append(m.Symbols, f.feats...)
	for _, w := range f.words {
		for _, sym := range w {
			if sym != 0 {
				m.Symbols = append(m.Symbols, sym)
			}
		}
	}
	m.Numbered()
	f.syms = m.Symbols
	f.number(func(sym uint32) uint32 {
		n, _ := m.NumberOf(sym)
		return n
	})
	f.invert(&m.with, len(f.syms))
}

// enter adds the hit of a stored fragment of n steps, and the hits of its stored extensions. The fragment's
// occurrences are in level n.
func (m *Matcher) enter(fd *walk.Found, n int) error {
	if fd.Entries == 0 {
		return nil // under the rule side the feature may occur on the other side only
	}
	if err := m.Visit(int(fd.Entries)); err != nil {
		return err
	}
	m.Hit(fd.Record.Out, n, fd.Count, 0)
	if fd.Record.N == 0 {
		return nil
	}
	lv := m.levels.At(n)
	m.steps = append(m.steps, fd.Step)
	defer func() { m.steps = m.steps[:n-1] }()
	last := int(m.s.depthOf(uint32(fd.Record.MaxOff)))
	if uint32(fd.Record.MaxOff) == expansion.Skip.Off {
		last = n // a step with any larger off may follow
	}
	if err := m.extend(&lv.occ, &lv.st, last); err != nil {
		return err
	}
	lv.found, lv.entries = lv.found[:0], lv.entries[:0]
	for i := range lv.st.segments {
		m.segment(lv, &lv.st.segments[i], &fd.Record)
	}
	for i := range lv.found {
		next := &lv.found[i]
		if next.Record.N != 0 {
			if err := m.take(&m.levels.At(n+1).occ, &lv.occ, &lv.st, lv.entries[next.From:next.To], next.Step.Off); err != nil {
				return err
			}
		}
		if err := m.enter(next, n+1); err != nil {
			return err
		}
	}
	return nil
}

// segment adds the stored extensions in seg to lv.found, by ascending symbol. If an extension can grow
// further, its occurrences go to lv.entries.
func (m *Matcher) segment(lv *matchLevel, seg *segment, rec *expansion.Record) {
	f, st, which := &m.tree, &lv.st, m.s.kindOf(seg.off)
	for i := seg.from; i < seg.to; i++ {
		w := 1.0
		if !m.s.unordered {
			w = st.w[i]
		}
		for _, n := range f.symbolsOf(st.arc[i], which) {
			if f.allowed(st, seg, i, n) {
				m.Count(n, w, 0)
			}
		}
	}
	from, end := len(lv.entries), uint32(0)
	if lv.found, end = m.Stored(lv.found, rec, seg.off, uint32(from)); int(end) > from {
		lv.entries = slices.Grow(lv.entries, int(end)-from)[:end]
		for i := seg.from; i < seg.to; i++ {
			for _, n := range f.symbolsOf(st.arc[i], which) {
				if !f.allowed(st, seg, i, n) {
					continue
				}
				if at, ok := m.Place(n); ok {
					lv.entries[at] = uint32(i)
				}
			}
		}
	}
	m.Free()
}
