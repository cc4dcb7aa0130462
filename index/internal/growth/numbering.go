package growth

import (
	"cmp"
	"slices"
	"unsafe"

	"fstore/index"
)

// Numbering numbers symbols from 1. After Sort, the numbers ascend as the symbols do.
type Numbering struct {
	numbers []uint32 // the number of each symbol, 0 for none
	symbols []uint32 // the symbol of each number; the first entry is unused
}

// Of returns the number of a symbol. A new symbol gets the next number.
func (n *Numbering) Of(symbol uint32) uint32 {
	if k := int(symbol) + 1; k > len(n.numbers) {
		n.numbers = append(n.numbers, make([]uint32, k+k/2-len(n.numbers))...)
	}
	if n.numbers[symbol] == 0 {
		if len(n.symbols) == 0 {
			n.symbols = append(n.symbols, 0)
		}
		n.numbers[symbol] = uint32(len(n.symbols))
		n.symbols = append(n.symbols, symbol)
	}
	return n.numbers[symbol]
}

// Sort gives the symbols new numbers, in ascending order, and returns the new number for each old number.
// Number 0 stays 0.
func (n *Numbering) Sort() (renumbered []uint32) {
	if len(n.symbols) == 0 {
		n.symbols = append(n.symbols, 0)
	}
	old := slices.Clone(n.symbols)
	slices.Sort(n.symbols[1:])
	for i, s := range n.symbols[1:] {
		n.numbers[s] = uint32(i + 1)
	}
	renumbered = make([]uint32, len(old))
	for i, s := range old[1:] {
		renumbered[i+1] = n.numbers[s]
	}
	return renumbered
}

// Symbols returns the symbols by number. Index 0 is unused.
func (n *Numbering) Symbols() []uint32 { return n.symbols }

// In returns the numbers [lo, hi) of the symbols s for which the step {0, s} is in r.
func (n *Numbering) In(r index.Range) (lo, hi int) {
	lo, hi = In(n.symbols[1:], r)
	return lo + 1, hi + 1
}

// In returns the bounds of the part symbols[lo:hi] of the symbols s for which the step {0, s} is in r. The
// symbols must ascend.
func In(symbols []uint32, r index.Range) (lo, hi int) {
	at := func(packed uint64) int {
		i, _ := slices.BinarySearchFunc(symbols, packed, func(s uint32, p uint64) int {
			return cmp.Compare(index.Step{Sym: s}.Packed(), p)
		})
		return i
	}
	return at(r.Lo), max(at(r.Lo), at(r.Hi))
}

// Bytes is the memory that n takes.
func (n *Numbering) Bytes() int64 { return 4 * int64(cap(n.numbers)+cap(n.symbols)) }

// Reset forgets all numbers.
func (n *Numbering) Reset() {
	clear(n.numbers)
	n.symbols = n.symbols[:0]
}

// Inverted has a list of places for each symbol, in the order of the calls of Put. A symbol is given by its
// number. Fill makes all lists anew:
//
//	v.Fill(numbers, func() { for each place: v.Put(number, place) })
type Inverted[P any] struct {
	places []P
	start  []uint32 // the places of number n are places[start[n]:start[n+1]]

	counted bool // Fill has counted the places and now lays them out
}

// Fill makes new lists for symbols with numbers below n. It calls `all` twice: to count the places, and to
// store them. Both times, `all` must call Put for every place.
func (v *Inverted[P]) Fill(n int, all func()) {
	v.start, v.counted = append(v.start[:0], make([]uint32, n+2)...), false
	all()
	// After this loop, start[num+1] is where the next place of num goes.
	for i := 1; i < len(v.start); i++ {
		v.start[i] += v.start[i-1]
	}
	size := int(v.start[len(v.start)-1])
	v.places, v.counted = slices.Grow(v.places[:0], size)[:size], true
	all()
}

// Put appends a place to the list of a symbol. Only the function given to Fill may call it.
func (v *Inverted[P]) Put(num uint32, p P) {
	if !v.counted {
		v.start[num+2]++
		return
	}
	v.places[v.start[num+1]] = p
	v.start[num+1]++
}

// Of returns the places of the symbols [lo, hi), symbol by symbol.
func (v *Inverted[P]) Of(lo, hi int) []P { return v.places[v.start[lo]:v.start[hi]] }

// Bytes returns the memory of v when it has this many places. v never shrinks.
func (v *Inverted[P]) Bytes(places int) int64 {
	var p P
	return int64(unsafe.Sizeof(p))*int64(max(places, cap(v.places))) + 4*int64(cap(v.start))
}

// Reset empties v and keeps the memory.
func (v *Inverted[P]) Reset() { v.places, v.start = v.places[:0], v.start[:0] }
