package expansion

import (
	"math/bits"

	"fstore/index"
)

// Root is the state before the first step.
func (x *Index) Root() Record { return Record{N: origin, MaxOff: x.later.MaxOff} }

// Block returns the children of r that are stored as records: sorted if r.Sorted(), else as a hash table. It
// returns nil if r points outside the index.
func (x *Index) Block(r *Record) []Record {
	from, n := uint64(r.Start), uint64(r.slots())
	if from+n > uint64(len(x.records)) {
		return nil
	}
	return x.records[from : from+n : from+n]
}

// Leaves returns the steps to r's children in leaf form (leaf.go), or nil. The steps ascend, each as off<<24
// | sym. Child i has the feature id r.Out + 1 + i.
func (x *Index) Leaves(r *Record) []uint32 {
	n := uint64(r.N ^ leaves)
	from := perRecord * uint64(r.Start)
	if n > mostLeaves || from+n > uint64(len(x.words)) {
		return nil
	}
	return x.words[from : from+n : from+n]
}

// Sorted says whether the children of r are a block of records sorted by (Off, Sym).
func (r *Record) Sorted() bool { return r.N <= sortedMax }

// Ordered returns the number of children that Child can return. It is 0 if the children of r are in a hash
// table.
func (x *Index) Ordered(r *Record) int {
	switch {
	case r.N == single:
		return 1
	case r.N&origin == leaves:
		return len(x.Leaves(r))
	case r.Sorted():
		return len(x.Block(r))
	}
	return 0
}

// Child returns the i-th of r's children, which ascend by (Off, Sym). It needs i < Ordered(r).
func (x *Index) Child(r *Record, i int) Record {
	switch {
	case r.N == single:
		return r.only()
	case r.N&origin == leaves:
		return r.leaf(x.Leaves(r)[i], i)
	}
	return x.Block(r)[i]
}

// Children appends the children of r, which must not be the root. They ascend if x.Ordered(r) is above 0.
// Else they have the order of the hash table, which is always the same.
func (x *Index) Children(dst []Record, r *Record) []Record {
	if n := x.Ordered(r); n > 0 {
		for i := range n {
			dst = append(dst, x.Child(r, i))
		}
		return dst
	}
	for _, c := range x.Block(r) {
		if !c.free() {
			dst = append(dst, c)
		}
	}
	return dst
}

// Find returns the child of r under the step (off, sym), and whether there is such a child.
func (x *Index) Find(r *Record, off uint8, sym uint32) (child Record, ok bool) {
	switch {
	case r.N == origin && off > 0:
		return x.Find(&x.later, off, sym)
	case r.N == origin:
		rank, ok := x.First(sym)
		if !ok {
			return child, false
		}
		return x.firsts[rank], true
	case r.N == single:
		if off != r.MaxOff || sym != r.Start {
			return child, false
		}
		return r.only(), true
	case r.N&origin == leaves:
		steps := x.Leaves(r)
		if i, ok := FindLeaf(steps, off, sym); ok {
			return r.leaf(steps[i], i), true
		}
		return child, false
	}
	if c := x.Lookup(r, off, sym); c != nil {
		return *c, true
	}
	return child, false
}

// Lookup returns the child of r for the step (off, sym), or nil. The children of r must be records.
func (x *Index) Lookup(r *Record, off uint8, sym uint32) *Record {
	block := x.Block(r)
	if len(block) == 0 {
		return nil
	}
	if !r.Sorted() {
		n := uint32(len(block))
		at := slot(off, sym, n)
		for range block {
			c := &block[at]
			if c.Sym == sym && c.Off == off {
				return c
			}
			if c.free() {
				return nil
			}
			if at++; at == n {
				at = 0
			}
		}
		return nil
	}
	key := uint64(off)<<32 | uint64(sym)
	lo, hi := 0, len(block)
	for lo < hi {
		m := int(uint(lo+hi) >> 1)
		if block[m].key() < key {
			lo = m + 1
		} else {
			hi = m
		}
	}
	if lo < len(block) && block[lo].key() == key {
		return &block[lo]
	}
	return nil
}

// Step is like Find, but accepts any Off.
func (x *Index) Step(r *Record, st index.Step) (child Record, ok bool) {
	for child = *r; st.Off >= maxOff; st.Off -= maxOff {
		if child, ok = x.Find(&child, maxOff, 0); !ok {
			return child, false
		}
	}
	return x.Find(&child, uint8(st.Off), st.Sym)
}

// Live says whether a symbol occurs in a code.
func (x *Index) Live(sym uint32) bool {
	w := int(sym >> 6)
	return w < len(x.directory) && x.directory[w].live>>(sym&63)&1 == 1
}

// AddLive adds the symbols that occur in codes to a bit set, and returns the bit set.
func (x *Index) AddLive(set []uint64) []uint64 {
	if n := len(x.directory); n > len(set) {
		set = append(set, make([]uint64, n-len(set))...)
	}
	for i := range x.directory {
		set[i] |= x.directory[i].live
	}
	return set
}

// First looks up the first step (0, sym). Use the rank with At.
func (x *Index) First(sym uint32) (rank uint32, ok bool) {
	w := int(sym >> 6)
	if w >= len(x.directory) {
		return 0, false
	}
	d := &x.directory[w]
	bit := uint64(1) << (sym & 63)
	rank = d.rank + uint32(bits.OnesCount64(d.first&(bit-1)))
	return rank, d.first&bit != 0 && uint64(rank) < uint64(len(x.firsts))
}

// At returns the state after the first step whose rank First returned.
func (x *Index) At(rank uint32) *Record { return &x.firsts[rank] }
