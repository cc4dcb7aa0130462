package association

import (
	"math"
	"math/bits"
)

// hypergeometric is the distribution of O11 given the margins: the number of marked things among the drawn
// ones. `drawn` is the smaller of R1 = O11 + O12 and C1 = O11 + O21.
type hypergeometric struct {
	drawn, marked, total float64
	lo, hi               float64 // the range of O11

	// A factor of all probabilities: 1/ways if `drawn` is at most fewDrawn, else `margins`.
	ways    float64
	margins stirling
}

// fewDrawn is the largest number of draws for which a probability is computed as a plain product, in a tenth
// of the time. No number in the product exceeds 2⁸⁴⁸, so none overflows.
const fewDrawn = 16

func newHypergeometric(t Table) hypergeometric {
	r1, r2, c1, c2 := t.margins()
	if c1 < r1 {
		r1, r2, c1, c2 = c1, c2, r1, r2
	}
	h := hypergeometric{drawn: r1, marked: c1, total: r1 + r2, lo: max(0, r1-c2), hi: r1}
	if r1 <= fewDrawn {
		h.ways = falling(h.total, r1)
		return h
	}
	h.margins = stirling{1, 1, 0}
	for _, n := range [...]float64{r1, r2, c1, c2} {
		h.margins.times(n)
	}
	h.margins.dividedBy(h.total)
	return h
}

// falling returns n·(n-1)·…, with the given number of factors.
func falling(n, factors float64) float64 {
	product := 1.0
	for i := 0.0; i < factors; i++ {
		product *= n - i
	}
	return product
}

// prob returns the probability of k. Stirling's formula turns its nine factorials into nine slowly growing
// factors and exp(-G²/2), so that no large numbers cancel each other (Loader 2000).
func (h *hypergeometric) prob(k float64) float64 {
	if !(h.lo <= k && k <= h.hi) {
		return 0
	}
	if h.drawn <= fewDrawn {
		choices := falling(h.drawn, k) / falling(k, k)
		return choices * falling(h.marked, k) * falling(h.total-h.marked, h.drawn-k) / h.ways
	}
	d := crossDifference(k, h.total, h.drawn, h.marked) / h.total // observed less expected; its sign alternates between cells
	rest, unmarked := h.total-h.drawn, h.total-h.marked
	s, half := h.margins, 0.0 // the variable half sums up G²/2
	for _, cell := range [...]struct{ o, row, column, d float64 }{
		{k, h.drawn, h.marked, d},
		{h.drawn - k, h.drawn, unmarked, -d},
		{h.marked - k, rest, h.marked, -d},
		{rest - h.marked + k, rest, unmarked, d},
	} {
		s.dividedBy(cell.o)
		half += deviance(cell.o, cell.row*cell.column/h.total, cell.d)
	}
	return s.value(half)
}

func (h *hypergeometric) up(k float64) float64 {
	return (h.marked - k) * (h.drawn - k) / ((k + 1) * (h.total - h.drawn - h.marked + k + 1))
}

func (h *hypergeometric) down(k float64) float64 {
	return k * (h.total - h.drawn - h.marked + k) / ((h.marked - k + 1) * (h.drawn - k + 1))
}

// binomial is the distribution of the count A given the sum A+B. Each event belongs to A with the probability
// na/(na+nb).
type binomial struct {
	events, na, nb float64
	whole          stirling
}

func newBinomial(r Rates) binomial {
	b := binomial{r.A + r.B, r.NA, r.NB, stirling{1, 1, 0}}
	b.whole.times(b.events)
	return b
}

// prob implements law in the same way as hypergeometric does.
func (b *binomial) prob(k float64) float64 {
	if !(0 <= k && k <= b.events) {
		return 0
	}
	n := b.na + b.nb
	d := crossDifference(k, n, b.events, b.na) / n
	s := b.whole
	s.dividedBy(k)
	s.dividedBy(b.events - k)
	return s.value(deviance(k, b.events*b.na/n, d) + deviance(b.events-k, b.events*b.nb/n, -d))
}

func (b *binomial) up(k float64) float64 { return (b.events - k) / (k + 1) * (b.na / b.nb) }

func (b *binomial) down(k float64) float64 { return k / (b.events - k + 1) * (b.nb / b.na) }

// crossDifference returns a·b - c·d of whole numbers, rounded only once.
func crossDifference(a, b, c, d float64) float64 {
	hi, lo := bits.Mul64(uint64(a), uint64(b))
	hi2, lo2 := bits.Mul64(uint64(c), uint64(d))
	sign := 1.0
	if hi < hi2 || hi == hi2 && lo < lo2 {
		hi, lo, hi2, lo2, sign = hi2, lo2, hi, lo, -1
	}
	lo, borrow := bits.Sub64(lo, lo2, 0)
	hi, _ = bits.Sub64(hi, hi2, borrow)
	return sign * (float64(float64(hi)*(1<<64)) + float64(lo))
}

// deviance returns o·ln(o/e) - (o - e), for d = o - e. It is a cell's part of G²/2, and never negative.
func deviance(o, e, d float64) float64 {
	if o == 0 {
		return e
	}
	v := d / (o + e)
	w := v * v
	n := len(seriesOf)
	switch {
	case w > 0.25:
		return float64(o*math.Log(o/e)) - d
	case w < 0.01:
		n = 8
	case w < 0.0625:
		n = 14
	}
	// The series computes o·ln(o/e) as 2o·artanh(v).
	sum := 0.0
	for n--; n >= 0; n-- {
		sum = float64(sum*w) + seriesOf[n]
	}
	return float64(d*v) + float64(2*o*v*float64(w*sum))
}

// seriesOf has the coefficients 1/3, 1/5, and so on, of artanh(v) = v + v³/3 + v⁵/5 + …
var seriesOf = func() (s [28]float64) {
	for i := range s {
		s[i] = 1 / float64(2*i+3)
	}
	return s
}()

// stirling is a product of factors n!·eⁿ/nⁿ. Its value is √squared·small·exp(log).
type stirling struct{ squared, small, log float64 }

// times multiplies the product by n!·eⁿ/nⁿ.
func (s *stirling) times(n float64) {
	if n < float64(len(smallStirling)) {
		s.small *= smallStirling[int(n)]
		return
	}
	s.squared *= 2 * math.Pi * n
	s.log += stirlingSeries(n)
}

// dividedBy divides the product in s by n!·eⁿ/nⁿ.
func (s *stirling) dividedBy(n float64) {
	if n < float64(len(smallStirling)) {
		s.small /= smallStirling[int(n)]
		return
	}
	s.squared /= 2 * math.Pi * n
	s.log -= stirlingSeries(n)
}

// value returns the product in s times exp(-x).
func (s *stirling) value(x float64) float64 {
	return math.Sqrt(s.squared) * s.small * math.Exp(s.log-x)
}

// stirlingSeries returns ln(n!) - ln(√(2πn)·(n/e)ⁿ), for n of at least len(smallStirling).
func stirlingSeries(n float64) float64 {
	x := 1 / n
	w := x * x
	return x * (1.0/12 - float64(w*(1.0/360-float64(w*(1.0/1260-float64(w*(1.0/1680-float64(w*(1.0/1188)))))))))
}

// smallStirling has n!·eⁿ/nⁿ for the small n for which stirlingSeries is not accurate.
var smallStirling = func() (s [16]float64) {
	factorial := 1.0
	for n := range s {
		s[n] = factorial * math.Exp(float64(n)) / math.Pow(float64(n), float64(n))
		factorial *= float64(n + 1)
	}
	return s
}()
