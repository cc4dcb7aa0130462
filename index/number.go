package index

import (
	"math"
	"strconv"
)

// Number is Mant · 2^Exp with Mant 0 or 0.5 ≤ |Mant| < 1: a kernel value that
// cannot overflow.
type Number struct {
	Mant float64
	Exp  int
}

// NumberOf turns a finite float into a Number.
func NumberOf(x float64) Number {
	m, e := math.Frexp(x)
	return Number{m, e}
}

func (a Number) norm() Number {
	m, e := math.Frexp(a.Mant)
	if m == 0 {
		return Number{}
	}
	return Number{m, a.Exp + e}
}

// Mul returns a·b.
func (a Number) Mul(b Number) Number { return Number{a.Mant * b.Mant, a.Exp + b.Exp}.norm() }

// Add returns a+b.
func (a Number) Add(b Number) Number {
	if a.Mant == 0 {
		return b
	}
	if b.Mant == 0 {
		return a
	}
	if a.Exp < b.Exp {
		a, b = b, a
	}
	if a.Exp-b.Exp > 64 {
		return a
	}
	return Number{a.Mant + math.Ldexp(b.Mant, b.Exp-a.Exp), a.Exp}.norm()
}

// Arithmetic has the operations that the recursion of a kernel needs: on a [Float] or, if that overflows, on
// a [Number].
type Arithmetic[T any] interface {
	Add(T) T
	Mul(T) T
}

// Float is a float64 with the methods of a Number. It rounds each product before an addition, so that all
// machines compute the same values.
type Float float64

// Mul returns x·y.
func (x Float) Mul(y Float) Float { return Float(float64(x) * float64(y)) }

// Add returns x+y.
func (x Float) Add(y Float) Float { return x + y }

// Float returns the value, or ±Inf if it is too large for a float64.
func (a Number) Float() float64 { return math.Ldexp(a.Mant, a.Exp) }

// Normalized returns a / √(b·c), or 0 if b or c is 0.
func Normalized(a, b, c Number) float64 {
	if b.Mant == 0 || c.Mant == 0 {
		return 0
	}
	e := b.Exp + c.Exp
	p := b.Mant * c.Mant
	if e&1 != 0 {
		p, e = 2*p, e-1
	}
	return math.Ldexp(a.Mant/math.Sqrt(p), a.Exp-e/2)
}

// Thousands writes n with commas between groups of three digits, for messages.
func Thousands[T ~int | ~int64 | ~uint32 | ~uint64](n T) string {
	sign, s := "", strconv.FormatUint(uint64(n), 10)
	if n < 0 {
		sign, s = "-", strconv.FormatUint(-uint64(n), 10)
	}
	for i := len(s) - 3; i > 0; i -= 3 {
		s = s[:i] + "," + s[i:]
	}
	return sign + s
}

// Plural writes a number of things, for messages: "1 fragment", "1,204 fragments".
func Plural[T ~int | ~int64 | ~uint32 | ~uint64](n T, thing string) string {
	if n != 1 {
		thing += "s"
	}
	return Thousands(n) + " " + thing
}
