package association

import (
	"cmp"
	"math"
	"math/rand/v2"
	"slices"
	"testing"

	"gonum.org/v1/gonum/mathext"
)

func near(a, b float64) bool {
	return a == b || math.Abs(a-b) <= 1e-12*max(1, math.Abs(a), math.Abs(b))
}

// The table 10 20 / 30 40 by hand: margins 30 70 40 60, expected 12 18 28 42.
func TestTable(t *testing.T) {
	x := Table{10, 20, 30, 40}
	for _, c := range []struct {
		name      string
		got, want float64
	}{
		{"chi2", x.ChiSquared(), 4.0/12 + 4.0/18 + 4.0/28 + 4.0/42},
		{"g2", x.G2(), 2 * (10*math.Log(10.0/12) + 20*math.Log(20.0/18) + 30*math.Log(30.0/28) + 40*math.Log(40.0/42))},
		{"odds ratio", x.OddsRatio(), 10.0 * 40 / (20 * 30)},
		{"log odds", x.LogOdds(), math.Log(2.0 / 3)},
		{"pmi", x.PMI(), math.Log2(10.0 / 12)},
		{"logdice", x.LogDice(), 14 + math.Log2(20.0/70)},
		{"p of 3.84", PValue(3.841458820694124), 0.05},
		{"p of 10.83", PValue(10.827566170662733), 0.001},
		{"p of 0", PValue(0), 1},
	} {
		if !near(c.got, c.want) {
			t.Errorf("%s: %v, want %v", c.name, c.got, c.want)
		}
	}
	// In the far tail, erfc(√500) = 7.5e-220 (by the asymptotic series).
	want := math.Exp(-500) / math.Sqrt(500*math.Pi) * (1 - 1.0/1000 + 3.0/1e6 - 15.0/1e9)
	if got := PValue(1000); math.Abs(got/want-1) > 1e-9 {
		t.Errorf("%v, want %v", got, want)
	}
}

// The verb give in the ditransitive of ICE-GB, against all other verbs in all other constructions:
// Stefanowitsch & Gries (2003), table 2.
func TestDeltaP(t *testing.T) {
	give := Table{O11: 461, O12: 699, O21: 574, O22: 136_930}
	column, row := give.DeltaP()
	if !near(column, 461./1160-574./137_504) || !near(row, 461./1035-699./137_629) {
		t.Error(column, row)
	}
	if column, row := (Table{O11: 3, O12: 4}).DeltaP(); column != 0 || row != 0 {
		t.Error(column, row)
	}
}

// Cells of 0 count as one half in ratios, and as 0 in the tests.
func TestTableZeros(t *testing.T) {
	for _, c := range []struct {
		x                          Table
		chi2, g2, odds, pmi, ldice float64
	}{
		{Table{0, 5, 5, 10}, 20.0 * 25 * 25 / (5 * 15 * 5 * 15), 2 * (5*math.Log(5/3.75) + 5*math.Log(5/3.75) + 10*math.Log(10/11.25)), .5 * 10 / 25, math.Log2(.5 / 1.25), 14 + math.Log2(.1)},
		{Table{5, 0, 0, 5}, 10, 20 * math.Log(2), 100, 1, 14},
		{Table{5, 0, 5, 0}, 0, 0, 1, 0, 14 + math.Log2(10.0/15)},
		{Table{0, 0, 5, 5}, 0, 0, 1, 0, 14 + math.Log2(.2)},
		{Table{0, 0, 0, 5}, 0, 0, 1, 0, 15},
	} {
		got := [...]float64{c.x.ChiSquared(), c.x.G2(), c.x.OddsRatio(), c.x.PMI(), c.x.LogDice()}
		for i, want := range [...]float64{c.chi2, c.g2, c.odds, c.pmi, c.ldice} {
			if !near(got[i], want) {
				t.Errorf("%+v: measure %d is %v, want %v", c.x, i, got[i], want)
			}
		}
	}
}

// Of 40 events, 30 are in 1,000 units and 10 are in 2,000 units. The expected numbers are 40/3 and 80/3.
func TestRates(t *testing.T) {
	r := Rates{30, 10, 1000, 2000}
	e1, e2 := 40.0/3, 80.0/3
	for _, c := range []struct {
		name      string
		got, want float64
	}{
		{"chi2", r.ChiSquared(), (30-e1)*(30-e1)/e1 + (10-e2)*(10-e2)/e2},
		{"g2", r.G2(), 2 * (30*math.Log(30/e1) + 10*math.Log(10/e2))},
		{"log ratio", r.LogRatio(), math.Log2(6)},
		{"log ratio of 0", Rates{0, 8, 100, 400}.LogRatio(), -2},
		{"g2 of 0", Rates{0, 8, 100, 400}.G2(), 16 * math.Log(8/6.4)},
		{"none", Rates{0, 0, 100, 400}.G2() + Rates{0, 0, 100, 400}.ChiSquared(), 0},
	} {
		if !near(c.got, c.want) {
			t.Errorf("%s: %v, want %v", c.name, c.got, c.want)
		}
	}
}

// If all of three events are on side A, the interval for the share of A begins at the cube root of 0.025.
func TestIntervalByHand(t *testing.T) {
	tau := math.Cbrt(0.025)
	low, high := Rates{3, 0, 100, 50}.Interval(0.05)
	if want := math.Log2(tau / (1 - tau) / 2); math.Abs(low-want) > 1e-9 || !math.IsInf(high, 1) {
		t.Errorf("%v %v, want %v and +Inf", low, high, want)
	}
	// R: binom.test(30, 40)$conf.int is 0.5880, 0.8731.
	low, high = Rates{30, 10, 1, 1}.Interval(0.05)
	if math.Abs(low-math.Log2(.5880/.4120)) > 1e-3 || math.Abs(high-math.Log2(.8731/.1269)) > 1e-3 {
		t.Errorf("%v %v", low, high)
	}
	for _, c := range []struct{ low, high, want float64 }{{1, 2, 1}, {-2, -1, -1}, {-1, 2, 0}, {0, 1, 0}, {math.Inf(-1), -1, -1}} {
		if got := Conservative(c.low, c.high); got != c.want {
			t.Errorf("%+v: %v", c, got)
		}
	}
}

// The interval contains the log ratio, and its ends have the required tail probabilities. Exchanging the
// sides changes only the signs.
func TestRatesProperties(t *testing.T) {
	random := rand.New(rand.NewPCG(1, 2))
	for range 5000 {
		r := Rates{
			A: math.Floor(math.Exp(random.Float64() * 12)), B: math.Floor(math.Exp(random.Float64()*12)) - 1,
			NA: math.Floor(math.Exp(10 + random.Float64()*10)), NB: math.Floor(math.Exp(10 + random.Float64()*10)),
		}
		alpha := math.Pow(10, -1-8*random.Float64())
		low, high := r.Interval(alpha)
		l, h := r.Swap().Interval(alpha)
		if l != -high || h != -low || r.Swap().LogRatio() != -r.LogRatio() || !near(r.Swap().G2(), r.G2()) || !near(r.Swap().ChiSquared(), r.ChiSquared()) {
			t.Fatalf("%+v and its sides exchanged: %v %v, %v %v", r, low, high, l, h)
		}
		if ratio := r.LogRatio(); r.B > 0 && !(low < ratio && ratio < high) {
			t.Fatalf("%+v: %v is not within %v and %v", r, ratio, low, high)
		}
		tau := 1 / (1 + math.Exp2(-low)*r.NB/r.NA)
		if tail := mathext.RegIncBeta(r.A, r.B+1, tau); math.Abs(tail/(alpha/2)-1) > 1e-4 {
			t.Fatalf("%+v, alpha %v: the lower end has a tail of %v", r, alpha, tail)
		}
	}
}

// The adjusted values follow their definitions, test by test.
func TestAdjust(t *testing.T) {
	// The example of Benjamini & Hochberg (1995): of 15 tests the first four pass at 0.05.
	p := []float64{.0001, .0004, .0019, .0095, .0201, .0278, .0298, .0344, .0459, .3240, .4262, .5719, .6528, .7590, 1}
	ones := slices.Repeat([]uint64{1}, len(p))
	q := Tests{p, ones}.FDR()
	if !near(q[3], .0095*15/4) || q[3] > .05 || q[4] <= .05 || q[14] != 1 {
		t.Error(q)
	}
	random := rand.New(rand.NewPCG(3, 4))
	for range 300 {
		var x Tests
		var all []float64
		for range 1 + random.IntN(20) {
			p, times := float64(1+random.IntN(30))/30, uint64(1+random.IntN(4))
			x.P, x.Times = append(x.P, p), append(x.Times, times)
			all = append(all, slices.Repeat([]float64{p}, int(times))...)
		}
		slices.SortFunc(all, cmp.Compare)
		fdr, bonferroni := x.FDR(), x.Bonferroni()
		for i, p := range x.P {
			want := 1.0
			for k, q := range all {
				if q >= p {
					want = min(want, q*float64(len(all))/float64(k+1))
				}
			}
			if !near(fdr[i], want) || !near(bonferroni[i], min(1, p*float64(len(all)))) || x.Count() != uint64(len(all)) {
				t.Fatalf("%+v: %v is %v, want %v", x, p, fdr[i], want)
			}
		}
	}
}

func BenchmarkInterval(b *testing.B) {
	r := Rates{A: 12, B: 3, NA: 1e6, NB: 2e6}
	for b.Loop() {
		r.Interval(0.05)
	}
}
