package growth

import (
	"slices"
	"unsafe"
)

// Inverted is the inverted lists of a collection or a sample: for each symbol, by number,
// the places where it stands. The places of a symbol are in the order in which they are
// put. It allocates nothing once warm:
//
//	v.Begin(numbers)
//	for each place: v.Count(number)
//	v.Counted()
//	for each place: v.Put(number, place)
type Inverted[P any] struct {
	places []P
	start  []uint32 // those of number n are places[start[n]:start[n+1]]
}

// Begin empties the lists of the symbols with numbers below n.
func (v *Inverted[P]) Begin(n int) { v.start = append(v.start[:0], make([]uint32, n+2)...) }

// Count makes room for one more place.
func (v *Inverted[P]) Count(num uint32) { v.start[num+2]++ }

// Counted says that there is room for all.
func (v *Inverted[P]) Counted() {
	// start[num+1] is where the places of num start, then, as they are put, end.
	for i := 1; i < len(v.start); i++ {
		v.start[i] += v.start[i-1]
	}
	all := int(v.start[len(v.start)-1])
	v.places = slices.Grow(v.places[:0], all)[:all]
}

// Put appends a place to the list of a symbol.
func (v *Inverted[P]) Put(num uint32, p P) {
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
