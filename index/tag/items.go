package tag

import (
	"slices"

	"fstore/index"
	"fstore/index/projection"
)

// Tally counts the states of t, both with and without their words.
func (s Space) Tally(t *index.Tree, syms *index.Symbols, sample uint32, tally *index.Tally) {
	r := stateRows{s: s, syms: syms}
	for _, sym := range r.of(t) {
		if sym != 0 {
			tally.Add(index.Step{Sym: sym}, sample)
		}
	}
}

// Items are the states of many samples.
type Items struct {
	*projection.Items
	rows stateRows
}

// NewItems returns an empty *Items.
func (s Space) NewItems(syms *index.Symbols) index.Items {
	return &Items{projection.NewSequences(width), stateRows{s: s, syms: syms}}
}

// Add implements index.Items.
func (it *Items) Add(sample uint32, t *index.Tree, r index.Range, l index.Limits) {
	it.Items.Add(sample, it.rows.of(t), r, l)
}

// Additive implements index.Additive.
func (Space) Additive() bool { return true }

// Locate returns the words (nodes or tokens) of each run that matches c.
func (s Space) Locate(t *index.Tree, c index.Code, syms *index.Symbols) (found []index.Occurrence) {
	steps, ok := c.Steps(nil)
	if !ok {
		return nil
	}
	r := stateRows{s: s, syms: syms}
	row := r.of(t)
	var places []int32
	s.each(t, func(at int, _ state) { places = append(places, int32(at)) })
	for i := 0; i+len(steps) <= len(places); i++ {
		n := 0
		for n < len(steps) && slices.Contains(row[(i+n)*width:][:width], steps[n].Sym) {
			n++
		}
		if n == len(steps) {
			found = append(found, append(index.Occurrence(nil), places[i:i+n]...))
		}
	}
	return found
}

// matcher turns trees into rows, and finds the fragments in them.
type matcher struct {
	*projection.Matcher
	rows stateRows
}

// NewMatcher implements index.Space.
func (s Space) NewMatcher(x index.Automaton, syms *index.Symbols, _ float64) index.Matcher {
	m := projection.NewMatcher(x, width)
	return &matcher{m, stateRows{s: s, syms: syms, wanted: m.Live}}
}

// Match implements index.Matcher.
func (m *matcher) Match(t *index.Tree, budget int64) ([]index.Hit, error) {
	return m.Matcher.Match(m.rows.of(t), budget)
}
