package posting

import (
	"encoding/binary"
	"math/bits"
	"slices"
)

// appendPortable is appendIDs for the roaring form. For 300 samples it takes 1.6 µs; the library's bitmap and
// iterator take 2.5 µs.
func (l *list) appendPortable(dst []uint32) ([]uint32, error) {
	from := len(dst)
	// A wrong support must not take much memory. So make room for at most 1<<14 ids per byte: four bytes can
	// encode a run of 65,536 ids.
	c := portable{rest: l.ids, wanted: true, ids: slices.Grow(dst, min(int(l.support), 1<<14*len(l.ids))), most: from + int(l.support)}
	ok := c.read()
	switch {
	case !ok:
		return dst, malformed("bitmap")
	case len(c.ids) != c.most:
		return dst, malformed("bitmap of another size")
	case c.ids[c.most-1] >= l.limit: // it is not empty, as support > maxList
		return dst, malformed(beyond)
	}
	return c.ids, nil
}

// portable reads the portable serialization of a roaring bitmap (github.com/RoaringBitmap/RoaringFormatSpec).
type portable struct {
	rest   []byte // bytes that are not read yet
	runs   []byte // one bit for each container: it holds runs
	heads  words  // for each container its key, and its size − 1
	wanted bool   // append values to ids, up to a length of most
	ids    []uint32
	most   int
}

// read reads the bitmap, and checks that all values ascend. The library's check is slower, since it compares
// each run with every other run.
func (c *portable) read() bool {
	size, ok := c.start()
	for k, last := 0, -1; ok && k < size; k++ {
		key, card := int(c.heads.at(2*k)), int(c.heads.at(2*k+1))+1
		base := uint32(key) << 16
		switch {
		case key <= last:
			return false
		case len(c.runs) > 0 && c.runs[k/8]>>(k%8)&1 != 0:
			ok = c.run(base)
		case card > portableArray:
			ok = c.bits(base, card)
		default:
			ok = c.array(base, card)
		}
		last = key
	}
	return ok && len(c.rest) == 0
}

// Constants of the portable serialization.
const (
	portableRuns    = 12347       // the first two bytes, if a container holds runs
	portableNoRuns  = 12346       // the first four bytes, if no container holds runs
	portableArray   = 4096        // the most values of a container that lists them
	portableOffsets = 4           // if there are runs, offsets follow from this number of containers on
	portableBits    = 1 << 16 / 8 // bytes of a container with one bit for each value
)

// words is a list of 16-bit numbers, little endian.
type words []byte

func (w words) at(i int) uint16 { return binary.LittleEndian.Uint16(w[2*i:]) }

// start reads everything before the containers, and returns the number of containers.
func (c *portable) start() (size int, ok bool) {
	cookie, ok := c.take(4)
	if !ok {
		return 0, false
	}
	offsets := true
	switch first := binary.LittleEndian.Uint32(cookie); {
	case first&0xFFFF == portableRuns:
		size = int(first>>16) + 1
		c.runs, ok = c.take((size + 7) / 8)
		offsets = size >= portableOffsets
	case first == portableNoRuns:
		var n []byte
		if n, ok = c.take(4); ok {
			size = int(binary.LittleEndian.Uint32(n))
			ok = size <= 1<<16
		}
	default:
		return 0, false
	}
	if ok {
		c.heads, ok = c.take(4 * size)
	}
	if ok && offsets {
		_, ok = c.take(4 * size)
	}
	return size, ok
}

func (c *portable) take(n int) (b words, ok bool) {
	if n > len(c.rest) {
		return nil, false
	}
	b, c.rest = c.rest[:n], c.rest[n:]
	return b, true
}

// run reads a container of runs: the first value and the length − 1 of each run. Runs ascend, with gaps
// between them.
func (c *portable) run(base uint32) bool {
	head, ok := c.take(2)
	if !ok {
		return false
	}
	n := int(head.at(0))
	b, ok := c.take(4 * n)
	next := uint32(0) // the smallest value with which the next run may begin
	for ; ok && len(b) > 0; b = b[4:] {
		start := uint32(b.at(0))
		end := start + uint32(b.at(1))
		if start < next || end >= 1<<16 || len(c.ids) > c.most {
			return false
		}
		for v := start; c.wanted && v <= end; v++ {
			c.ids = append(c.ids, base|v)
		}
		next = end + 2
	}
	return ok && n > 0
}

// array reads a container that lists its values.
func (c *portable) array(base uint32, card int) bool {
	b, ok := c.take(2 * card)
	ids, last := c.ids, -1
	for ; ok && len(b) > 0; b = b[2:] {
		v := int(b.at(0))
		if ok = v > last; c.wanted {
			ids = append(ids, base|uint32(v))
		}
		last = v
	}
	c.ids = ids
	return ok
}

// bits reads a container with one bit for each value.
func (c *portable) bits(base uint32, card int) bool {
	b, ok := c.take(portableBits)
	ids := c.ids
	for k := uint32(0); ok && k < 1<<16; k += 64 {
		w := binary.LittleEndian.Uint64(b[k/8:])
		card -= bits.OnesCount64(w)
		for ; c.wanted && w != 0; w &= w - 1 {
			ids = append(ids, base|k|uint32(bits.TrailingZeros64(w)))
		}
	}
	c.ids = ids
	return ok && card == 0
}
