package posting

import (
	"encoding/binary"
	"slices"

	"github.com/RoaringBitmap/roaring/v2"
)

// Header returns the support (number of samples) and the occurrences from the first bytes of a posting list.
func Header(b []byte) (support, occurrences uint32, err error) {
	l, err := header(b)
	if err != nil {
		return 0, 0, err
	}
	return l.support, l.support + l.extra, nil
}

// IDs appends the sample ids to dst, ascending. It returns ErrMalformed if an id is not below limit.
func IDs(b []byte, limit uint32, dst []uint32) ([]uint32, error) {
	l, err := openBelow(b, limit)
	if err != nil {
		return dst, err
	}
	return l.appendIDs(dst)
}

// Decode is like IDs, but also appends the number of occurrences in each sample to counts.
func Decode(b []byte, limit uint32, ids, counts []uint32) ([]uint32, []uint32, error) {
	_, ids, counts, err := decode(b, limit, ids, counts)
	return ids, counts, err
}

// DecodePlaces is like Decode, but also appends the number of places in each sample to places.
func DecodePlaces(b []byte, limit uint32, ids, counts, places []uint32) (_, _, _ []uint32, err error) {
	from := len(counts)
	l, ids, counts, err := decode(b, limit, ids, counts)
	if err != nil {
		return ids, counts, places, err
	}
	at := len(places)
	places = append(places, counts[from:]...)
	return ids, counts, places, l.eachBeyond(l.places, l.shared, func(i, n uint32) error {
		if places[at+int(i)] <= n {
			return malformed("places")
		}
		places[at+int(i)] -= n
		return nil
	})
}

func decode(b []byte, limit uint32, ids, counts []uint32) (l list, _, _ []uint32, err error) {
	if l, err = openBelow(b, limit); err != nil {
		return l, ids, counts, err
	}
	if ids, err = l.appendIDs(ids); err != nil {
		return l, ids, counts, err
	}
	// All ids were read, so the header's support is true, and allocating that many numbers is safe.
	from := len(counts)
	counts = slices.Grow(counts, int(l.support))[:from+int(l.support)]
	of := counts[from:]
	for i := range of {
		of[i] = 1
	}
	return l, ids, counts, l.eachBeyond(l.column, l.extra, func(i, n uint32) error {
		of[i] += n
		return nil
	})
}

// eachBeyond calls f(i, count-1) for each count above 1 in the column `b`, where i is the sample's index.
func (l *list) eachBeyond(b []byte, extra uint32, f func(i, n uint32) error) error {
	if extra > 0 && l.support == 1 {
		return f(0, extra)
	}
	c := column{rest: b, extra: extra, support: l.support}
	for c.next() {
		if err := f(c.position, c.count-1); err != nil {
			return err
		}
	}
	return c.err
}

// appendIDs appends the sample ids to dst. It checks their number, and that all are below the limit.
func (l *list) appendIDs(dst []uint32) ([]uint32, error) {
	if l.roaring {
		return l.appendPortable(dst)
	}
	return l.appendListed(dst)
}

// appendListed is appendIDs for the list form. dst does not escape, so callers can pass an array on the
// stack.
func (l *list) appendListed(dst []uint32) ([]uint32, error) {
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
		if next += v; next >= uint64(l.limit) {
			return dst, malformed(beyond)
		}
		dst = append(dst, uint32(next))
		next++
	}
	if len(b) > 0 {
		return dst, malformed("trailing bytes")
	}
	return dst, nil
}

// ReadBitmap returns the bitmap that b encodes, which shares the memory of b. It checks that all values
// ascend, because package roaring would otherwise return wrong results.
func ReadBitmap(b []byte) (*roaring.Bitmap, error) {
	if c := (portable{rest: b}); !c.read() {
		return nil, malformed("bitmap")
	}
	bm := roaring.New()
	if _, err := bm.FromBuffer(b); err != nil {
		return nil, malformed(err.Error())
	}
	return bm, nil
}

// bitmap returns a bitmap that shares the bytes of l. It checks the number of ids, and that all are below the
// limit.
func (l *list) bitmap() (*roaring.Bitmap, error) {
	bm, err := ReadBitmap(l.ids)
	switch {
	case err != nil:
		return nil, err
	case bm.GetCardinality() != uint64(l.support):
		return nil, malformed("bitmap of another size")
	case bm.Maximum() >= l.limit: // the bitmap is not empty, as support > maxList
		return nil, malformed(beyond)
	}
	return bm, nil
}

// IsWithin says whether all samples of the list are in a set.
func IsWithin(b []byte, set *roaring.Bitmap) (bool, error) {
	l, err := open(b)
	if err != nil {
		return false, err
	}
	if l.roaring {
		bm, err := l.bitmap()
		return err == nil && bm.AndCardinality(set) == uint64(l.support), err
	}
	rest, next := l.ids, uint64(0)
	for range l.support {
		v, n := binary.Uvarint(rest)
		if n <= 0 || v > 1<<32 {
			return false, malformed("list")
		}
		if rest, next = rest[n:], next+v; !set.Contains(uint32(next)) {
			return false, nil
		}
		next++
	}
	return true, nil
}

// CountIn returns how many samples of the list are in a set.
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
	ids, err := l.appendListed(room[:0])
	n := uint32(0)
	for _, id := range ids {
		if set.Contains(id) {
			n++
		}
	}
	return n, err
}

// Bitmap returns the samples as a bitmap that shares no memory with b. Sample ids must be below limit.
func Bitmap(b []byte, limit uint32) (*roaring.Bitmap, error) {
	l, err := openBelow(b, limit)
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
	ids, err := l.appendListed(room[:0])
	if err != nil {
		return nil, err
	}
	return roaring.BitmapOf(ids...), nil
}
