// Package number formats numbers as the program shows them. In data they are the shortest decimals that read
// back as the same number. For people, there are commas between thousands. It imports nothing from the
// project.
package number

import (
	"math"
	"strconv"
)

// AppendFloat appends the shortest decimal that reads back as x. Numbers from 1e-6 to below 1e21 have no
// exponent, as in JSON.
func AppendFloat(dst []byte, x float64) []byte {
	if a := math.Abs(x); a != 0 && (a < 1e-6 || a >= 1e21) {
		return strconv.AppendFloat(dst, x, 'e', -1, 64)
	}
	return strconv.AppendFloat(dst, x, 'f', -1, 64)
}

// Group puts commas between the thousands of the integer at dst[start:]. Other text, such as NaN, stays as it
// is.
func Group(dst []byte, start int) []byte {
	if start < len(dst) && (dst[start] == '-' || dst[start] == '+') {
		start++
	}
	end := start
	for end < len(dst) && '0' <= dst[end] && dst[end] <= '9' {
		end++
	}
	for at := end - 3; at > start; at -= 3 {
		dst = append(dst, 0)
		copy(dst[at+1:], dst[at:])
		dst[at] = ','
	}
	return dst
}
