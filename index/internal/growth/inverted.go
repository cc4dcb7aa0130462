package growth

import (
	"iter"
	"slices"
	"unsafe"
)

// Inverted is the inverted lists of a collection: for each symbol, by number, the places
// where it stands.
type Inverted[P any] struct {
	places []P
	start  []uint32 // those of number n are places[start[n]:start[n+1]]
}

// Fill lists the places of the symbols with numbers below n. each gives the number at
// every place, and the place; it is called twice. The places of a symbol come in its
// order.
func (v *Inverted[P]) Fill(n int, each iter.Seq2[uint32, P]) {
	v.start = append(v.start[:0], make([]uint32, n+2)...)
	for num := range each {
		v.start[num+2]++
	}
	// start[num+1] is where the places of num start, then, as they are filled, end.
	for i := 1; i < len(v.start); i++ {
		v.start[i] += v.start[i-1]
	}
	all := int(v.start[n+1])
	v.places = slices.Grow(v.places[:0], all)[:all]
	for num, p := range each {
		v.places[v.start[num+1]] = p
		v.start[num+1]++
	}
}

// Of returns the places of the symbols with numbers from lo up to hi-1, symbol by symbol.
func (v *Inverted[P]) Of(lo, hi int) []P { return v.places[v.start[lo]:v.start[hi]] }

// Bytes is the memory held, at least what so many places will take.
func (v *Inverted[P]) Bytes(places int) int64 {
	var p P
	return int64(unsafe.Sizeof(p))*int64(max(places, cap(v.places))) + 4*int64(cap(v.start))
}

// Reset empties it and keeps the memory.
func (v *Inverted[P]) Reset() { v.places, v.start = v.places[:0], v.start[:0] }
