// Package posting encodes and decodes posting lists. A posting list holds the samples in which a fragment
// occurs, ascending, and how often it occurs in each. Most fragments have two to five samples. A list of two
// samples with ids below 100,000 takes at most 7 bytes, header included.
//
//	tag      one byte: bit 0 is set if some sample has more than one occurrence; the other
//	         bits are the support, or 0 in the roaring form (support ≥ 128)
//	extra    only with bit 0, uvarint: the sum of (occurrences - 1) over all samples.
//	         A 0 before it says that the field `shared` is there
//	shared   only if some sample has fewer places than occurrences, uvarint: the sum of
//	         (occurrences - places) over all samples
//	support  only in the roaring form: uvarint
//	column   only with bit 0 and two or more samples: an entry for each sample with n > 1
//	         occurrences, until extra is used up. An entry is an uvarint, 2·(samples
//	         skipped since the last entry) + more. If more is 1, an uvarint n - 3
//	         follows; else n is 2
//	column   only with shared and two or more samples: an entry of the same form for each
//	         sample with fewer places than occurrences; n is occurrences - places + 1
//	ids      list form: uvarint of the first id, then uvarints (id - id before - 1);
//	         roaring form: the portable serialization, run-optimized
//
// A place is a node at which one or more occurrences begin. In lists of older stores, each occurrence seems
// to have its own place.
//
// Support and occurrences are at the front, so [Header] does not read the whole list. No input is trusted:
// every function returns [ErrMalformed] for bytes that [Append] would not write. The memory that a function
// takes is at most proportional to its input, except for the ids of runs: 4 bytes hold 65,536 ids.
package posting

import (
	"encoding/binary"
	"errors"
	"fmt"
	"math"

	"github.com/RoaringBitmap/roaring/v2"
)

// ErrMalformed says that bytes are no posting list.
var ErrMalformed = errors.New("posting list: malformed bytes")

// maxList is the largest support that is written in list form. Beyond it, lists would still be smaller than
// roaring bitmaps (1,000 random ids of a million: 1,883 against 2,136 bytes), but bitmaps are intersected
// faster.
const maxList = 127

func malformed(what string) error { return fmt.Errorf("%w: %s", ErrMalformed, what) }

// Append appends the posting list of a fragment to dst, from these arguments:
//   - ids: the samples, ascending, at least one
//   - counts: the occurrences in each sample, < 2^32 in all; nil: each id stands for one occurrence
//   - places: the places in each sample; nil: as many as occurrences
func Append(dst []byte, ids, counts, places []uint32) []byte {
	if len(ids) == 0 {
		panic("posting: a fragment without occurrences")
	}
	if n := distinct(ids); counts == nil && n < len(ids) {
		var room [2 * maxList]uint32 // enough for most lists
		list := room[:]
		if n > maxList {
			list = make([]uint32, 2*n)
		}
		ids, counts = tally(ids, list[:0:n], list[n:n])
	}
	extra, shared := uint64(0), uint64(0)
	for i, n := range counts {
		extra += uint64(n - 1)
		if places == nil || n == 1 {
			continue
		}
		if places[i]-1 >= n {
			panic("posting: places that are no occurrences")
		}
		shared += uint64(n - places[i])
	}
	if extra > uint64(math.MaxUint32-len(ids)) {
		panic("posting: more than 2^32-1 occurrences")
	}
	dst = appendHeader(dst, len(ids), uint32(extra), uint32(shared))
	if len(ids) > 1 {
		dst = appendBeyond(dst, counts, nil)
		if shared > 0 {
			dst = appendBeyond(dst, counts, places)
		}
	}
	return appendIDs(dst, ids)
}

// distinct returns the number of different ids. Equal ids follow each other.
func distinct(ids []uint32) int {
	n := len(ids)
	for i := 1; i < len(ids); i++ {
		if ids[i] == ids[i-1] {
			n--
		}
	}
	return n
}

// tally counts equal ids. It appends each sample once to ids, and its number of occurrences to counts.
func tally(occ, ids, counts []uint32) (_, _ []uint32) {
	for i, id := range occ {
		if i == 0 || id != occ[i-1] {
			ids, counts = append(ids, id), append(counts, 0)
		}
		counts[len(counts)-1]++
	}
	return ids, counts
}

// appendBeyond appends the first column of the package comment or, with `places`, the second.
func appendBeyond(dst []byte, counts, places []uint32) []byte {
	last := -1
	for i, n := range counts {
		if places != nil {
			n -= places[i] - 1
		}
		if n > 1 {
			dst = appendColumnEntry(dst, i-last-1, n)
			last = i
		}
	}
	return dst
}

func appendIDs(dst []byte, ids []uint32) []byte {
	if len(ids) > maxList {
		return appendRoaring(dst, ids)
	}
	next := uint32(0)
	for _, id := range ids {
		dst = binary.AppendUvarint(dst, uint64(id-next))
		next = id + 1
	}
	return dst
}

func appendHeader(dst []byte, support int, extra, shared uint32) []byte {
	var tag byte
	if extra > 0 {
		tag = 1
	}
	if support <= maxList {
		tag |= byte(support) << 1
	}
	dst = append(dst, tag)
	if shared > 0 {
		dst = append(dst, 0)
	}
	if extra > 0 {
		dst = binary.AppendUvarint(dst, uint64(extra))
	}
	if shared > 0 {
		dst = binary.AppendUvarint(dst, uint64(shared))
	}
	if support > maxList {
		dst = binary.AppendUvarint(dst, uint64(support))
	}
	return dst
}

// appendColumnEntry appends a column entry: how many samples were skipped before it, and a count n > 1.
func appendColumnEntry(dst []byte, skip int, n uint32) []byte {
	v := uint64(skip) << 1
	if n == 2 {
		return binary.AppendUvarint(dst, v)
	}
	dst = binary.AppendUvarint(dst, v|1)
	return binary.AppendUvarint(dst, uint64(n-3))
}

func appendRoaring(dst []byte, ids []uint32) []byte {
	bm := roaring.New()
	bm.AddMany(ids)
	bm.RunOptimize()
	b, err := bm.ToBytes()
	if err != nil {
		panic(err) // cannot happen: it writes to memory
	}
	return append(dst, b...)
}

// list is a posting list whose header has been read.
type list struct {
	support, extra uint32
	shared         uint32 // occurrences - places
	limit          uint32 // all ids are below limit
	roaring        bool
	column         []byte // the column of occurrences, and all bytes after it
	places, ids    []byte // all bytes from the column of places on; all bytes from the ids on
}

// beyond is the text of the error for ids that are not below the limit.
const beyond = "samples that do not exist"

// open reads the header of b, and finds where its ids begin.
func open(b []byte) (list, error) { return openBelow(b, math.MaxUint32) }

// openBelow is like open, for a list whose ids must be below limit.
func openBelow(b []byte, limit uint32) (l list, err error) {
	if l, err = header(b); err != nil {
		return l, err
	}
	if l.support > limit {
		return l, malformed(beyond)
	}
	l.limit = limit
	l.places, l.ids = l.column, l.column
	if l.extra == 0 || l.support == 1 {
		return l, nil
	}
	if l.places, err = skip(l.column, l.extra, l.support); err == nil {
		l.ids, err = skip(l.places, l.shared, l.support)
	}
	return l, err
}

// skip returns the bytes after a column.
func skip(b []byte, extra, support uint32) ([]byte, error) {
	c := column{rest: b, extra: extra, support: support}
	for c.next() {
	}
	return c.rest, c.err
}

func header(b []byte) (l list, err error) {
	if len(b) == 0 {
		return l, malformed("empty")
	}
	tag := b[0]
	b = b[1:]
	if tag&1 != 0 {
		var ok bool
		if l.extra, b, ok = uvarint(b); !ok {
			return l, malformed("occurrences")
		}
		if l.extra == 0 {
			if l.extra, b, ok = uvarint(b); ok {
				l.shared, b, ok = uvarint(b)
			}
			if !ok || l.shared == 0 || l.shared > l.extra {
				return l, malformed("places")
			}
		}
	}
	l.support = uint32(tag >> 1)
	if l.support == 0 {
		l.roaring = true
		var ok bool
		if l.support, b, ok = uvarint(b); !ok || l.support <= maxList {
			return l, malformed("support")
		}
	}
	if l.extra > math.MaxUint32-l.support {
		return l, malformed("occurrences")
	}
	l.column = b
	return l, nil
}

func uvarint(b []byte) (v uint32, rest []byte, ok bool) {
	if len(b) > 0 && b[0] < 0x80 {
		return uint32(b[0]), b[1:], true
	}
	u, n := binary.Uvarint(b)
	if n <= 0 || u > math.MaxUint32 {
		return 0, nil, false
	}
	return uint32(u), b[n:], true
}

// column walks the entries of a column, see the package comment.
type column struct {
	rest           []byte
	extra, support uint32
	position       uint32 // index of the current sample
	count          uint32 // occurrences of the current sample
	started        bool
	err            error
}

func (c *column) next() bool {
	if c.extra == 0 || c.err != nil {
		return false
	}
	v, rest, ok := uvarint(c.rest)
	if !ok {
		c.err = malformed("column")
		return false
	}
	skip := v >> 1
	if c.started {
		if c.position+1 > math.MaxUint32-skip {
			c.err = malformed("column")
			return false
		}
		skip += c.position + 1
	}
	c.position, c.started, c.count = skip, true, 2
	if v&1 != 0 {
		if v, rest, ok = uvarint(rest); !ok || v > math.MaxUint32-3 {
			c.err = malformed("column")
			return false
		}
		c.count = 3 + v
	}
	if c.position >= c.support || c.count-1 > c.extra {
		c.err = malformed("column")
		return false
	}
	c.extra -= c.count - 1
	c.rest = rest
	return true
}
