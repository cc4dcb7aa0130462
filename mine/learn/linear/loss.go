package linear

import (
	"math"
)

// loss is a convex, decreasing function of a sample's margin y·w·x.
type loss struct {
	// at returns the loss at a margin, and its first two derivatives.
	at func(margin float64) (value, first, second float64)
	// conjugate returns the largest −a·m − loss(m) over all margins m, for `a` from 0 to the largest −loss′.
	conjugate func(a float64) float64
	// concave is the least second derivative of conjugate.
	concave float64
}

// squaredHinge is max(0, 1−m)², the L2 loss of support vector machines. Its second derivative at margin 1 is
// set to 0.
var squaredHinge = loss{
	at: func(m float64) (value, first, second float64) {
		if b := 1 - m; b > 0 {
			return b * b, -2 * b, 2
		}
		return 0, 0, 0
	},
	conjugate: func(a float64) float64 { return a * (a/4 - 1) },
	concave:   0.5,
}

// logistic is log(1 + e^−m).
var logistic = loss{
	at: func(m float64) (value, first, second float64) {
		e := math.Exp(-math.Abs(m)) // never overflows
		value, p := math.Log1p(e), e/(1+e)
		if m < 0 {
			value, p = value-m, 1/(1+e)
		}
		return value, -p, p * (1 - p)
	},
	conjugate: func(a float64) float64 { return xLogX(a) + xLogX(1-a) },
	concave:   4,
}

// xLogX returns x·log x, and 0 for x = 0.
func xLogX(x float64) float64 {
	if x <= 0 {
		return 0
	}
	return x * math.Log(x)
}
