package expansion

import (
	"encoding/binary"
	"slices"
)

// A leaf is a state without children. If all children of a state are leaves, their feature ids follow the
// state's id, one by one. Each of them then needs only its step, in 4 bytes: off<<24 | sym. A single leaf is
// stored in its parent's record. (IcePaHC, order ≤ 5: 440,000 of 898,650 states are in this form. A state
// takes 11 bytes instead of 16.4.)

const (
	// single is Record.N of a state whose only child is a leaf. Record.Start then has the leaf's symbol, and
	// Record.MaxOff its Off.
	single = leaves
	// LeafBits is how many of the 32 bits of a leaf have its symbol. The other bits have its off.
	LeafBits = 24
	// mostLeaves is the largest number of children in leaf form. Record.N adds the flag `leaves` to the
	// number.
	mostLeaves = leaves - 1
	// perRecord is how many leaves take the space of one record.
	perRecord = recordSize / 4
)

// areLeaves says whether kids, the children of r, can be in leaf form.
func areLeaves(r *Record, kids []Record) bool {
	if r.Out == 0 || len(kids) > mostLeaves {
		return false
	}
	for i := range kids {
		if k := &kids[i]; k.N != 0 || k.Sym>>LeafBits != 0 || k.Out != r.Out+1+uint32(i) {
			return false
		}
	}
	return true
}

// appendLeaves appends 4 bytes for each leaf in kids, and then zeros until the last record is full.
func appendLeaves(dst []byte, kids []Record) []byte {
	for i := range kids {
		dst = binary.LittleEndian.AppendUint32(dst, uint32(kids[i].Off)<<LeafBits|kids[i].Sym)
	}
	for i := len(kids); i%perRecord != 0; i++ {
		dst = binary.LittleEndian.AppendUint32(dst, 0)
	}
	return dst
}

// Single says whether r has one child, which is a leaf. The leaf's symbol is then r.Start, its off r.MaxOff,
// and its feature id r.Out + 1.
func (r *Record) Single() bool { return r.N == single }

// only returns the record of the single child of r. r.Single() must be true.
func (r *Record) only() Record {
	return Record{Sym: r.Start, Out: r.Out + 1, Off: r.MaxOff}
}

// leaf returns the i-th child of r. The parameter `step` is element i of Leaves(r).
func (r *Record) leaf(step uint32, i int) Record {
	return Record{Sym: step & (1<<LeafBits - 1), Out: r.Out + 1 + uint32(i), Off: uint8(step >> LeafBits)}
}

// FindLeaf looks up the step (off, sym) in a result of Leaves.
func FindLeaf(steps []uint32, off uint8, sym uint32) (i int, ok bool) {
	if sym>>LeafBits != 0 {
		return 0, false
	}
	return slices.BinarySearch(steps, uint32(off)<<LeafBits|sym)
}

// NextLeaf is like FindLeaf for steps[start:], but returns an index in all of `steps`. The time grows with
// the logarithm of i - start.
func NextLeaf(steps []uint32, start int, off uint8, sym uint32) (i int, ok bool) {
	if sym>>LeafBits != 0 {
		return start, false
	}
	want := uint32(off)<<LeafBits | sym
	to := start
	for stride := 1; to < len(steps) && steps[to] < want; stride *= 2 {
		start, to = to+1, to+stride
	}
	i, ok = slices.BinarySearch(steps[start:min(to+1, len(steps))], want)
	return start + i, ok
}
