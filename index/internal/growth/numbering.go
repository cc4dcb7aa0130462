package growth

import (
	"cmp"
	"slices"
	"unsafe"

	"fstore/index"
)

// Numbering numbers symbols from 1. Once sorted, numbers ascend as the symbols do, so
// that what is counted in dense slots comes out in code order.
type Numbering struct {
	numbers []uint32 // by symbol; 0 where it has none
	symbols []uint32 // by number; the first is unused
}

// Of returns the number of a symbol, giving it the next one where it is new.
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

// Sort numbers the symbols anew, ascending, and returns the new number of each old one;
// number 0, which stands for no symbol, stays.
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

// Symbols are the symbols by number. The first is unused.
func (n *Numbering) Symbols() []uint32 { return n.symbols }

// In returns the numbers from lo up to hi-1: those of symbols that are first steps in r, with Off 0.
func (n *Numbering) In(r index.Range) (lo, hi int) {
	lo, hi = In(n.symbols[1:], r)
	return lo + 1, hi + 1
}

// In returns where the first steps in r with Off 0 are among ascending symbols, from lo up to hi-1.
func In(symbols []uint32, r index.Range) (lo, hi int) {
	at := func(packed uint64) int {
		i, _ := slices.BinarySearchFunc(symbols, packed, func(s uint32, p uint64) int {
			return cmp.Compare(index.Step{Sym: s}.Packed(), p)
		})
		return i
	}
	return at(r.Lo), max(at(r.Lo), at(r.Hi))
}

// Bytes is the memory held.
func (n *Numbering) Bytes() int64 { return 4 * int64(cap(n.numbers)+cap(n.symbols)) }

// Reset empties it.
func (n *Numbering) Reset() {
	clear(n.numbers)
	n.symbols = n.symbols[:0]
}

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
