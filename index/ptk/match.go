package ptk

import (
	"math"
	"slices"

	"fstore/index"
	"fstore/index/expansion"
	"fstore/index/internal/growth"
	"fstore/index/internal/walk"
)

// Matcher grows the stored patterns along a tree. It sums matches with the same rightmost node. Hits come in
// code order.
type Matcher struct {
	extender
	walk.Walk
	tree   forest
	plan   planter
	scale  scale
	levels growth.Levels[matchLevel]
	with   growth.Inverted[int32]
}

// matchLevel has the data of one order of the walk.
type matchLevel struct {
	occ     occurrences
	st      occurrences  // the entries of the extensions at all depths
	found   []walk.Found // for a first step, From is the label's number
	entries []uint32
}

// maxCount is the largest number of matches that a float64 holds exactly.
const maxCount = 1 << 53

// NewMatcher implements index.Space.
func (s *Space) NewMatcher(x index.Automaton, _ *index.Symbols, lambda float64) index.Matcher {
	m := &Matcher{Walk: walk.Walk{Index: x.(*expansion.Index)}, scale: scale{s: s, lambda: lambda}}
	m.extender = extender{f: &m.tree, lambda: lambda, decays: true}
	return m
}

// Match implements index.Matcher. A visit is a node where a stored pattern ends or can go on.
func (m *Matcher) Match(t *index.Tree, budget int64) ([]index.Hit, error) {
	m.Begin(budget)
	m.load(t)
	root := m.Index.Root()
	lv := m.levels.At(0)
	lv.found = lv.found[:0]
	for n, label := range m.Symbols {
		step := index.Step{Sym: label}
		if r, ok := m.Index.Step(&root, step); ok {
			k := len(m.with.Of(n, n+1))
			lv.found = append(lv.found, walk.Found{Record: r, Step: step, From: uint32(n), Entries: uint32(k), Count: float64(k), Value: float64(k)})
		}
	}
	for i := range lv.found {
		fd := &lv.found[i]
		o := &m.levels.At(1).occ
		o.reset()
		for _, k := range m.with.Of(int(fd.From), int(fd.From)+1) {
			m.add(o, k, 1, 1)
		}
		if err := m.enter(fd, 1, leavesWith(0, 0, 0)); err != nil {
			return nil, err
		}
	}
	return m.Hits(), nil
}

// load fills m.tree with the nodes of t. Labels that occur in no stored code become `none`.
func (m *Matcher) load(t *index.Tree) {
	f := &m.tree
	f.nodes = f.nodes[:0]
	m.plan.keepAll(t)
	f.add(t, &m.plan, 0)
	for i := range f.nodes {
		if l := f.nodes[i].label; m.Index.Live(l) {
			m.Symbols = append(m.Symbols, l)
		}
	}
	m.Numbered()
	for i := range f.nodes {
		n, ok := m.NumberOf(f.nodes[i].label)
		if f.nodes[i].label = n; !ok {
			f.nodes[i].label = none
		}
	}
	f.invert(&m.with, len(m.Symbols))
}

// enter adds the hit of the code fd of order n, and visits the stored codes that extend it.
func (m *Matcher) enter(fd *walk.Found, n, leaves int) error {
	if err := m.Visit(int(fd.Entries)); err != nil {
		return err
	}
	if fd.Count > maxCount {
		return &index.OccurrenceError{Order: n, Limit: maxCount}
	}
	if id := fd.Record.Out; id != 0 {
		m.Hit(id, n, fd.Count, float64(fd.Value*m.scale.of(n, leaves)))
	}
	if fd.Record.N == 0 {
		return nil
	}
	lv := m.levels.At(n)
	lv.st.reset()
	lv.found, lv.entries = lv.found[:0], lv.entries[:0]
	last := int(fd.Step.Off)
	least, deepest := m.depths(&fd.Record, last)
	m.begin(&lv.occ, last, least)
	for d := least; d <= deepest; d++ {
		from := len(lv.st.node)
		m.extend(&lv.st, d)
		if err := m.Visit(len(lv.st.node) - from); err != nil {
			return err
		}
		m.segment(lv, uint32(d), from, &fd.Record)
	}
	for i := range lv.found {
		next := &lv.found[i]
		if next.Record.N != 0 {
			o := &m.levels.At(n + 1).occ
			o.reset()
			for _, k := range lv.entries[next.From:next.To] {
				m.add(o, lv.st.node[k], lv.st.count[k], lv.st.decay[k])
			}
		}
		if err := m.enter(next, n+1, leavesWith(leaves, fd.Step.Off, next.Step.Off)); err != nil {
			return err
		}
	}
	return nil
}

// depths returns a lower and an upper bound of the depths at which stored codes extend the code of rec.
func (m *Matcher) depths(rec *expansion.Record, last int) (least, deepest int) {
	least, deepest = 1, int(rec.MaxOff)
	if m.Index.Ordered(rec) > 0 {
		least = max(int(m.Index.Child(rec, 0).Off), 1)
	}
	if deepest > last || deepest == int(expansion.Skip.Off) { // steps with any larger off may follow
		deepest = last + 1
	}
	return least, deepest
}

// segment adds to lv.found the stored extensions by a node at this depth. The occurrences of all extensions
// at this depth are in lv.st, from `start` on.
func (m *Matcher) segment(lv *matchLevel, depth uint32, start int, rec *expansion.Record) {
	nodes, st := m.tree.nodes, &lv.st
	for i := start; i < len(st.node); i++ {
		if n := nodes[st.node[i]].label; n != none {
			m.Count(n, st.count[i], st.decay[i])
		}
	}
	had, end := len(lv.entries), uint32(0)
	if lv.found, end = m.Stored(lv.found, rec, depth, uint32(had)); int(end) > had {
		lv.entries = slices.Grow(lv.entries, int(end)-had)[:end]
		for i := start; i < len(st.node); i++ {
			n := nodes[st.node[i]].label
			if n == none {
				continue
			}
			if at, ok := m.Place(n); ok {
				lv.entries[at] = uint32(i)
			}
		}
	}
	m.Free()
}

// scale computes the value of a match without gaps, from tables.
type scale struct {
	s          *Space
	lambda     float64
	mus, decay []float64 // powers of √μ by order, and of λ by number of leaves
}

func (sc *scale) of(order, leaves int) float64 {
	for len(sc.mus) <= order {
		sc.mus = append(sc.mus, math.Pow(sc.s.mu, float64(len(sc.mus))/2))
	}
	for len(sc.decay) <= leaves {
		sc.decay = append(sc.decay, math.Pow(sc.lambda, float64(len(sc.decay))))
	}
	return float64(sc.mus[order] * sc.decay[leaves])
}
