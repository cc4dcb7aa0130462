package expansion

import (
	"encoding/binary"
	"math/bits"
)

// First steps are looked up most often: once for each node of a tree. In most spaces all first steps have
// Off 0. The first steps with Off 0 stand by ascending symbol in a block of their own, and a directory of
// bit sets gives the place of each first step. So there is no search, and one cache line is read.

// directory is the entry of the directory for 64 symbols. On disk it is three little-endian fields and 4
// zero bytes.
type directory struct {
	live  uint64 // the symbols that occur in codes
	first uint64 // the symbols of first steps with Off 0
	rank  uint32 // the number of first steps with smaller symbols
	_     uint32
}

const directorySize = 24

func appendDirectory(dst []byte, d *directory) []byte {
	dst = binary.LittleEndian.AppendUint64(dst, d.live)
	dst = binary.LittleEndian.AppendUint64(dst, d.first)
	return binary.LittleEndian.AppendUint64(dst, uint64(d.rank))
}

func readDirectory(b []byte) directory {
	return directory{
		live: binary.LittleEndian.Uint64(b), first: binary.LittleEndian.Uint64(b[8:]),
		rank: binary.LittleEndian.Uint32(b[16:]),
	}
}

// directoryOf makes the directory of an index from its live symbols and its first steps, which ascend. The
// result n is the number of first steps with Off 0.
func directoryOf(live []uint64, roots []Record) (dir []directory, n int) {
	dir = make([]directory, len(live))
	for i, x := range live {
		dir[i].live = x
	}
	for ; n < len(roots) && roots[n].Off == 0; n++ {
		dir[roots[n].Sym>>6].first |= 1 << (roots[n].Sym & 63)
	}
	rank := 0
	for i := range dir {
		dir[i].rank = uint32(rank)
		rank += bits.OnesCount64(dir[i].first)
	}
	return dir, n
}

// Live says whether a symbol occurs in a code.
func (x *Index) Live(sym uint32) bool {
	w := int(sym >> 6)
	return w < len(x.directory) && x.directory[w].live>>(sym&63)&1 == 1
}

// AddLive adds the symbols that occur in codes to a bit set, which it makes larger if needed.
func (x *Index) AddLive(set []uint64) []uint64 {
	if n := len(x.directory); n > len(set) {
		set = append(set, make([]uint64, n-len(set))...)
	}
	for i := range x.directory {
		set[i] |= x.directory[i].live
	}
	return set
}

// First returns the rank of the first step with this symbol among the first steps with Off 0. ok is false if
// no code begins with this step.
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

// At returns the state that the first step with this rank leads to.
func (x *Index) At(rank uint32) *Record { return &x.firsts[rank] }
