package seq

import (
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

	with     growth.Inverted[place] // after Seal: the positions with each symbol, ascending
	counters sync.Pool              // *growth.Counter: slots are as many as symbols
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
	for i, old := range it.syms {
		it.syms[i] = renumbered[old]
	}
	it.with.Fill(len(it.numbers.Symbols()), it.places)
}

// places calls yield with the symbol at each position, and the position.
func (it *Items) places(yield func(uint32, place) bool) {
	pos := uint32(0)
	for i, s := range it.seqs {
		for ; pos < s.end; pos++ {
			if !yield(it.syms[pos], place{pos, uint32(i)}) {
				return
			}
		}
	}
}

// Bytes implements index.Items.
func (it *Items) Bytes() int64 {
	return 4*int64(cap(it.syms)) + 8*int64(cap(it.seqs)) + it.with.Bytes(cap(it.syms)) + it.numbers.Bytes()
}

// Reset implements index.Items.
func (it *Items) Reset() {
	it.numbers.Reset()
	it.with.Reset()
	it.syms, it.seqs = it.syms[:0], it.seqs[:0]
	it.counters = sync.Pool{}
}
