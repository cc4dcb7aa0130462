// Package projection grows and matches fragments that are lists of symbols, for the spaces poly and tag.
// Growth is by prefix projection, as in PrefixSpan (Pei et al. 2001): a list grows by one symbol at its end.
//
// A row is a set or a sequence. A set has ascending symbols, and its fragments are its subsets. A sequence
// has elements, each with several alternative symbols. Its fragments are runs: a run has one symbol from each
// of one or more neighbouring elements. The number 0 is no symbol, so a run ends at an element of zeros.
//
// A code is the list of a fragment's symbols, each a step with Off 0.
//
// Where to start reading: this file makes rows from samples, grow.go has growth, and match.go matches stored
// codes.
package projection

import (
	"slices"

	"fstore/index"
	"fstore/index/internal/growth"
)

// Items are the rows of many samples, see index.Items.
type Items struct {
	growth.Rows
	width int // the number of symbols of an element; 0: rows are sets
}

// NewSets returns Items without a row yet. Each row will be a set.
func NewSets() *Items { return &Items{} }

// NewSequences returns empty items for sequences whose elements have `width` symbols each.
func NewSequences(width int) *Items { return &Items{width: width} }

// Add appends the part of a row that can hold fragments whose first symbol is in r.
func (it *Items) Add(sample uint32, syms []uint32, r index.Range, l index.Limits) {
	if it.width > 0 {
		it.addRuns(sample, syms, r, l)
		return
	}
	from := slices.IndexFunc(syms, func(s uint32) bool { return r.Contains(uint64(s)) })
	if from >= 0 {
		it.AddRow(sample, syms[from:])
	}
}

func (it *Items) addRuns(sample uint32, syms []uint32, r index.Range, l index.Limits) {
	from, reach := 0, 0 // the run of elements so far
	for i := 0; i < len(syms); i += it.width {
		if !slices.ContainsFunc(syms[i:i+it.width], func(s uint32) bool { return s != 0 && r.Contains(uint64(s)) }) {
			continue
		}
		if i > reach {
			it.AddRow(sample, syms[from:reach])
			from = i
		}
		if reach = len(syms); l.MaxOrder > 0 && l.MaxOrder < (len(syms)-i)/it.width {
			reach = i + l.MaxOrder*it.width
		}
	}
	it.AddRow(sample, syms[from:reach])
}
