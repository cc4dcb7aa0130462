package seq

import (
	"slices"

	"fstore/index"
	"fstore/index/internal/growth"
)

// Items are the sequences of many samples.
type Items struct {
	growth.Rows
	s     *Space
	read  sequence
	reach growth.Memo[reachKey, []float64]
}

// NewItems returns an empty *Items.
func (s *Space) NewItems(*index.Symbols) index.Items { return &Items{s: s} }

// Tally counts the symbols of t.
func (s *Space) Tally(t *index.Tree, _ *index.Symbols, sample uint32, tally *index.Tally) {
	var q sequence
	s.read(t, &q)
	for _, sym := range q.syms {
		if sym != 0 {
			tally.Add(step(sym), sample)
		}
	}
}

// Add appends the words of t from the first one on that a fragment in r can begin with.
func (it *Items) Add(sample uint32, t *index.Tree, r index.Range, _ index.Limits) {
	it.s.read(t, &it.read)
	syms := it.read.syms
	from := slices.IndexFunc(syms, func(sym uint32) bool { return sym != 0 && r.Contains(step(sym).Packed()) })
	if from >= 0 {
		it.AddRow(sample, syms[from:])
	}
}

// Reset implements index.Items.
func (it *Items) Reset() {
	it.Rows.Reset()
	it.reach.Reset()
}
