package expansion

import (
	"encoding/binary"
	"math"
	"math/bits"
	"sort"

	"fstore/index"
)

// Record is one state, stored in its parent's block. On disk it has six little-endian fields, 16 bytes.
//
// Measured on IcePaHC (898,650 states, order ≤ 5): a visit reads one cache line. With edges and outputs in
// separate arrays, it reads three.
type Record struct {
	Sym    uint32 // the step's symbol; 0 in a free slot, and in a skip
	Start  uint32 // where the block of its children starts, in records
	Out    uint32 // feature id; 0 if no stored fragment ends here
	Off    uint8  // the step's off; with maxOff and Sym 0, it is a skip
	MaxOff uint8  // the largest Off that matters below it, see Builder.reach
	N      uint16 // number of children, hashed|size class, leaves|number, or origin
}

const (
	recordSize = 16
	// maxOff is the largest off of an edge. A larger off takes several edges: first skips (Off = maxOff and
	// Sym = 0), then an edge with the rest.
	maxOff = math.MaxUint8
	// hashed is a bit of Record.N: the children are in a hash table. The other bits of N are an index into
	// sizes.
	hashed = 1 << 15
	// leaves marks a state whose children are in leaf form, see leaf.go.
	leaves = 1 << 14
	// origin is Record.N of the state before the first step, see first.go.
	origin = hashed | leaves
	// sortedMax is the largest number of records in a sorted block.
	sortedMax = 64
)

// sizes are the possible numbers of slots of a hash table. Each is 1/16 larger than the one before, so that a
// table is 56 to 60 percent full. Most lookups fail, and end at a free slot.
var sizes = func() (s []uint32) {
	for n := 80.0; n < math.MaxUint32; n += math.Ceil(n / 16) {
		s = append(s, uint32(n))
	}
	return s
}()

// sizeClass returns the index in sizes of the smallest hash table that n records fill to 3/5 or less.
func sizeClass(n int) int {
	need := uint64(n)*5/3 + 1
	return sort.Search(len(sizes), func(i int) bool { return uint64(sizes[i]) >= need })
}

// slots returns the number of records in the block of r's children. It is 0 if r is the root, or if the
// children are in leaf form.
func (r *Record) slots() uint32 {
	switch r.N & origin {
	case 0:
		return uint32(r.N)
	case hashed:
		return sizes[min(int(r.N&^hashed), len(sizes)-1)]
	}
	return 0
}

// slot returns the slot where the search for a step starts, in a table of n slots.
func slot(off uint8, sym, n uint32) uint32 {
	h := (uint64(sym)<<8 | uint64(off)) * 0x9E3779B97F4A7C15
	hi, _ := bits.Mul64(h, uint64(n))
	return uint32(hi)
}

func (r *Record) key() uint64 { return uint64(r.Off)<<32 | uint64(r.Sym) }

func (r *Record) free() bool { return r.Sym == 0 && r.Off == 0 }

// Skip is the step of an edge that only adds maxOff to the off of the next edge.
var Skip = index.Step{Off: maxOff}

func appendRecord(dst []byte, r *Record) []byte {
	dst = binary.LittleEndian.AppendUint32(dst, r.Sym)
	dst = binary.LittleEndian.AppendUint32(dst, r.Start)
	dst = binary.LittleEndian.AppendUint32(dst, r.Out)
	return append(dst, r.Off, r.MaxOff, byte(r.N), byte(r.N>>8))
}

func readRecord(b []byte) Record {
	return Record{
		Sym: binary.LittleEndian.Uint32(b), Start: binary.LittleEndian.Uint32(b[4:]),
		Out: binary.LittleEndian.Uint32(b[8:]), Off: b[12], MaxOff: b[13],
		N: binary.LittleEndian.Uint16(b[14:]),
	}
}
