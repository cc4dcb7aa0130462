package emb

import (
	"slices"

	"fstore/index"
	"fstore/index/expansion"
	"fstore/index/internal/growth"
	"fstore/index/internal/walk"
)

// Matcher grows the stored fragments along a tree, as growth does (index/README.md, "Matching"). It sums the
// embeddings that have the same rightmost path. Hits come in code order.
type Matcher struct {
	extender
	walk.Walk // number 0 is for nodes without a symbol
	plan      planter
	with      growth.Inverted[uint32]
	levels    growth.Levels[matchLevel]
	kept      []kept // the occurrences of all levels, the deepest level last
}

// matchLevel has the data of one depth of the walk.
type matchLevel struct {
	state expansion.Record
	rows  embeddings
	found []walk.Found
}

// kept is an occurrence: a row of embeddings, extended by the node `at`.
type kept struct {
	at, row      uint32
	count, value float64
}

// NewMatcher implements index.Space.
func (s *Space) NewMatcher(x index.Automaton, _ *index.Symbols, lambda float64) index.Matcher {
	return &Matcher{extender: extender{valued: true, lambda: lambda}, Walk: walk.Walk{Index: x.(*expansion.Index)}, plan: planter{s: s}}
}

// Match implements index.Matcher. A visit is one row of embeddings of a stored code, or of a prefix of it. If
// there are too many occurrences, the error is an *index.OccurrenceError.
func (m *Matcher) Match(t *index.Tree, budget int64) ([]index.Hit, error) {
	m.kept = m.kept[:0]
	m.Begin(budget)
	m.load(t)
	root := m.Index.Root()
	for i, label := range m.Symbols {
		r, ok := m.Index.Find(&root, 0, label)
		if i == 0 || !ok {
			continue
		}
		lv := m.levels.At(1)
		lv.state = r
		lv.rows.reset(1)
		for _, n := range m.with.Of(i, i+1) {
			lv.rows.add(nil, 0, n, 0, 1)
			lv.rows.value = append(lv.rows.value, 1)
		}
		n := float64(lv.rows.len())
		if err := m.enter(1, lv.rows.len(), n, n); err != nil {
			return nil, err
		}
	}
	return m.Hits(), nil
}

// load puts the nodes of t into m.nodes. Nodes with labels that occur in no stored code match nothing.
func (m *Matcher) load(t *index.Tree) {
	m.plan.plan(t)
	m.Symbols = append(m.Symbols, 0)
	for _, label := range m.plan.Label {
		if label != 0 && m.Index.Live(label) {
			m.Symbols = append(m.Symbols, label)
		}
	}
	m.Numbered()
	m.nodes = m.nodes[:0]
	for i := 0; i < len(m.plan.Label); i += int(m.plan.Size[i]) {
		m.nodes = m.plan.appendTo(m.nodes, i, 0, nil)
	}
	for i, label := range m.plan.Label {
		if n, ok := m.NumberOf(label); ok {
			m.nodes[i].num = n
		}
	}
	m.nodes.invert(&m.with, len(m.Symbols))
}

// enter adds the hit of the code at level n, and walks on to the stored extensions of the code.
func (m *Matcher) enter(n, entries int, count, value float64) error {
	lv := m.levels.At(n)
	if err := m.Visit(entries); err != nil {
		return err
	}
	m.Hit(lv.state.Out, n, count, value)
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

// segment adds to lv.found the stored extensions whose new node has depth d.
func (m *Matcher) segment(lv *matchLevel, d, order int) error {
	for at := 0; at < lv.rows.len(); {
		at = m.group(&lv.rows, at, d)
		for i := m.from; i < len(m.count); i++ {
			if num := m.nodes[int(m.base)+i].num; m.count[i] != 0 && num != 0 {
				m.Count(num, m.count[i], m.value[i])
			}
		}
	}
	had, size := len(m.kept), uint32(0)
	lv.found, size = m.Stored(lv.found, &lv.state, uint32(d), uint32(had))
	if size > maxKept {
		return &index.OccurrenceError{Order: order, Limit: maxKept}
	}
	if int(size) > had {
		m.kept = slices.Grow(m.kept, int(size)-had)[:size]
		m.keep(lv, d)
	}
	m.Free()
	return nil
}

// keep stores the occurrences of the extensions at depth d. It leaves out extensions that no stored code
// continues.
func (m *Matcher) keep(lv *matchLevel, d int) {
	for at := 0; at < lv.rows.len(); {
		row := at
		at = m.group(&lv.rows, at, d)
		for i := m.from; i < len(m.count); i++ {
			node := m.base + uint32(i)
			if m.count[i] == 0 {
				continue
			}
			if to, ok := m.Place(m.nodes[node].num); ok {
				m.kept[to] = kept{node, uint32(row), m.count[i], m.value[i]}
			}
		}
	}
}

// follow goes from the state of lv to an extension, which becomes level n.
func (m *Matcher) follow(lv *matchLevel, fd *walk.Found, n int) error {
	next := m.levels.At(n)
	depth := int(fd.Step.Off)
	next.state = fd.Record
	next.rows.reset(depth + 1)
	if most := maxPath / (depth + 1); int(fd.To-fd.From) > most {
		return &index.OccurrenceError{Order: n, Limit: uint64(most)}
	}
	for _, k := range m.kept[fd.From:fd.To] {
		next.rows.add(&lv.rows, k.row, k.at, depth, k.count)
		next.rows.value = append(next.rows.value, k.value)
	}
	return m.enter(n, int(fd.Entries), fd.Count, fd.Value)
}
