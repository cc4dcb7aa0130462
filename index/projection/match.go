package projection

import (
	"slices"

	"fstore/index"
	"fstore/index/expansion"
)

// Matcher finds the indexed fragments of rows, for one goroutine. Once its memory is large enough, it
// allocates nothing.
type Matcher struct {
	x      *expansion.Index
	width  int
	row    []uint32
	hits   expansion.Hits
	visits int64
	budget int64
}

// NewMatcher returns a matcher for rows. If width is 0, rows are sets. Otherwise rows are sequences, and
// width is the number of symbols in an element.
func NewMatcher(x index.Automaton, width int) *Matcher {
	return &Matcher{x: x.(*expansion.Index), width: width}
}

// Live says whether a symbol occurs in a stored code. A row for Match need not have other symbols: a sequence
// can have 0 instead.
func (m *Matcher) Live(sym uint32) bool { return m.x.Live(sym) }

// Match returns the fragments of a row, see index.Matcher.
func (m *Matcher) Match(row []uint32, budget int64) ([]index.Hit, error) {
	m.hits.Reset()
	m.row, m.visits, m.budget = row, 0, budget
	root := m.x.Root()
	if m.width == 0 {
		if err := m.subsets(root, 0, 0); err != nil {
			return nil, err
		}
		return m.hits.Merged(), nil
	}
	for at := 0; at < len(row); at += m.width {
		if err := m.runs(root, at, 0); err != nil {
			return nil, err
		}
	}
	m.hits.Sort(0)
	return m.hits.Merged(), nil
}

// enter counts a visit to the state r and records its feature, unless r is the root.
func (m *Matcher) enter(r expansion.Record, order int) error {
	if order == 0 {
		return nil
	}
	if m.visits++; m.visits > m.budget && m.budget > 0 {
		return index.BudgetError(m.budget)
	}
	if r.Out != 0 {
		m.hits.Add(r.Out, order)
	}
	return nil
}

// runs enters the state r, and all states that follow from r by a run at the beginning of m.row[at:].
func (m *Matcher) runs(r expansion.Record, at, order int) error {
	if err := m.enter(r, order); err != nil || r.N == 0 || at == len(m.row) {
		return err
	}
	for _, s := range m.row[at : at+m.width] {
		if s == 0 {
			continue
		}
		if c, ok := m.x.Find(&r, 0, s); ok {
			if err := m.runs(c, at+m.width, order+1); err != nil {
				return err
			}
		}
	}
	return nil
}

// subsets visits the state r, and all states that can be reached from r by symbols of m.row[at:]. The ids of
// the hits ascend.
func (m *Matcher) subsets(r expansion.Record, at, order int) error {
	if err := m.enter(r, order); err != nil || r.N == 0 {
		return err
	}
	if n := m.x.Ordered(&r); n > 0 && n < len(m.row)-at {
		for i := range n {
			c := m.x.Child(&r, i)
			k, ok := slices.BinarySearch(m.row[at:], c.Sym)
			at += k
			if !ok || c.Off != 0 {
				continue
			}
			if err := m.subsets(c, at+1, order+1); err != nil {
				return err
			}
		}
		return nil
	}
	for k := at; k < len(m.row); k++ {
		if c, ok := m.x.Find(&r, 0, m.row[k]); ok {
			if err := m.subsets(c, k+1, order+1); err != nil {
				return err
			}
		}
	}
	return nil
}
