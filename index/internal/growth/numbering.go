package growth

import (
	"slices"

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

// In returns the numbers from lo up to hi-1: those of symbols that are first steps in r,
// with Off 0.
func (n *Numbering) In(r index.Range) (lo, hi int) {
	at := func(packed uint64) int {
		i, _ := slices.BinarySearchFunc(n.symbols[1:], packed, func(s uint32, p uint64) int {
			if (index.Step{Sym: s}).Packed() < p {
				return -1
			}
			return 1
		})
		return i + 1
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
