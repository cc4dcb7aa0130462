package posting

import (
	"encoding/binary"
	"math/bits"
)

// appendPortable appends the samples of the roaring form: the portable serialization of a roaring
// bitmap (github.com/RoaringBitmap/RoaringFormatSpec). It refuses what ReadBitmap refuses. ReadBitmap is
// slower: the library's check compares each run with each other, which took a quarter of the time of
// reading 36,369 lists.
func (l *list) appendPortable(dst []uint32) ([]uint32, error) {
	c, size, ok := containers(l.ids)
	from := len(dst)
	last := -1
	for k := 0; ok && k < size; k++ {
		key, card := int(c.heads.at(2*k)), int(c.heads.at(2*k+1))+1
		if key <= last {
			ok = false
			break
		}
		last = key
		base := uint32(key) << 16
		switch {
		case len(c.runs) > 0 && c.runs[k/8]>>(k%8)&1 != 0:
			dst, ok = c.run(base, dst, from+int(l.support))
		case card > portableArray:
			dst, ok = c.bits(base, card, dst)
		default:
			dst, ok = c.array(base, card, dst)
		}
	}
	switch {
	case !ok || len(c.rest) > 0:
		return dst[:from], malformed("bitmap")
	case len(dst)-from != int(l.support):
		return dst[:from], malformed("bitmap of another size")
	case dst[len(dst)-1] >= l.limit: // there is one: support > maxList
		return dst[:from], malformed(beyond)
	}
	return dst, nil
}

// The numbers of the portable serialization.
const (
	portableRuns    = 12347       // the first two bytes, if a container has runs
	portableNoRuns  = 12346       // the first four bytes, if none has
	portableArray   = 4096        // the most values of a container that lists them
	portableOffsets = 4           // with runs, offsets are there from so many containers on
	portableBits    = 1 << 16 / 8 // the bytes of a container with a bit for each value
)

// words are 16 bits each, little endian.
type words []byte

func (w words) at(i int) uint16 { return binary.LittleEndian.Uint16(w[2*i:]) }

// portable reads a bitmap container by container: rest has those that are not read yet.
type portable struct {
	runs  []byte // a bit for each container: it has runs
	heads words  // of each container: its key, its size − 1
	rest  []byte
}

// containers reads what comes before the containers. size is how many there are.
func containers(b []byte) (c portable, size int, ok bool) {
	c.rest = b
	cookie, ok := c.take(4)
	if !ok {
		return c, 0, false
	}
	offsets := true
	switch first := binary.LittleEndian.Uint32(cookie); {
	case first&0xFFFF == portableRuns:
		size = int(first>>16) + 1
		if c.runs, ok = c.take((size + 7) / 8); !ok {
			return c, 0, false
		}
		offsets = size >= portableOffsets
	case first == portableNoRuns:
		n, ok := c.take(4)
		if !ok || binary.LittleEndian.Uint32(n) > 1<<16 {
			return c, 0, false
		}
		size = int(binary.LittleEndian.Uint32(n))
	default:
		return c, 0, false
	}
	if c.heads, ok = c.take(4 * size); ok && offsets {
		_, ok = c.take(4 * size)
	}
	return c, size, ok
}

// take returns the next n bytes.
func (c *portable) take(n int) (b []byte, ok bool) {
	if n > len(c.rest) {
		return nil, false
	}
	b, c.rest = c.rest[:n], c.rest[n:]
	return b, true
}

// run appends a container of runs. A run is its first value and its length − 1. Runs ascend, with a gap
// between two. It fails if dst has more than most ids before the last run.
func (c *portable) run(base uint32, dst []uint32, most int) ([]uint32, bool) {
	head, ok := c.take(2)
	if !ok {
		return dst, false
	}
	n := int(words(head).at(0))
	b, ok := c.take(4 * n)
	next := uint32(0) // the least that a run may begin with
	for k := 0; ok && k < n; k++ {
		start, end := uint32(words(b).at(2*k)), uint32(words(b).at(2*k))+uint32(words(b).at(2*k+1))
		if start < next || end > 1<<16-1 || len(dst) > most {
			return dst, false
		}
		for v := start; v <= end; v++ {
			dst = append(dst, base|v)
		}
		next = end + 2
	}
	return dst, ok && n > 0
}

// array appends a container of values.
func (c *portable) array(base uint32, card int, dst []uint32) ([]uint32, bool) {
	b, ok := c.take(2 * card)
	last := -1
	for k := 0; ok && k < card; k++ {
		v := int(words(b).at(k))
		if v <= last {
			return dst, false
		}
		last = v
		dst = append(dst, base|uint32(v))
	}
	return dst, ok
}

// bits appends a container with a bit for each value.
func (c *portable) bits(base uint32, card int, dst []uint32) ([]uint32, bool) {
	b, ok := c.take(portableBits)
	from := len(dst)
	for k := 0; ok && k < portableBits/8; k++ {
		for w := binary.LittleEndian.Uint64(b[8*k:]); w != 0; w &= w - 1 {
			dst = append(dst, base|uint32(64*k+bits.TrailingZeros64(w)))
		}
	}
	return dst, ok && len(dst)-from == card
}
