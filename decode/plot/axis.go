package plot

import (
	"math"
	"strconv"

	"fstore/index"
)

// axis maps numbers to pixels.
type axis struct {
	low, high   float64 // the range of numbers, or of their logarithms
	from, to    float64 // the range of pixels
	logarithmic bool
	ticks       []float64
}

// at returns the pixel of a number.
func (a *axis) at(x float64) float64 {
	if a.logarithmic {
		x = math.Log10(x)
	}
	return a.from + (a.to-a.from)*(x-a.low)/(a.high-a.low)
}

// logAxis returns a logarithmic axis for the numbers in [low, high]. Both ends must be above 0.
func logAxis(low, high, from, to float64) *axis {
	const gap = 50.0
	first, _ := steps(low)
	_, last := steps(high)
	if first == last {
		_, last = steps(last * 1.5)
	}
	a := &axis{low: math.Log10(first), high: math.Log10(last), from: from, to: to, logarithmic: true}
	perDecade := math.Abs(to-from) / (a.high - a.low)
	factors, every := []float64{1, 2, 5}, 1
	if perDecade*math.Log10(2) < gap {
		factors = factors[:1]
		every = int(math.Ceil(gap / perDecade))
	}
	for power := math.Floor(a.low); power <= a.high+1e-9; power++ {
		if int(power)%every != 0 {
			continue
		}
		for _, f := range factors {
			if x := tenTo(f, int(power)); x >= first*(1-1e-9) && x <= last*(1+1e-9) {
				a.ticks = append(a.ticks, x)
			}
		}
	}
	return a
}

// tenTo returns f times a power of ten, as exactly as possible.
func tenTo(f float64, power int) float64 {
	x, _ := strconv.ParseFloat(strconv.Itoa(int(f))+"e"+strconv.Itoa(power), 64)
	return x
}

// steps returns the nearest numbers below and above x that are 1, 2 or 5 times a power of ten. If x is such a
// number, both are x.
func steps(x float64) (down, up float64) {
	power := int(math.Floor(math.Log10(x) + 1e-12))
	down = tenTo(1, power)
	for _, f := range []float64{1, 2, 5, 10} {
		up = tenTo(f, power)
		if up <= x*(1+1e-12) {
			down = up
		}
		if up >= x*(1-1e-12) {
			break
		}
	}
	return down, up
}

// ratioAxis returns an axis for the log ratios in [low, high] and for 0, with at most ten ticks at whole
// numbers.
func ratioAxis(low, high, from, to float64) *axis {
	low, high = min(low, 0), max(high, 0)
	step := 1.0
	for math.Ceil(high/step)-math.Floor(low/step) > 9 {
		step *= 2
	}
	a := &axis{low: math.Floor(low/step) * step, high: math.Ceil(high/step) * step, from: from, to: to}
	if a.low == a.high {
		a.low, a.high = -step, step
	}
	for x := a.low; x <= a.high; x += step {
		a.ticks = append(a.ticks, x)
	}
	return a
}

// linearAxis returns an axis from 0 to high, with at most nine ticks at round numbers.
func linearAxis(high, from, to float64) *axis {
	if high <= 0 {
		high = 1
	}
	_, step := steps(high / 8)
	a := &axis{high: math.Ceil(high/step-1e-9) * step, from: from, to: to}
	for i := 0; float64(i)*step <= a.high*(1+1e-9); i++ {
		a.ticks = append(a.ticks, float64(i)*step)
	}
	return a
}

func number(x float64) string {
	if x >= 1000 && x == math.Trunc(x) && x < 1<<53 {
		return index.Thousands(uint64(x))
	}
	return strconv.FormatFloat(x, 'g', 6, 64)
}

// times returns a log ratio as a factor: 4× for 2 and for −2.
func times(logratio float64) string { return number(math.Exp2(math.Abs(logratio))) + "×" }
