package emb

import (
	"slices"

	"fstore/index"
	"fstore/index/expansion"
	"fstore/index/internal/growth"
)

// Matcher grows the stored fragments along a tree, as growth does (index/README.md, "Matching"): a
// state is a stored code with its rows in the tree, so that embeddings are summed and
// not listed, but for those with different rightmost paths. States come in code order,
// and so do the hits.
type Matcher struct {
	extender
	x      *expansion.Index
	plan   planter
	labels []uint32 // the stored labels of the tree, ascending: numbered from 1
	with   growth.Inverted[uint32]
	levels []*matchLevel
	slots  []slot
	seen   []uint32
	kept   []kept // of all levels, the deepest last
	hits   []index.Hit
	visits int64
	budget int64
}

// matchLevel is what one depth of the walk keeps.
type matchLevel struct {
	state expansion.Record
	rows  rows
	found []found
}

// found is an extension that is stored, with its occurrences: kept[from:to], which is
// empty where it does not go on.
type found struct {
	state    expansion.Record
	depth    int
	entries  int
	sum      sum
	from, to int
}

type sum struct{ count, value float64 }

// kept is an occurrence: a node that is added to the embeddings of a row.
type kept struct {
	at, row uint32
	sum
}

// slot counts one symbol while what extends a code at one depth is read.
type slot struct {
	n   int
	to  int // where the next occurrence goes, -1 nowhere
	sum sum
}

// NewMatcher implements index.Space.
func (s *Space) NewMatcher(x index.Automaton, _ *index.Symbols, lambda float64) index.Matcher {
	return &Matcher{extender: extender{valued: true, lambda: lambda}, x: x.(*expansion.Index), plan: planter{s: s}}
}

// Match implements index.Matcher. A visit is a node that is added to a row, for a stored
// code or a prefix of one. More occurrences than are kept are an *index.OccurrenceError.
func (m *Matcher) Match(t *index.Tree, budget int64) ([]index.Hit, error) {
	m.hits, m.kept, m.visits, m.budget = m.hits[:0], m.kept[:0], 0, budget
	m.load(t)
	root := m.x.Root()
	for i, label := range m.labels {
		r, ok := m.x.Find(&root, 0, label)
		if !ok {
			continue
		}
		lv := m.level(1)
		lv.state = r
		lv.rows.reset(1)
		for _, n := range m.with.Of(i+1, i+2) {
			lv.rows.path = append(lv.rows.path, n)
			lv.rows.count = append(lv.rows.count, 1)
			lv.rows.value = append(lv.rows.value, 1)
		}
		n := float64(lv.rows.len())
		if err := m.enter(1, lv.rows.len(), sum{n, n}); err != nil {
			return nil, err
		}
	}
	return m.hits, nil
}

// load lays out t; symbols that occur in no code have no number.
func (m *Matcher) load(t *index.Tree) {
	m.plan.plan(t)
	m.labels = m.labels[:0]
	for _, label := range m.plan.label {
		if label != 0 && m.x.Live(label) {
			m.labels = append(m.labels, label)
		}
	}
	slices.Sort(m.labels)
	m.labels = slices.Compact(m.labels)
	for len(m.slots) <= len(m.labels) {
		m.slots = append(m.slots, slot{})
	}
	m.nodes = m.nodes[:0]
	for i := 0; i < len(m.plan.label); i += int(m.plan.size[i]) {
		m.nodes = m.plan.appendTo(m.nodes, i, 0, nil)
	}
	for i, label := range m.plan.label {
		if n, ok := slices.BinarySearch(m.labels, label); ok {
			m.nodes[i].num = uint32(n + 1)
		}
	}
	m.nodes.invert(&m.with, len(m.labels)+1)
}

// enter arrives at the state of level n, a code of n nodes with so many occurrences;
// where it goes on, the level has its rows.
func (m *Matcher) enter(n, entries int, all sum) error {
	lv := m.level(n)
	if m.visits += int64(entries); m.visits > m.budget && m.budget > 0 {
		return index.BudgetError(m.budget)
	}
	if lv.state.Out != 0 {
		m.hits = append(m.hits, index.Hit{ID: lv.state.Out, Order: int32(n), Match: index.Match{Count: all.count, Weight: all.value}})
	}
	if lv.state.N == 0 {
		return nil
	}
	last := lv.rows.stride
	if off := uint32(lv.state.MaxOff); off < expansion.Skip.Off {
		last = min(last, int(off))
	}
	mark := len(m.kept)
	lv.found = lv.found[:0]
	for d := 1; d <= last; d++ {
		if err := m.segment(lv, d, n+1); err != nil {
			return err
		}
	}
	for i := range lv.found {
		if err := m.follow(lv, &lv.found[i], n+1); err != nil {
			return err
		}
	}
	m.kept = m.kept[:mark]
	return nil
}

// segment adds to lv.found the extensions at depth d that are stored.
func (m *Matcher) segment(lv *matchLevel, d, order int) error {
	m.seen = m.seen[:0]
	for at := 0; at < lv.rows.len(); {
		at = m.group(&lv.rows, at, d)
		for i := m.from; i < len(m.count); i++ {
			num := m.nodes[int(m.base)+i].num
			if m.count[i] == 0 || num == 0 {
				continue
			}
			sl := &m.slots[num]
			if sl.n == 0 {
				m.seen = append(m.seen, num)
				sl.sum = sum{}
			}
			sl.n++
			sl.sum.count += m.count[i]
			sl.sum.value += m.value[i]
		}
	}
	slices.Sort(m.seen)
	size := len(m.kept)
	for _, num := range m.seen {
		sl := &m.slots[num]
		r, ok := m.x.Step(&lv.state, index.Step{Off: uint32(d), Sym: m.labels[num-1]})
		sl.to = -1
		if !ok {
			continue
		}
		fd := found{state: r, depth: d, entries: sl.n, sum: sl.sum, from: size, to: size}
		if r.N != 0 {
			sl.to = size
			size += sl.n
			fd.to = size
		}
		lv.found = append(lv.found, fd)
	}
	if size > maxKept {
		return &index.OccurrenceError{Order: order, Limit: maxKept}
	}
	if size > len(m.kept) {
		m.kept = slices.Grow(m.kept, size-len(m.kept))[:size]
		m.keep(lv, d)
	}
	for _, num := range m.seen {
		m.slots[num].n = 0
	}
	return nil
}

// keep places the occurrences of the extensions at depth d that go on.
func (m *Matcher) keep(lv *matchLevel, d int) {
	for at := 0; at < lv.rows.len(); {
		row := at
		at = m.group(&lv.rows, at, d)
		for i := m.from; i < len(m.count); i++ {
			node := m.base + uint32(i)
			sl := &m.slots[m.nodes[node].num]
			if m.count[i] == 0 || sl.n == 0 || sl.to < 0 {
				continue
			}
			m.kept[sl.to] = kept{node, uint32(row), sum{m.count[i], m.value[i]}}
			sl.to++
		}
	}
}

// follow goes on from the state of lv to an extension, at level n.
func (m *Matcher) follow(lv *matchLevel, fd *found, n int) error {
	next := m.level(n)
	next.state = fd.state
	next.rows.reset(fd.depth + 1)
	if fd.to-fd.from > maxPath/(fd.depth+1) {
		return &index.OccurrenceError{Order: n, Limit: uint64(maxPath / (fd.depth + 1))}
	}
	for _, k := range m.kept[fd.from:fd.to] {
		next.rows.addAfter(&lv.rows, k.row, k.at, fd.depth)
		next.rows.count = append(next.rows.count, k.count)
		next.rows.value = append(next.rows.value, k.value)
	}
	return m.enter(n, fd.entries, fd.sum)
}

func (m *Matcher) level(n int) *matchLevel {
	for n >= len(m.levels) {
		m.levels = append(m.levels, new(matchLevel))
	}
	return m.levels[n]
}
