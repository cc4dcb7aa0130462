package table

import (
	"math"
	"strconv"

	"fstore/cli/number"
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

// appendPretty appends a cell for the eye: thousands apart, floats to six
// significant digits, control characters spelled out.
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
		x := math.Float64frombits(c.bits)
		a := math.Abs(x)
		if a >= 1e6 && a < 1e15 {
			return number.Group(strconv.AppendFloat(dst, x, 'f', 0, 64), from)
		}
		return number.Group(strconv.AppendFloat(dst, x, 'g', 6, 64), from)
	}
	return appendVisible(dst, r.Text(i))
}

// appendVisible appends text that cannot move the cursor: C0 and C1 controls and
// DEL as \n, \t, \r or \xHH.
func appendVisible(dst, text []byte) []byte {
	from := 0
	for i := 0; i < len(text); i++ {
		b, n := text[i], 1
		if b == 0xC2 && i+1 < len(text) && text[i+1] >= 0x80 && text[i+1] < 0xA0 {
			b, n = text[i+1], 2
		} else if b >= ' ' && b != 0x7F {
			continue
		}
		dst = append(dst, text[from:i]...)
		switch b {
		case '\n':
			dst = append(dst, `\n`...)
		case '\t':
			dst = append(dst, `\t`...)
		case '\r':
			dst = append(dst, `\r`...)
		default:
			dst = append(dst, '\\', 'x', hex[b>>4], hex[b&15])
		}
		i += n - 1
		from = i + 1
	}
	return append(dst, text[from:]...)
}

const hex = "0123456789abcdef"
