package expansion

import (
	"encoding/binary"
	"math/bits"
)

// First steps are looked up most often: once for each node of a tree. So all first steps with Off 0 (see
// index.Step) are in one block, sorted by symbol. A directory of bit sets gives the position of a step in
// this block. A lookup reads one cache line and does not search.

// directory describes 64 successive symbols. On disk it is three little-endian fields and 4 zero bytes.
type directory struct {
	live  uint64 // the symbols that occur in codes
	first uint64 // the symbols of first steps with Off 0
	rank  uint32 // the number of first steps with symbols below these 64
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

// directoryOf makes the directory of an index from its ascending root records, and counts the first steps
// with Off 0.
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
