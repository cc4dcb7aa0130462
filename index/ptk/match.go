package ptk

import (
	"math"
	"slices"

	"fstore/index"
	"fstore/index/expansion"
	"fstore/index/internal/growth"
)

// Matcher grows the stored patterns along a tree: a state is a stored code and its
// occurrences in the tree, merged by their rightmost node, so that matches are counted
// and weighed and never listed. States come in code order, and so do the hits.
type Matcher struct {
	extender
	x      *expansion.Index
	tree   forest
	plan   planter
	scale  scale
	levels []*matchLevel
	labels []uint32 // of each number
	with   growth.Inverted[int32]
	slots  []matchSlot
	seen   []uint32
	hits   []index.Hit
	visits int64
	budget int64
}

// matchLevel is what one order of the walk keeps.
type matchLevel struct {
	occ     occurrences
	st      occurrences // what extends it at any depth
	found   []found
	entries []uint32
}

// found is an extension that is stored. Where it goes on, its occurrences are
// entries[from:to] of its level. Of a first step, from is the label's number.
type found struct {
	rec      expansion.Record
	step     index.Step
	from, to uint32
	entries  uint32 // how many they are
	count    float64
	decay    float64
}

// matchSlot counts one label of the tree while a segment is read.
type matchSlot struct {
	n, entry     uint32
	count, decay float64
}

// noEntry is the entry of a label whose extension does not go on.
const noEntry = ^uint32(0)

// maxCount is the largest number of matches that is exact.
const maxCount = 1 << 53

// NewMatcher implements index.Space.
func (s *Space) NewMatcher(x index.Automaton, _ *index.Symbols, lambda float64) index.Matcher {
	m := &Matcher{x: x.(*expansion.Index), scale: scale{s: s, lambda: lambda}}
	m.extender = extender{f: &m.tree, lambda: lambda, decays: true}
	return m
}

// Match implements index.Matcher. Labels and words that the store does not have, with
// ids above its own, match nothing. A visit is one node that the pattern of a stored code
// ends at, or that may extend it.
func (m *Matcher) Match(t *index.Tree, budget int64) ([]index.Hit, error) {
	m.hits, m.visits, m.budget = m.hits[:0], 0, budget
	m.load(t)
	root := m.x.Root()
	lv := m.level(0)
	lv.found = lv.found[:0]
	for n, label := range m.labels {
		step := index.Step{Sym: label}
		if r, ok := m.x.Step(&root, step); ok {
			k := len(m.with.Of(n, n+1))
			lv.found = append(lv.found, found{rec: r, step: step, from: uint32(n), entries: uint32(k), count: float64(k), decay: float64(k)})
		}
	}
	for i := range lv.found {
		fd := &lv.found[i]
		o := &m.level(1).occ
		o.reset()
		for _, k := range m.with.Of(int(fd.from), int(fd.from)+1) {
			m.add(o, k, 1, 1)
		}
		if err := m.enter(fd, 1, leavesWith(0, 0, 0)); err != nil {
			return nil, err
		}
	}
	return m.hits, nil
}

// load lays out t. Its labels that occur in codes are numbered by ascending label; the
// others have no number.
func (m *Matcher) load(t *index.Tree) {
	f := &m.tree
	f.nodes, m.labels = f.nodes[:0], m.labels[:0]
	m.plan.keepAll(t)
	f.add(t, &m.plan, 0)
	for i := range f.nodes {
		if l := f.nodes[i].label; m.x.Live(l) {
			m.labels = append(m.labels, l)
		}
	}
	slices.Sort(m.labels)
	m.labels = slices.Compact(m.labels)
	for len(m.slots) < len(m.labels) {
		m.slots = append(m.slots, matchSlot{})
	}
	for i := range f.nodes {
		n, ok := slices.BinarySearch(m.labels, f.nodes[i].label)
		if f.nodes[i].label = uint32(n); !ok {
			f.nodes[i].label = none
		}
	}
	f.invert(&m.with, len(m.labels))
}

// enter arrives at the state of fd, a code of n nodes; where it goes on, level n has its
// occurrences.
func (m *Matcher) enter(fd *found, n, leaves int) error {
	if err := m.visit(int(fd.entries)); err != nil {
		return err
	}
	if fd.count > maxCount {
		return &index.OccurrenceError{Order: n, Limit: maxCount}
	}
	if id := fd.rec.Out; id != 0 {
		weight := float64(fd.decay * m.scale.of(n, leaves))
		m.hits = append(m.hits, index.Hit{ID: id, Order: int32(n), Match: index.Match{Count: fd.count, Weight: weight}})
	}
	if fd.rec.N == 0 {
		return nil
	}
	lv := m.level(n)
	lv.st.reset()
	lv.found, lv.entries = lv.found[:0], lv.entries[:0]
	last := int(fd.step.Off)
	least, deepest := m.depths(&fd.rec, last)
	m.begin(&lv.occ, last, least)
	for d := least; d <= deepest; d++ {
		from := len(lv.st.node)
		m.extend(&lv.st, d)
		if err := m.visit(len(lv.st.node) - from); err != nil {
			return err
		}
		m.segment(lv, d, from, &fd.rec)
	}
	for i := range lv.found {
		next := &lv.found[i]
		if next.rec.N != 0 {
			o := &m.level(n + 1).occ
			o.reset()
			for _, k := range lv.entries[next.from:next.to] {
				m.add(o, lv.st.node[k], lv.st.count[k], lv.st.decay[k])
			}
		}
		if err := m.enter(next, n+1, leavesWith(leaves, fd.step.Off, next.step.Off)); err != nil {
			return err
		}
	}
	return nil
}

// visit counts n more visits.
func (m *Matcher) visit(n int) error {
	if m.visits += int64(n); m.visits > m.budget && m.budget > 0 {
		return index.BudgetError(m.budget)
	}
	return nil
}

// depths returns between which depths the steps below rec lie, the last node being at
// depth last.
func (m *Matcher) depths(rec *expansion.Record, last int) (least, deepest int) {
	least, deepest = 1, int(rec.MaxOff)
	if m.x.Ordered(rec) > 0 {
		least = max(int(m.x.Child(rec, 0).Off), 1)
	}
	if deepest > last || deepest == int(expansion.Skip.Off) { // there, any larger off may follow
		deepest = last + 1
	}
	return least, deepest
}

// segment adds to lv.found the extensions at one depth, which stand in lv.st from an
// index on, that are stored below rec, by ascending label, with the entries of those that
// go on.
func (m *Matcher) segment(lv *matchLevel, depth, from int, rec *expansion.Record) {
	f, st := &m.tree, &lv.st
	m.seen = m.seen[:0]
	for i := from; i < len(st.node); i++ {
		n := f.nodes[st.node[i]].label
		if n == none {
			continue
		}
		sl := &m.slots[n]
		if sl.n == 0 {
			m.seen = append(m.seen, n)
			*sl = matchSlot{}
		}
		sl.n++
		sl.count += st.count[i]
		sl.decay += st.decay[i]
	}
	slices.Sort(m.seen) // labels are numbered in their order
	goOn := false
	at := uint32(len(lv.entries))
	for _, n := range m.seen {
		sl := &m.slots[n]
		step := index.Step{Off: uint32(depth), Sym: m.labels[n]}
		sl.entry = noEntry
		r, ok := m.x.Step(rec, step)
		if !ok {
			continue
		}
		fd := found{rec: r, step: step, entries: sl.n, count: sl.count, decay: sl.decay, from: at, to: at}
		if r.N != 0 {
			goOn = true
			sl.entry = at
			at += sl.n
			fd.to = at
		}
		lv.found = append(lv.found, fd)
	}
	if goOn {
		lv.entries = slices.Grow(lv.entries, int(at)-len(lv.entries))[:at]
		for i := from; i < len(st.node); i++ {
			n := f.nodes[st.node[i]].label
			if n == none || m.slots[n].entry == noEntry {
				continue
			}
			lv.entries[m.slots[n].entry] = uint32(i)
			m.slots[n].entry++
		}
	}
	for _, n := range m.seen {
		m.slots[n].n = 0
	}
}

func (m *Matcher) level(n int) *matchLevel {
	for n >= len(m.levels) {
		m.levels = append(m.levels, new(matchLevel))
	}
	return m.levels[n]
}

// scale is the value of a match without gaps, from tables.
type scale struct {
	s          *Space
	lambda     float64
	mus, decay []float64 // √μ to the order, λ to the number of leaves
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
