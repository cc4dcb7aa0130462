package expansion

import (
	"encoding/binary"
	"slices"
)

// Most states of a large index have no children: the fragments of the largest
// order. Where all children of a state are such, their ids follow the state's own
// one by one, as ids are ranks in code order; what is left to store of a leaf is
// its step, in 4 bytes: off<<24 | sym. One leaf alone is kept in its parent's
// record and has no block. (IcePaHC, order ≤ 5: 440,000 of 898,650 states are in
// this form, which is 11 bytes a state where records were 16.4, and every sixth
// block that the walk read had one leaf.)

const (
	// single is the N of a state with one leaf: Start is its symbol, MaxOff its off.
	single = leaves
	// LeafBits is what the symbol takes of a leaf's word.
	LeafBits = 24
	// mostLeaves is the largest number of leaves in a block of words.
	mostLeaves = leaves - 1
	// perRecord is the number of words in the place of a record.
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

// appendLeaves appends the words of kids, and zeros up to a whole number of records.
func appendLeaves(dst []byte, kids []Record) []byte {
	for i := range kids {
		dst = binary.LittleEndian.AppendUint32(dst, uint32(kids[i].Off)<<LeafBits|kids[i].Sym)
	}
	for i := len(kids); i%perRecord != 0; i++ {
		dst = binary.LittleEndian.AppendUint32(dst, 0)
	}
	return dst
}

// Single says whether r has one child, a leaf, whose symbol is then Start and its off
// MaxOff; its feature id is r.Out + 1.
func (r *Record) Single() bool { return r.N == single }

// Leaves returns the steps of r's children where they stand as words, each as
// off<<24 | sym, ascending; child i has the feature id r.Out + 1 + i. It is nil in all
// other forms, and where the record points outside of the index.
func (x *Index) Leaves(r *Record) []uint32 {
	n := uint64(r.N ^ leaves)
	from := perRecord * uint64(r.Start)
	if n > mostLeaves || from+n > uint64(len(x.words)) {
		return nil
	}
	return x.words[from : from+n : from+n]
}

// only is the child of r where it is Single.
func (r *Record) only() Record {
	return Record{Sym: r.Start, Out: r.Out + 1, Off: r.MaxOff}
}

// leaf is the i-th child of r, whose step is given.
func (r *Record) leaf(step uint32, i int) Record {
	return Record{Sym: step & (1<<LeafBits - 1), Out: r.Out + 1 + uint32(i), Off: uint8(step >> LeafBits)}
}

// FindLeaf looks for a step among Leaves.
func FindLeaf(steps []uint32, off uint8, sym uint32) (i int, ok bool) {
	if sym>>LeafBits != 0 {
		return 0, false
	}
	return slices.BinarySearch(steps, uint32(off)<<LeafBits|sym)
}

// NextLeaf is FindLeaf among the steps from a place on. i is where the step is, or would be: who
// looks for ascending steps goes on from there. It takes time with the logarithm of how far that is.
func NextLeaf(steps []uint32, from int, off uint8, sym uint32) (i int, ok bool) {
	if sym>>LeafBits != 0 {
		return from, false
	}
	want := uint32(off)<<LeafBits | sym
	to := from
	for stride := 1; to < len(steps) && steps[to] < want; stride *= 2 {
		from, to = to+1, to+stride
	}
	i, ok = slices.BinarySearch(steps[from:min(to+1, len(steps))], want)
	return from + i, ok
}
