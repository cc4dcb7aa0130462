package growth

import (
	"cmp"
	"slices"

	"fstore/index"
)

// Numbering numbers symbols, given as first steps, from 1. Once sorted, numbers ascend
// as the steps do, so that what is counted in dense slots comes out in code order.
type Numbering struct {
	rows  [][]uint32   // by Off and Sym; 0 where there is none
	steps []index.Step // by number; the first is unused
}

// Of returns the number of a step, giving it the next one where it is new.
func (n *Numbering) Of(s index.Step) uint32 {
	for int(s.Off) >= len(n.rows) {
		n.rows = append(n.rows, nil)
	}
	row := &n.rows[s.Off]
	if k := int(s.Sym) + 1; k > len(*row) {
		*row = append(*row, make([]uint32, k+k/2-len(*row))...)
	}
	if (*row)[s.Sym] == 0 {
		if len(n.steps) == 0 {
			n.steps = append(n.steps, index.Step{})
		}
		(*row)[s.Sym] = uint32(len(n.steps))
		n.steps = append(n.steps, s)
	}
	return (*row)[s.Sym]
}

// Sort numbers the steps anew, ascending, and returns the new number of each old one;
// number 0, which stands for no symbol, stays.
func (n *Numbering) Sort() (renumbered []uint32) {
	if len(n.steps) == 0 {
		n.steps = append(n.steps, index.Step{})
	}
	old := slices.Clone(n.steps)
	slices.SortFunc(n.steps[1:], func(a, b index.Step) int { return cmp.Compare(a.Packed(), b.Packed()) })
	for i, s := range n.steps[1:] {
		n.rows[s.Off][s.Sym] = uint32(i + 1)
	}
	renumbered = make([]uint32, len(old))
	for i, s := range old[1:] {
		renumbered[i+1] = n.rows[s.Off][s.Sym]
	}
	return renumbered
}

// Steps are the steps by number. The first is unused.
func (n *Numbering) Steps() []index.Step { return n.steps }

// In returns the numbers from lo up to hi-1, those of the steps in r.
func (n *Numbering) In(r index.Range) (lo, hi int) {
	at := func(packed uint64) int {
		i, _ := slices.BinarySearchFunc(n.steps[1:], packed, func(s index.Step, p uint64) int { return cmp.Compare(s.Packed(), p) })
		return i + 1
	}
	return at(r.Lo), max(at(r.Lo), at(r.Hi))
}

// Bytes is the memory held.
func (n *Numbering) Bytes() (b int64) {
	for _, r := range n.rows {
		b += 4 * int64(cap(r))
	}
	return b + 8*int64(cap(n.steps))
}

// Reset empties it.
func (n *Numbering) Reset() { *n = Numbering{steps: n.steps[:0]} }
