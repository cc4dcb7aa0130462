package poly

import (
	"slices"

	"fstore/index"
	"fstore/index/projection"
)

// Tally counts the basic features of t, each once.
func (s *Space) Tally(t *index.Tree, syms *index.Symbols, sample uint32, tally *index.Tally) {
	l := s.newLister(syms)
	for _, sym := range l.appendRow(nil, t, syms, nil) {
		tally.Add(index.Step{Sym: sym}, sample)
	}
}

// Items are the basic features of many samples.
type Items struct {
	*projection.Items
	s    *Space
	syms *index.Symbols
	row  []uint32
}

// NewItems returns an empty *Items.
func (s *Space) NewItems(syms *index.Symbols) index.Items {
	return &Items{Items: projection.NewSets(), s: s, syms: syms}
}

// Add implements index.Items.
func (it *Items) Add(sample uint32, t *index.Tree, r index.Range, l index.Limits) {
	// A sample can bring new names, which an older lister does not have.
	keys := it.s.newLister(it.syms)
	it.row = keys.appendRow(it.row[:0], t, it.syms, nil)
	it.Items.Add(sample, it.row, r, l)
}

// Additive implements index.Additive.
func (*Space) Additive() bool { return true }

// Grow implements index.Items. It grows no fragments above the degree of the space.
func (it *Items) Grow(r index.Range, w index.Weights, l index.Limits, v index.Visitor) (index.Counts, error) {
	if l.MaxOrder == 0 || l.MaxOrder > it.s.degree {
		l.MaxOrder = it.s.degree
	}
	return it.Items.Grow(r, w, l, v)
}

// Locate returns at most one occurrence of c: for each feature, the tokens of the first arc that has it.
func (s *Space) Locate(t *index.Tree, c index.Code, syms *index.Symbols) []index.Occurrence {
	steps, ok := c.Steps(nil)
	if !ok || len(steps) == 0 {
		return nil
	}
	left := make(map[uint32]bool, len(steps))
	for _, st := range steps {
		left[st.Sym] = true
	}
	occ := index.Occurrence{}
	l := s.newLister(syms)
	l.each(t, func(token int, key []byte) {
		sym := syms.Lookup(index.Features, key)
		if !left[sym] {
			return
		}
		delete(left, sym)
		if token < 0 {
			return
		}
		occ = append(occ, int32(token))
		if h := t.Tokens[token].Head; h > 0 {
			occ = append(occ, h-1)
		}
	})
	if len(left) > 0 {
		return nil
	}
	slices.Sort(occ)
	return []index.Occurrence{slices.Compact(occ)}
}

// matcher matches trees by their rows. The row of a tree has the symbols of its basic features, ascending.
type matcher struct {
	*projection.Matcher
	keys   lister
	syms   *index.Symbols
	row    []uint32
	wanted func(uint32) bool
}

// NewMatcher implements index.Space.
func (s *Space) NewMatcher(x index.Automaton, syms *index.Symbols, _ float64) index.Matcher {
	m := &matcher{Matcher: projection.NewMatcher(x, 0), keys: s.newLister(syms), syms: syms}
	m.wanted = m.Live
	return m
}

// Match implements index.Matcher. Features with unknown words match nothing.
func (m *matcher) Match(t *index.Tree, budget int64) ([]index.Hit, error) {
	m.row = m.keys.appendRow(m.row[:0], t, m.syms, m.wanted)
	return m.Matcher.Match(m.row, budget)
}
