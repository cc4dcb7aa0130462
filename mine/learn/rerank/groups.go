package rerank

import (
	"encoding/binary"
	"errors"
	"io"
	"math"
	"slices"

	"fstore/index"
)

// groups reads a list's vectors (see ListVectors) piece by piece, because a list can exceed the memory.
type groups struct {
	rest []byte // bytes that were read but not decoded yet
	file io.ReaderAt
	at   int64 // the offset in the file of the bytes after rest
	left int64 // how many bytes of the list come after that offset
	buf  []byte

	sharing
	size int64    // how many bytes of the current group's ids were not read yet
	last uint32   // the last id that was read
	ids  []uint32 // the piece of ids that was read last
}

var errScratch = errors.New("rerank: a scratch file is not what was written")

// pieceBytes is how many bytes are read at a time, and how many are decoded at a time.
const pieceBytes = 64 << 10

// fill reads from the file until g.rest has n bytes or the list ends. The number n is at most pieceBytes.
func (g *groups) fill(n int) error {
	if len(g.rest) >= n || g.left == 0 {
		return nil
	}
	g.buf = slices.Grow(g.buf[:0], 2*pieceBytes)[:2*pieceBytes]
	had := copy(g.buf, g.rest)
	b := g.buf[had : had+int(min(pieceBytes, g.left))]
	if _, err := g.file.ReadAt(b, g.at); err != nil {
		return err
	}
	g.at += int64(len(b))
	g.left -= int64(len(b))
	g.rest = g.buf[:had+len(b)]
	return nil
}

// skip skips the ids of the current group that were not read.
func (g *groups) skip() {
	n := min(g.size, int64(len(g.rest)))
	g.rest = g.rest[n:]
	g.at += g.size - n
	g.left -= g.size - n
	g.size = 0
}

// next reads the next group, without its ids. If there is no next group, ok is false.
func (g *groups) next() (ok bool, err error) {
	g.skip()
	if err := g.fill(headBytes); err != nil || len(g.rest) == 0 {
		return false, err
	}
	bad := false
	uvarint := func() uint64 {
		x, n := binary.Uvarint(g.rest)
		bad = bad || n <= 0
		g.rest = g.rest[max(n, 0):]
		return x
	}
	head := uvarint()
	g.first, g.mask, g.value = uint32(head>>1), uvarint(), 1
	if head&1 != 0 {
		if len(g.rest) < 8 {
			return false, errScratch
		}
		g.value = math.Float64frombits(binary.LittleEndian.Uint64(g.rest))
		g.rest = g.rest[8:]
	}
	n := uvarint()
	if bad || n > uint64(len(g.rest))+uint64(g.left) {
		return false, errScratch
	}
	g.size, g.last = int64(n), 0
	return true, nil
}

// more reads the next piece of the group's ids, and returns false after the last. Its loop reads ids of one
// or two bytes in half the time of binary.Varint.
func (g *groups) more(maxID uint32) (ok bool, err error) {
	g.ids = g.ids[:0]
	if g.size == 0 {
		return false, nil
	}
	if err := g.fill(int(min(g.size, pieceBytes))); err != nil {
		return false, err
	}
	b := g.rest[:min(g.size, pieceBytes)]
	id, read := g.last, 0
	for read < len(b) {
		x, n := uint64(b[read]), 1
		switch {
		case x < 0x80:
		case read+1 < len(b) && b[read+1] < 0x80:
			x, n = x&0x7F|uint64(b[read+1])<<7, 2
		default:
			x, n = binary.Uvarint(b[read:])
		}
		if n <= 0 {
			break // the rest of the id is in the next piece
		}
		id += uint32(x>>1) ^ -uint32(x&1)
		if id > maxID {
			return false, errScratch
		}
		g.ids = append(g.ids, id)
		read += n
	}
	if read == 0 {
		return false, errScratch
	}
	g.last = id
	g.rest = g.rest[read:]
	g.size -= int64(read)
	return true, nil
}

// of returns the value of the group's features in a tree, or 0 if the tree does not have these features.
func (g *groups) of(tree int) float64 {
	if k := uint(tree) - uint(g.first); k < index.MaxPack && g.mask>>k&1 != 0 {
		return g.value
	}
	return 0
}
