package expansion

import "encoding/binary"

// Most states of a large index have no children: the fragments of the largest
// order. Where all children of a state are such and their ids run on, which they
// do as ids are ranks in code order, a large block holds their symbols only, in
// ascending order: 4 bytes a state for 20 in a table.
//
//	mark   a record with Sym 0 and Off leafMark; Out is the id of the first
//	       leaf, Start the number of records' worth of bytes that follow
//	words  of 4 bytes: the number of runs, then off and end (counted in leaves)
//	       of each run of equal off, then the leaves' symbols, then zeros
//
// The mark lets a block be told from records where it is copied without its state.

// leafMark is the Off of a mark. No record of a step has Sym 0 but a skip.
const leafMark = maxOff - 1

func (r *Record) isLeafMark() bool { return r.Sym == 0 && r.Off == leafMark }

// areLeaves says whether kids can be in leaf form.
func areLeaves(kids []Record) bool {
	for i := range kids {
		if k := &kids[i]; k.N != 0 || k.Sym == 0 || k.Out != kids[0].Out+uint32(i) {
			return false
		}
	}
	return kids[0].Out != 0
}

// layOutLeaves puts kids into leaf form, as records.
func layOutLeaves(block, kids []Record) []Record {
	words := []uint32{0}
	for i := range kids {
		if i == 0 || kids[i].Off != kids[i-1].Off {
			words[0]++
			words = append(words, uint32(kids[i].Off), 0)
		}
		words[len(words)-1] = uint32(i + 1)
	}
	for i := range kids {
		words = append(words, kids[i].Sym)
	}
	for len(words)%4 != 0 {
		words = append(words, 0)
	}
	block = append(block[:0], Record{Off: leafMark, Out: kids[0].Out, Start: uint32(len(words) / 4)})
	for i := 0; i < len(words); i += 4 {
		last := words[i+3]
		block = append(block, Record{
			Sym: words[i], Start: words[i+1], Out: words[i+2],
			Off: byte(last), MaxOff: byte(last >> 8), N: uint16(last >> 16),
		})
	}
	return block
}

// findLeaf is Find among the leaves of r. It trusts no byte.
func (x *Index) findLeaf(r *Record, off uint8, sym uint32) (leaf Record, ok bool) {
	at := uint64(r.Start)
	if at >= uint64(len(x.records)) || !x.records[at].isLeafMark() {
		return leaf, false
	}
	mark := &x.records[at]
	size := uint64(mark.Start)
	if at+1+size > uint64(len(x.records)) {
		return leaf, false
	}
	from := uint64(len(magic)) + (at+1)*recordSize
	words := x.data[from : from+size*recordSize]
	n := 4 * size
	if n == 0 || uint64(word(words, 0)) > (n-1)/2 {
		return leaf, false
	}
	runs := uint64(word(words, 0))
	syms := words[4+8*runs:]
	lo := uint64(0)
	for k := range runs {
		hi := uint64(word(words, 2+2*k))
		if hi < lo || hi > uint64(len(syms)/4) {
			return leaf, false
		}
		if word(words, 1+2*k) == uint32(off) {
			end := hi
			for lo < hi {
				m := (lo + hi) / 2
				if word(syms, m) < sym {
					lo = m + 1
				} else {
					hi = m
				}
			}
			if lo == end || word(syms, lo) != sym {
				return leaf, false
			}
			return Record{Sym: sym, Out: mark.Out + uint32(lo), Off: off}, true
		}
		lo = hi
	}
	return leaf, false
}

func word(b []byte, i uint64) uint32 { return binary.LittleEndian.Uint32(b[4*i:]) }
