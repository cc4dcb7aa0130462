package vector

import (
	"fmt"
	"strings"

	"fstore/decode/format"
)

// appendLabels appends the numbers that a Vector.Label joins by ','.
func appendLabels(dst []float64, joined string) ([]float64, error) {
	for one := range strings.SplitSeq(joined, ",") {
		x, ok := format.Decimal([]byte(one))
		if !ok {
			return dst, fmt.Errorf("label %q is no number", one)
		}
		dst = append(dst, x)
	}
	return dst, nil
}
