package seq

import (
	"slices"
	"sync"

	"fstore/index"
	"fstore/index/internal/growth"
)

// Items are the sequences of many samples, one after the other.
type Items struct {
	s    *Space
	read sequence

	numbers growth.Numbering
	syms    []uint32 // by position: the number of the symbol, 0 where there is none
	seqs    []span

	// After Seal: the positions with each symbol, ascending, are
	// with[start[n]:start[n+1]].
	with  []place
	start []uint32

	counters sync.Pool // *growth.Counter: slots are as many as symbols
}

// span is a sequence: positions up to end, from where the one before ends.
type span struct{ end, sample uint32 }

// place is a position and its sequence.
type place struct{ pos, seq uint32 }

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
	q := &it.read
	it.s.read(t, q)
	begun := false
	for _, sym := range q.syms {
		begun = begun || sym != 0 && r.Contains(step(sym).Packed())
		switch {
		case !begun:
		case sym != 0:
			it.syms = append(it.syms, it.numbers.Of(sym))
		default:
			it.syms = append(it.syms, 0)
		}
	}
	if begun {
		it.seqs = append(it.seqs, span{uint32(len(it.syms)), sample})
	}
}

// Seal numbers the symbols and lists the positions of each.
func (it *Items) Seal() {
	renumbered := it.numbers.Sort()
	n := len(it.numbers.Symbols())
	it.start = append(it.start[:0], make([]uint32, n+1)...)
	for i, old := range it.syms {
		it.syms[i] = renumbered[old]
		it.start[it.syms[i]]++
	}
	// Cumulate: start[n] is where the positions with n end, then, as they are placed
	// from the last to the first, where they start.
	for i := 1; i <= n; i++ {
		it.start[i] += it.start[i-1]
	}
	it.with = slices.Grow(it.with[:0], len(it.syms))[:len(it.syms)]
	pos := len(it.syms)
	for s := len(it.seqs) - 1; s >= 0; s-- {
		for ; pos > it.from(s); pos-- {
			n := it.syms[pos-1]
			it.start[n]--
			it.with[it.start[n]] = place{uint32(pos - 1), uint32(s)}
		}
	}
}

// from is the first position of a sequence.
func (it *Items) from(s int) int {
	if s == 0 {
		return 0
	}
	return int(it.seqs[s-1].end)
}

// Bytes implements index.Items.
func (it *Items) Bytes() int64 {
	return 4*int64(cap(it.syms)+cap(it.start)) + 8*int64(cap(it.seqs)+max(cap(it.syms), cap(it.with))) + it.numbers.Bytes()
}

// Reset implements index.Items.
func (it *Items) Reset() {
	it.numbers.Reset()
	it.syms, it.seqs, it.with, it.start = it.syms[:0], it.seqs[:0], it.with[:0], it.start[:0]
	it.counters = sync.Pool{}
}
