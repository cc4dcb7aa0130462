package posting

import (
	"encoding/binary"
	"math/bits"
	"slices"

	"github.com/RoaringBitmap/roaring/v2"
)

// The portable roaring format, read here because the library trusts what it
// reads: a container whose cardinality lies, or whose values do not ascend, makes
// later calls wrong or panic.
//
//	cookie     uint32: 12346 and a uint32 of containers; or 12347 | (containers-1) << 16
//	           and a bit a container that says whether it is of runs
//	header     per container uint16 key, uint16 cardinality-1
//	offsets    per container uint32; absent with runs and fewer than 4 containers
//	container  runs: uint16 count, then uint16 start, uint16 length-1 each;
//	           array (cardinality ≤ 4096): uint16 each; else bitmap of 1024 uint64
const (
	cookieNoRuns   = 12346
	cookieRuns     = 12347
	noOffsetsBelow = 4
	maxArray       = 4096
	bitmapBytes    = 8192
)

// The kinds of containers.
const (
	arrayKind = iota
	bitmapKind
	runKind
)

// container is one validated container: 2^16 ids from key<<16.
type container struct {
	key  uint32
	card uint32
	kind int
	data []byte
}

// containers walks a roaring bitmap front to back and checks it.
type containers struct {
	header, runs, rest []byte
	i, n               int
	hasRuns            bool
	lastKey            int
	err                error
}

func openContainers(b []byte) (c containers) {
	c.lastKey = -1
	if len(b) < 4 {
		c.err = malformed("bitmap cookie")
		return c
	}
	cookie := binary.LittleEndian.Uint32(b)
	b = b[4:]
	switch {
	case cookie&0xFFFF == cookieRuns:
		c.hasRuns = true
		c.n = int(cookie>>16) + 1
		k := (c.n + 7) / 8
		if len(b) < k {
			c.err = malformed("bitmap runs")
			return c
		}
		c.runs, b = b[:k], b[k:]
	case cookie == cookieNoRuns && len(b) >= 4:
		n := binary.LittleEndian.Uint32(b)
		b = b[4:]
		if n > 1<<16 {
			c.err = malformed("bitmap containers")
			return c
		}
		c.n = int(n)
	default:
		c.err = malformed("bitmap cookie")
		return c
	}
	size := 4 * c.n
	if !c.hasRuns || c.n >= noOffsetsBelow {
		size *= 2
	}
	if len(b) < size {
		c.err = malformed("bitmap header")
		return c
	}
	c.header, c.rest = b[:4*c.n], b[size:]
	return c
}

// next returns the next container; ok is false at the end and after an error.
func (c *containers) next() (k container, ok bool) {
	if c.err != nil {
		return k, false
	}
	if c.i == c.n {
		if len(c.rest) > 0 {
			c.err = malformed("trailing bytes")
		}
		return k, false
	}
	h := c.header[4*c.i:]
	k.key = uint32(binary.LittleEndian.Uint16(h))
	k.card = uint32(binary.LittleEndian.Uint16(h[2:])) + 1
	size := 0
	switch {
	case c.hasRuns && c.runs[c.i/8]>>(c.i%8)&1 != 0:
		k.kind = runKind
		if len(c.rest) < 2 {
			c.err = malformed("bitmap runs")
			return k, false
		}
		size = 4 * int(binary.LittleEndian.Uint16(c.rest))
		c.rest = c.rest[2:]
	case k.card <= maxArray:
		k.kind, size = arrayKind, 2*int(k.card)
	default:
		k.kind, size = bitmapKind, bitmapBytes
	}
	if len(c.rest) < size || int(k.key) <= c.lastKey {
		c.err = malformed("bitmap container")
		return k, false
	}
	k.data, c.rest = c.rest[:size], c.rest[size:]
	c.lastKey = int(k.key)
	c.i++
	if !k.valid() {
		c.err = malformed("bitmap container")
		return k, false
	}
	return k, true
}

// valid says whether the values ascend and are as many as card says.
func (k *container) valid() bool {
	switch k.kind {
	case arrayKind:
		last := -1
		for i := 0; i < len(k.data); i += 2 {
			v := int(binary.LittleEndian.Uint16(k.data[i:]))
			if v <= last {
				return false
			}
			last = v
		}
		return true
	case runKind:
		end, card := -1, 0
		for i := 0; i < len(k.data); i += 4 {
			start := int(binary.LittleEndian.Uint16(k.data[i:]))
			length := int(binary.LittleEndian.Uint16(k.data[i+2:])) + 1
			if start <= end || start+length > 1<<16 {
				return false
			}
			end = start + length - 1
			card += length
		}
		return card == int(k.card)
	}
	card := 0
	for i := 0; i < len(k.data); i += 8 {
		card += bits.OnesCount64(binary.LittleEndian.Uint64(k.data[i:]))
	}
	return card == int(k.card)
}

// last is the largest value of a valid container.
func (k *container) last() uint32 {
	base, n := k.key<<16, len(k.data)
	switch k.kind {
	case arrayKind:
		return base | uint32(binary.LittleEndian.Uint16(k.data[n-2:]))
	case runKind: // start and length-1
		return base | uint32(binary.LittleEndian.Uint16(k.data[n-4:])) + uint32(binary.LittleEndian.Uint16(k.data[n-2:]))
	}
	for {
		n -= 8
		if w := binary.LittleEndian.Uint64(k.data[n:]); w != 0 {
			return base | uint32(n*8+bits.Len64(w)-1)
		}
	}
}

// checkRoaring walks all containers: they hold as many ids as support says, all
// below the limit.
func (l *list) checkRoaring() error {
	c := openContainers(l.ids)
	total := uint64(0)
	var last container
	for k, ok := c.next(); ok; k, ok = c.next() {
		total += uint64(k.card)
		last = k
	}
	switch {
	case c.err != nil:
		return c.err
	case total != uint64(l.support):
		return malformed("bitmap of another size")
	case last.last() >= l.limit: // there is one: support > maxList
		return malformed(beyond)
	}
	return nil
}

// bitmap returns a bitmap over the bytes of l.
func (l *list) bitmap() (*roaring.Bitmap, error) {
	if err := l.checkRoaring(); err != nil {
		return nil, err
	}
	bm := roaring.New()
	if _, err := bm.FromBuffer(l.ids); err != nil {
		return nil, malformed(err.Error())
	}
	return bm, nil
}

func (l *list) appendRoaringIDs(dst []uint32) ([]uint32, error) {
	if err := l.checkRoaring(); err != nil {
		return dst, err
	}
	dst = slices.Grow(dst, int(l.support))
	c := openContainers(l.ids)
	for k, ok := c.next(); ok; k, ok = c.next() {
		base := k.key << 16
		switch k.kind {
		case arrayKind:
			for i := 0; i < len(k.data); i += 2 {
				dst = append(dst, base|uint32(binary.LittleEndian.Uint16(k.data[i:])))
			}
		case runKind:
			for i := 0; i < len(k.data); i += 4 {
				id := base | uint32(binary.LittleEndian.Uint16(k.data[i:]))
				for n := int(binary.LittleEndian.Uint16(k.data[i+2:])); n >= 0; n-- {
					dst = append(dst, id)
					id++
				}
			}
		case bitmapKind:
			for i := 0; i < len(k.data); i += 8 {
				w := binary.LittleEndian.Uint64(k.data[i:])
				for ; w != 0; w &= w - 1 {
					dst = append(dst, base|uint32(i*8+bits.TrailingZeros64(w)))
				}
			}
		}
	}
	return dst, c.err
}
