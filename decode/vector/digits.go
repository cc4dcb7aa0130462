package vector

import (
	"encoding/binary"
	"math"
	"math/bits"
	"strconv"
)

// appendID appends the digits of an id, which is not 0. It must be fast, because the text of binary vectors
// consists mostly of ids.
func appendID(b []byte, id uint32) []byte {
	if id >= 1e8 {
		return strconv.AppendUint(b, uint64(id), 10)
	}
	x := uint64(id)
	x = x/1e4 | x%1e4<<32 // four digits in each half of x
	hundreds := x * 10486 >> 20 & 0x7f_0000_007f
	x = hundreds | (x-100*hundreds)<<16 // two digits in each quarter
	tens := x * 103 >> 10 & 0x0f_000f_000f_000f
	x = tens | (x-10*tens)<<8 // one digit in each byte, the first digit in the lowest byte
	zeros := bits.TrailingZeros64(x) / 8
	x = (x | 0x3030_3030_3030_3030) >> (8 * zeros)
	return binary.LittleEndian.AppendUint64(b, x)[:len(b)+8-zeros]
}

// maxValues is the maximum number of values whose text is kept.
const maxValues = 4096

// decimals writes numbers as the shortest decimals that read back as the same number. It keeps texts, because
// formatting a number takes 80 ns.
type decimals struct {
	last  float64
	text  [32]byte
	size  int
	known map[uint64]string
}

func newDecimals() decimals {
	return decimals{last: math.NaN(), known: make(map[uint64]string)}
}

// append appends the shortest decimal of x to dst.
func (d *decimals) append(dst []byte, x float64) []byte {
	if x == d.last {
		return append(dst, d.text[:d.size]...)
	}
	if 1 <= x && x < 10 && x == float64(uint8(x)) {
		return append(dst, '0'+uint8(x))
	}
	t, ok := d.known[math.Float64bits(x)]
	if !ok {
		t = string(strconv.AppendFloat(d.text[:0], x, 'g', -1, 64))
		if len(d.known) < maxValues {
			d.known[math.Float64bits(x)] = t
		}
	}
	d.last, d.size = x, copy(d.text[:], t)
	return append(dst, t...)
}
