package vector

import (
	"math"
	"strconv"
)

// maxValues is the number of values whose text is kept.
const maxValues = 4096

// decimals appends numbers as shortest round-trip decimals. Values repeat, as that of
// a feature depends on its order and count: an unnormalised kernel vector has a few
// dozen distinct ones, and formatting one costs 80 ns.
type decimals struct {
	last  float64
	text  [32]byte
	size  int
	known map[uint64]string
}

func newDecimals() decimals {
	return decimals{last: math.NaN(), known: make(map[uint64]string)}
}

// append appends x to dst. Small counts are written by hand, others looked up.
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
