package growth

import (
	"slices"
	"unsafe"
)

// Inverted is the inverted lists of a collection or a sample: for each symbol, by number,
// the places where it stands. The places of a symbol are in the order in which they are
// put. It allocates nothing once warm:
//
//	v.Fill(numbers, func() { for each place: v.Put(number, place) })
type Inverted[P any] struct {
	places []P
	start  []uint32 // those of number n are places[start[n]:start[n+1]]

	counted bool // by Fill
}

// Fill lists places anew, of symbols with numbers below n. It calls all twice, which puts every
// place: first they are counted, then they are laid out.
func (v *Inverted[P]) Fill(n int, all func()) {
	v.start, v.counted = append(v.start[:0], make([]uint32, n+2)...), false
	all()
	// start[num+1] is where the places of num start, then, as they are put, end.
	for i := 1; i < len(v.start); i++ {
		v.start[i] += v.start[i-1]
	}
	size := int(v.start[len(v.start)-1])
	v.places, v.counted = slices.Grow(v.places[:0], size)[:size], true
	all()
}

// Put appends a place to the list of a symbol, within Fill.
func (v *Inverted[P]) Put(num uint32, p P) {
	if !v.counted {
		v.start[num+2]++
		return
	}
	v.places[v.start[num+1]] = p
	v.start[num+1]++
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
