package association

import (
	"math"

	"gonum.org/v1/gonum/mathext"
)

// Rates are two rates: A events in NA units, and B events in NB units. NA and NB are above 0. One unit can
// have several events.
type Rates struct{ A, B, NA, NB float64 }

// Swap returns the rates with the sides exchanged.
func (r Rates) Swap() Rates { return Rates{r.B, r.A, r.NB, r.NA} }

// expected returns how many of the events would be in A and how many in B if the two rates were equal.
func (r Rates) expected() (a, b float64) {
	n, events := r.NA+r.NB, r.A+r.B
	return r.NA / n * events, r.NB / n * events
}

// ChiSquared returns Pearson's X² of the two counts.
func (r Rates) ChiSquared() float64 {
	if r.A+r.B == 0 {
		return 0
	}
	a, b := r.expected()
	return float64((r.A-a)*(r.A-a))/a + float64((r.B-b)*(r.B-b))/b
}

// G2 returns the log-likelihood ratio of two Poisson rates, as a sum over two cells (Rayson & Garside 2000).
func (r Rates) G2() float64 {
	if r.A+r.B == 0 {
		return 0
	}
	a, b := r.expected()
	return max(0, 2*(term(r.A, a)+term(r.B, b)))
}

// LogRatio returns log2 of A's rate divided by B's, with a count of 0 replaced by Half (Hardie 2014).
func (r Rates) LogRatio() float64 {
	if nonzero(r.A)*r.NB == nonzero(r.B)*r.NA {
		return 0 // the rates are equal, but the rounded logarithms might differ
	}
	return math.Log2(nonzero(r.A)) - math.Log2(r.NA) - (math.Log2(nonzero(r.B)) - math.Log2(r.NB))
}

// Interval returns the confidence interval of LogRatio with error probability alpha (Evert 2022). It is the
// exact interval of Clopper & Pearson for the share of A in A + B events. If a count is 0, one end is
// infinite.
func (r Rates) Interval(alpha float64) (low, high float64) {
	return r.low(alpha / 2), -r.Swap().low(alpha / 2)
}

// low returns the value below which the log ratio lies with the probability `tail`. It follows from the share
// τ of A in all events: τ = NA·ρ / (NA·ρ + NB), where ρ is the ratio of the rates.
func (r Rates) low(tail float64) float64 {
	if r.A == 0 {
		return math.Inf(-1)
	}
	odds := betaLogit(r.A, r.B+1, tail)
	return odds/math.Ln2 - (math.Log2(r.NA) - math.Log2(r.NB))
}

// betaLogit returns ln(τ/(1-τ)) for a quantile τ of the beta distribution with the parameters a and b. The
// probability below τ is `tail`, which must be less than one half. (The inverse in gonum does not find the
// root if one parameter is thousands of times the other.)
//
// It takes Newton steps on the logarithm of the distribution function. As a function of ln(τ/(1-τ)), this
// logarithm is concave, so no step ends right of the root.
func betaLogit(a, b, tail float64) float64 {
	logBeta := mathext.Lbeta(a, b)
	x, right := math.Log(a)-math.Log(b), 0.0 // a value with a probability of about one half below it
	for range 200 {
		tau := 1 / (1 + math.Exp(-x))
		below := mathext.RegIncBeta(a, b, tau)
		if below == 0 {
			x = (x + right) / 2 // below is too small for a float64: go back towards the last x
			continue
		}
		// The density of the logit is τ^a (1-τ)^b / B(a, b).
		density := math.Exp(-float64(a*math.Log1p(math.Exp(-x))) - float64(b*math.Log1p(math.Exp(x))) - logBeta)
		step := math.Log(below/tail) * below / density
		right = x
		x -= step
		if math.Abs(step) < 1e-12*max(1, math.Abs(x)) {
			break
		}
	}
	return x
}

// Conservative returns the point of an interval that is nearest to 0. For a log ratio, this is Evert's (2022)
// conservative log ratio.
func Conservative(low, high float64) float64 {
	switch {
	case low > 0:
		return low
	case high < 0:
		return high
	}
	return 0
}
