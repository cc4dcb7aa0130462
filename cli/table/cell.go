package table

import (
	"math"
	"strconv"

	"fstore/cli/number"
	"fstore/cli/visible"
)

// appendValue appends a cell as data: nothing where it is unset.
func (r *Row) appendValue(dst []byte, i int) []byte {
	c := r.cells[i]
	if !c.set {
		return dst
	}
	switch c.kind {
	case Uint:
		return strconv.AppendUint(dst, c.bits, 10)
	case Int:
		return strconv.AppendInt(dst, int64(c.bits), 10)
	case Float:
		return number.AppendFloat(dst, math.Float64frombits(c.bits))
	}
	return append(dst, r.text[c.bits>>32:c.bits&math.MaxUint32]...)
}

// appendPretty appends a cell for the eye: thousands apart, floats to four significant digits, or
// three where they have an exponent, control characters spelled out.
func (r *Row) appendPretty(dst []byte, i int) []byte {
	c := r.cells[i]
	if !c.set {
		return dst
	}
	from := len(dst)
	switch c.kind {
	case Uint:
		return number.Group(strconv.AppendUint(dst, c.bits, 10), from)
	case Int:
		return number.Group(strconv.AppendInt(dst, int64(c.bits), 10), from)
	case Float:
		return appendRounded(dst, math.Float64frombits(c.bits))
	}
	return appendVisible(dst, r.Text(i))
}

// appendRounded appends a number as people read it.
func appendRounded(dst []byte, x float64) []byte {
	from := len(dst)
	switch a := math.Abs(x); {
	case a >= 1e15 || a < 1e-4 && a > 0:
		return strconv.AppendFloat(dst, x, 'g', 3, 64)
	case a >= 1000:
		return number.Group(strconv.AppendFloat(dst, x, 'f', 0, 64), from)
	}
	return strconv.AppendFloat(dst, x, 'g', 4, 64)
}

func appendVisible(dst, text []byte) []byte { return visible.Append(dst, text, "") }
