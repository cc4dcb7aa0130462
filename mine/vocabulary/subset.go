package vocabulary

import (
	"slices"

	"fstore/index"
)

// Subset is some of the fragments of a space that a store has, or of a selection, numbered from 1
// in their order.
type Subset struct {
	Hash uint64 // of the vocabulary: that of a selection of the same fragments

	number []uint32 // by the number in the whole; 0 is none
	whole  []uint32 // by the number in the subset
	vocab  Hash
}

// NewSubset begins a subset of the fragments numbered from 1 to n.
func NewSubset(n uint32) *Subset { return &Subset{number: make([]uint32, n+1), whole: []uint32{0}} }

// Add adds a fragment; the numbers that it has in the whole ascend.
func (s *Subset) Add(n uint32, c index.Code) {
	for int(n) >= len(s.number) { // of a damaged store: whoever counts fragments tells
		s.number = append(s.number, 0)
	}
	s.number[n] = uint32(len(s.whole))
	s.whole = append(s.whole, n)
	s.vocab.Add(c)
}

// Finish ends adding.
func (s *Subset) Finish(space index.Space, syms *index.Symbols) {
	s.Hash, s.vocab = s.vocab.Hash(space, syms), Hash{}
	s.whole = slices.Clip(s.whole)
}

// Len is how many fragments there are.
func (s *Subset) Len() uint32 { return uint32(len(s.whole) - 1) }

// Number is the number of a fragment, by that in the whole; 0 where it is none of the subset.
func (s *Subset) Number(n uint32) uint32 {
	if int(n) >= len(s.number) {
		return 0
	}
	return s.number[n]
}

// At is the number in the whole of fragment n, from 1.
func (s *Subset) At(n uint32) uint32 { return s.whole[n] }
