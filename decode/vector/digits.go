package vector

import (
	"encoding/binary"
	"math/bits"
	"strconv"
)

// appendID appends the digits of an id, which is not 0: all of them at once, as the bytes
// of one number. Digits of ids are most of what a text of binary vectors is.
func appendID(b []byte, id uint32) []byte {
	if id >= 1e8 {
		return strconv.AppendUint(b, uint64(id), 10)
	}
	x := uint64(id)
	x = x/1e4 | x%1e4<<32 // four digits in each half
	hundreds := x * 10486 >> 20 & 0x7f_0000_007f
	x = hundreds | (x-100*hundreds)<<16 // two in each quarter
	tens := x * 103 >> 10 & 0x0f_000f_000f_000f
	x = tens | (x-10*tens)<<8 // one in each byte, the first in the lowest
	zeros := bits.TrailingZeros64(x) / 8
	x = (x | 0x3030_3030_3030_3030) >> (8 * zeros)
	return binary.LittleEndian.AppendUint64(b, x)[:len(b)+8-zeros]
}
