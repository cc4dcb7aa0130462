// Package projection grows and matches fragments that are lists of symbols, for the
// spaces that are made of them (poly, tag). Growth is by prefix projection, as in
// PrefixSpan (Pei et al. 2001): an occurrence is the place in a row of symbols where
// what may follow begins, and the symbols found from there on are the extensions, so
// that each list is grown once, from the list without its last symbol.
//
// There are two kinds of rows. A set is ascending symbols, and its fragments are its
// subsets, written ascending: any later symbol may follow, and a subset occurs once. A
// sequence is elements of some symbols each, alternatives side by side, and its
// fragments are runs: a choice of one symbol for each of some neighbouring elements. In
// a sequence 0 is no symbol, and an element of zeros is where runs end.
//
// A code is a fragment's symbols, each a step with Off 0.
//
// Where to start reading: this file has the layout of rows, grow.go growth, match.go the
// same along the stored codes.
package projection

import (
	"slices"
	"sync"

	"fstore/index"
	"fstore/index/internal/growth"
)

// Items are the rows of many samples, see index.Items: 12 bytes a symbol.
type Items struct {
	width int // the symbols of an element; 0: rows are sets

	numbers growth.Numbering
	syms    []uint32 // row by row: the number of the symbol, 0 where there is none
	rows    []row

	with     growth.Inverted[place] // after Seal: the places of each symbol, ascending
	counters sync.Pool              // *growth.Counter: slots are as many as symbols
}

// row is a row, or what growth needs of it: symbols up to end, from where the one
// before ends.
type row struct{ end, sample uint32 }

// place is the place of a symbol, and its row.
type place struct{ at, row uint32 }

// NewSets returns empty items for rows that are sets.
func NewSets() *Items { return &Items{} }

// NewSequences returns empty items for sequences of elements of so many symbols.
func NewSequences(width int) *Items { return &Items{width: width} }

// AddRow appends what growth in r needs of a row: of a set, its symbols from the first
// one in r on; of a sequence, the elements that a run of order l.MaxOrder reaches which
// starts with a symbol in r.
func (it *Items) AddRow(sample uint32, syms []uint32, r index.Range, l index.Limits) {
	if it.width > 0 {
		it.addRuns(sample, syms, r, l)
		return
	}
	from := slices.IndexFunc(syms, func(s uint32) bool { return r.Contains(uint64(s)) })
	if from >= 0 {
		it.add(sample, syms[from:])
	}
}

func (it *Items) addRuns(sample uint32, syms []uint32, r index.Range, l index.Limits) {
	from, reach := 0, 0 // the run of elements so far
	for i := 0; i < len(syms); i += it.width {
		if !slices.ContainsFunc(syms[i:i+it.width], func(s uint32) bool { return s != 0 && r.Contains(uint64(s)) }) {
			continue
		}
		if i > reach {
			it.add(sample, syms[from:reach])
			from = i
		}
		if reach = len(syms); l.MaxOrder > 0 && l.MaxOrder < (len(syms)-i)/it.width {
			reach = i + l.MaxOrder*it.width
		}
	}
	it.add(sample, syms[from:reach])
}

// add appends a row.
func (it *Items) add(sample uint32, syms []uint32) {
	if len(syms) == 0 {
		return
	}
	for _, s := range syms {
		n := uint32(0)
		if s != 0 {
			n = it.numbers.Of(s)
		}
		it.syms = append(it.syms, n)
	}
	it.rows = append(it.rows, row{uint32(len(it.syms)), sample})
}

// Seal numbers the symbols and lists the places of each.
func (it *Items) Seal() {
	renumbered := it.numbers.Sort()
	for i, old := range it.syms {
		it.syms[i] = renumbered[old]
	}
	it.with.Fill(len(it.numbers.Symbols()), it.places)
}

// places calls yield with the symbol at each place, and the place.
func (it *Items) places(yield func(uint32, place) bool) {
	at := uint32(0)
	for i, r := range it.rows {
		for ; at < r.end; at++ {
			if !yield(it.syms[at], place{at, uint32(i)}) {
				return
			}
		}
	}
}

// Bytes implements index.Items: before Seal, with what that will add.
func (it *Items) Bytes() int64 {
	return 4*int64(cap(it.syms)) + 8*int64(cap(it.rows)) + it.with.Bytes(cap(it.syms)) + it.numbers.Bytes()
}

// Reset implements index.Items.
func (it *Items) Reset() {
	it.numbers.Reset()
	it.with.Reset()
	it.syms, it.rows = it.syms[:0], it.rows[:0]
	it.counters = sync.Pool{}
}
