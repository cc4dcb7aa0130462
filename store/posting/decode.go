package posting

import (
	"encoding/binary"
	"math/bits"
	"slices"

	"github.com/RoaringBitmap/roaring/v2"
)

// Header returns the support (samples) and the occurrences of a posting list,
// reading its first bytes only.
func Header(b []byte) (support, occurrences uint32, err error) {
	l, err := header(b)
	if err != nil {
		return 0, 0, err
	}
	return l.support, l.support + l.extra, nil
}

// IDs appends the samples, ascending, to dst.
func IDs(b []byte, dst []uint32) ([]uint32, error) {
	l, err := open(b)
	if err != nil {
		return dst, err
	}
	return l.appendIDs(dst)
}

// Decode appends the samples, ascending, to ids and the occurrences in each to counts.
func Decode(b []byte, ids, counts []uint32) ([]uint32, []uint32, error) {
	l, err := open(b)
	if err != nil {
		return ids, counts, err
	}
	if ids, err = l.appendIDs(ids); err != nil {
		return ids, counts, err
	}
	// The ids are there, so the support is what it claims to be.
	from := len(counts)
	counts = slices.Grow(counts, int(l.support))[:from+int(l.support)]
	of := counts[from:]
	for i := range of {
		of[i] = 1
	}
	if l.support == 1 {
		of[0] += l.extra
		return ids, counts, nil
	}
	c := column{rest: l.column, extra: l.extra, support: l.support}
	for c.next() {
		of[c.position] = c.count
	}
	return ids, counts, c.err
}

// Occurrences appends the samples to dst, each as often as the fragment occurs
// in it: the inverse of [Append]. limit bounds what is appended; more is an error.
func Occurrences(b []byte, dst []uint32, limit int) ([]uint32, error) {
	l, err := open(b)
	if err != nil {
		return dst, err
	}
	if n := uint64(l.support) + uint64(l.extra); n > uint64(limit) {
		return dst, malformed("more occurrences than there can be")
	}
	from := len(dst)
	if dst, err = l.appendIDs(dst); err != nil || l.extra == 0 {
		return dst, err
	}
	// Spread from the back, where there is room.
	ids := len(dst) - from
	dst = slices.Grow(dst, int(l.extra))[:len(dst)+int(l.extra)]
	of := dst[from:]
	if l.support == 1 {
		for i := range of {
			of[i] = of[0]
		}
		return dst, nil
	}
	copy(of[l.extra:], of[:ids])
	c := column{rest: l.column, extra: l.extra, support: l.support}
	to, read := 0, int(l.extra) // the next sample is of[read]
	done := 0
	for c.next() {
		for ; done < int(c.position); done++ {
			of[to] = of[read]
			to, read = to+1, read+1
		}
		id := of[read]
		for range c.count {
			of[to] = id
			to++
		}
		read, done = read+1, done+1
	}
	return dst, c.err
}

// appendIDs appends the samples and checks that there are as many as support says.
func (l *list) appendIDs(dst []uint32) ([]uint32, error) {
	if l.roaring {
		return l.appendRoaringIDs(dst)
	}
	b := l.ids
	next := uint64(0)
	for range l.support {
		var v uint64
		if len(b) > 0 && b[0] < 0x80 {
			v, b = uint64(b[0]), b[1:]
		} else {
			u, n := binary.Uvarint(b)
			if n <= 0 || u > 1<<32 {
				return dst, malformed("list")
			}
			v, b = u, b[n:]
		}
		if next += v; next >= 1<<32 {
			return dst, malformed("list")
		}
		dst = append(dst, uint32(next))
		next++
	}
	if len(b) > 0 {
		return dst, malformed("trailing bytes")
	}
	return dst, nil
}

// CountIn returns how many of the samples are in set.
func CountIn(b []byte, set *roaring.Bitmap) (uint32, error) {
	l, err := open(b)
	if err != nil {
		return 0, err
	}
	if l.roaring {
		bm, err := l.bitmap()
		if err != nil {
			return 0, err
		}
		return uint32(bm.AndCardinality(set)), nil
	}
	var room [maxList]uint32
	ids, err := l.appendIDs(room[:0])
	n := uint32(0)
	for _, id := range ids {
		if set.Contains(id) {
			n++
		}
	}
	return n, err
}

// Set is a set of samples, one bit each: id i is bit i%64 of word i/64. Where the
// same few sets are held against millions of posting lists (labels, gold and
// predicted samples) it is several times faster than a roaring bitmap.
type Set []uint64

// SetOf returns the set of a bitmap's samples.
func SetOf(bm *roaring.Bitmap) Set {
	if bm.IsEmpty() {
		return nil
	}
	s := make(Set, bm.Maximum()/64+1)
	for it := bm.Iterator(); it.HasNext(); {
		id := it.Next()
		s[id/64] |= 1 << (id % 64)
	}
	return s
}

// Has says whether sample id is in s.
func (s Set) Has(id uint32) bool {
	w := id / 64
	return w < uint32(len(s)) && s[w]>>(id%64)&1 != 0
}

// Count is the number of samples in s.
func (s Set) Count() (n int) {
	for _, w := range s {
		n += bits.OnesCount64(w)
	}
	return n
}

// CountInSet returns how many of the samples are in set. It allocates nothing.
func CountInSet(b []byte, set Set) (uint32, error) {
	l, err := open(b)
	if err != nil {
		return 0, err
	}
	if l.roaring {
		return l.countRoaring(set)
	}
	var room [maxList]uint32
	ids, err := l.appendIDs(room[:0])
	n := uint32(0)
	for _, id := range ids {
		if set.Has(id) {
			n++
		}
	}
	return n, err
}

// Bitmap returns the samples as a bitmap that shares nothing with b.
func Bitmap(b []byte) (*roaring.Bitmap, error) {
	l, err := open(b)
	if err != nil {
		return nil, err
	}
	if l.roaring {
		bm, err := l.bitmap()
		if err != nil {
			return nil, err
		}
		return bm.Clone(), nil
	}
	var room [maxList]uint32
	ids, err := l.appendIDs(room[:0])
	if err != nil {
		return nil, err
	}
	return roaring.BitmapOf(ids...), nil
}
