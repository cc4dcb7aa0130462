// Package number writes numbers as the program shows them: shortest round-trip
// decimals in data, thousands apart for the eye. It imports nothing of the project.
package number

import (
	"math"
	"strconv"
)

// AppendFloat appends the shortest decimal that reads back as x: without an
// exponent from 1e-6 to below 1e21, as JSON writers do; NaN, +Inf and -Inf by
// name.
func AppendFloat(dst []byte, x float64) []byte {
	if a := math.Abs(x); a != 0 && (a < 1e-6 || a >= 1e21) {
		return strconv.AppendFloat(dst, x, 'e', -1, 64)
	}
	return strconv.AppendFloat(dst, x, 'f', -1, 64)
}

// Group puts a comma before every third digit of the integer that dst[from:]
// begins with. Other text (NaN) stays as it is.
func Group(dst []byte, from int) []byte {
	if from < len(dst) && (dst[from] == '-' || dst[from] == '+') {
		from++
	}
	end := from
	for end < len(dst) && '0' <= dst[end] && dst[end] <= '9' {
		end++
	}
	for at := end - 3; at > from; at -= 3 {
		dst = append(dst, 0)
		copy(dst[at+1:], dst[at:])
		dst[at] = ','
	}
	return dst
}
