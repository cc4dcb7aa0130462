package association

import (
	"math"
	"math/big"
	"math/rand/v2"
	"testing"
)

// chosen has the binomial coefficients up to 60, which fit into a uint64.
var chosen = func() (c [61][61]uint64) {
	for n := range c {
		c[n][0] = 1
		for k := 1; k <= n; k++ {
			c[n][k] = c[n-1][k-1] + c[n-1][k]
		}
	}
	return c
}()

// enumerated returns the p-values of all tables with these margins, by the number k of drawn things that are
// marked. It counts the ways to draw u of n things, of which c are marked.
func enumerated(u, c, n int) map[int]float64 {
	p := map[int]float64{}
	far := func(k int) int { return max(k*n-u*c, u*c-k*n) }
	for k := max(0, u+c-n); k <= min(u, c); k++ {
		ways := uint64(0)
		for j := max(0, u+c-n); j <= min(u, c); j++ {
			if far(j) >= far(k) {
				ways += chosen[c][j] * chosen[n-c][u-j]
			}
		}
		p[k] = float64(ways) / float64(chosen[n][u])
	}
	return p
}

// The test checks each table with a total of at most 60, and the least p-value for all margins.
func TestExactIsEnumeration(t *testing.T) {
	for n := 1; n <= 60; n++ {
		for c := 0; c <= n; c++ {
			upTo := 1.0
			for u := 0; u <= n; u++ {
				least := 1.0
				for k, want := range enumerated(u, c, n) {
					x := TableOf(float64(k), float64(u), float64(c), float64(n))
					if got := x.Exact(); math.Abs(got/want-1) > 1e-12 {
						t.Fatalf("%+v: %v, want %v: %v", x, got, want, got/want-1)
					}
					for _, limit := range []float64{want * (1 + Slack), want * (1 - Slack), want / 9} {
						if n > 25 {
							break // because larger totals take seconds
						}
						if got := x.ExactWithin(limit); (got <= limit) != (want <= limit) {
							t.Fatalf("%+v within %v: %v, want %v", x, limit, got, want)
						}
					}
					least = min(least, want)
				}
				upTo = min(upTo, least)
				if got := Least(float64(u), float64(c), float64(n)); math.Abs(got/least-1) > 1e-12 {
					t.Fatalf("least of support %d, label %d of %d: %v, want %v", u, c, n, got, least)
				}
				if got := LeastUpTo(float64(u), float64(c), float64(n)); math.Abs(got/upTo-1) > 1e-12 {
					t.Fatalf("least up to support %d, label %d of %d: %v, want %v", u, c, n, got, upTo)
				}
			}
		}
	}
}

// precise returns the p-value of a distribution over lo to hi, computed in 300 bits. up(k) is the ratio of
// the term of k+1 to the term of k, as two numbers. far(k) says whether k belongs to the p-value.
func precise(peak, lo, hi int64, up func(k int64) (num, den *big.Float), far func(k int64) bool) float64 {
	const bits = 300
	one := func() *big.Float { return new(big.Float).SetPrec(bits).SetInt64(1) }
	all, beyond := new(big.Float).SetPrec(bits), new(big.Float).SetPrec(bits)
	add := func(k int64, term *big.Float) (small bool) {
		all.Add(all, term)
		if far(k) {
			beyond.Add(beyond, term)
		}
		return term.MantExp(nil) < -1300
	}
	term := one()
	add(peak, term)
	for k := peak; k < hi; k++ {
		num, den := up(k)
		term.Mul(term, num).Quo(term, den)
		if add(k+1, term) {
			break
		}
	}
	term = one()
	for k := peak; k > lo; k-- {
		num, den := up(k - 1)
		term.Mul(term, den).Quo(term, num)
		if add(k-1, term) {
			break
		}
	}
	p, _ := beyond.Quo(beyond, all).Float64()
	return p
}

func bigOf(x ...int64) *big.Float {
	z := new(big.Float).SetPrec(300).SetInt64(1)
	for _, f := range x {
		z.Mul(z, new(big.Float).SetInt64(f))
	}
	return z
}

// preciseTable returns the p-value of a table, computed in 300 bits.
func preciseTable(k, u, c, n int64) float64 {
	far := func(j int64) bool { // numbers stay below 2⁶³ for n up to 10⁷
		return max(j*n-u*c, u*c-j*n) >= max(k*n-u*c, u*c-k*n)
	}
	return precise(u*c/n, max(0, u+c-n), min(u, c), func(k int64) (num, den *big.Float) {
		return bigOf(c-k, u-k), bigOf(k+1, n-u-c+k+1)
	}, far)
}

// Exact p-values agree with p-values computed in 300 bits, for tables with totals of 10⁴ to 10⁷, near the
// mean and in the tails.
func TestExactIsPrecise(t *testing.T) {
	random := rand.New(rand.NewPCG(1, 2))
	worst := 0.0
	for _, n := range []int64{1e4, 1e5, 1e6, 1e7} {
		for range 60 {
			u := 1 + int64(math.Exp(random.Float64()*math.Log(float64(n-1))))
			c := 1 + int64(math.Exp(random.Float64()*math.Log(float64(n-1))))
			if random.IntN(8) == 0 {
				u = n - u
			}
			sd := math.Sqrt(float64(u) * float64(c) / float64(n) * float64(n-c) / float64(n) * float64(n-u) / float64(n))
			if sd > 400 {
				u, sd = 1+u%1000, math.Sqrt(1000) // because a big.Float takes too long for more
			}
			k := u*c/n + int64((random.Float64()*60-25)*sd)
			k = min(max(k, 0, u+c-n), u, c)
			want := preciseTable(k, u, c, n)
			got := TableOf(float64(k), float64(u), float64(c), float64(n)).Exact()
			if want < 1e-300 && got < 1.1e-300 {
				continue
			}
			if e := math.Abs(got/want - 1); e > 1e-12 {
				t.Errorf("%d of %d and %d of %d: %v, want %v: %.2g", k, u, c, n, got, want, e)
			} else {
				worst = max(worst, e)
			}
		}
	}
	t.Logf("largest relative error %.2g", worst)
	for _, x := range []struct {
		k, u, c, n int64
	}{{2500100, 5e6, 5e6, 1e7}, {2503000, 5e6, 5e6, 1e7}, {30, 40, 5e6, 1e7}, {0, 40, 5e6, 1e7}, {7, 1e6, 7, 1e7}} {
		want := preciseTable(x.k, x.u, x.c, x.n)
		if got := TableOf(float64(x.k), float64(x.u), float64(x.c), float64(x.n)).Exact(); math.Abs(got/want-1) > 1e-12 {
			t.Errorf("%+v: %v, want %v: %.2g", x, got, want, got/want-1)
		}
	}
}

// Rates have the p-values of the binomial distribution in 300 bits.
func TestRatesExact(t *testing.T) {
	random := rand.New(rand.NewPCG(3, 4))
	for range 400 {
		a, b := int64(random.IntN(40)), int64(random.IntN(40))
		if random.IntN(4) == 0 {
			b = int64(random.IntN(20000))
		}
		na, nb := 1+int64(math.Exp(random.Float64()*18)), 1+int64(math.Exp(random.Float64()*18))
		n := a + b
		far := func(k int64) *big.Int { // |k·(na+nb) - n·na|
			x := new(big.Int).Mul(big.NewInt(k), big.NewInt(na+nb))
			return x.Sub(x, new(big.Int).Mul(big.NewInt(n), big.NewInt(na))).Abs(x)
		}
		observed := far(a)
		peak, _ := new(big.Float).Quo(bigOf(n, na), bigOf(na+nb)).Int64()
		want := precise(peak, 0, n, func(k int64) (num, den *big.Float) {
			return bigOf(n-k, na), bigOf(k+1, nb)
		}, func(k int64) bool { return far(k).Cmp(observed) >= 0 })
		r := Rates{float64(a), float64(b), float64(na), float64(nb)}
		got := r.Exact()
		if want < 1e-300 && got < 1.1e-300 {
			continue
		}
		if math.Abs(got/want-1) > 1e-12 || math.Abs(r.Swap().Exact()/want-1) > 1e-12 {
			t.Fatalf("%+v: %v and %v, want %v", r, got, r.Swap().Exact(), want)
		}
	}
	if p := (Rates{0, 0, 5, 7}).Exact(); p != 1 {
		t.Errorf("no events: %v", p)
	}
}

// The probabilities of all tables with the same margins add up to 1.
func TestProbability(t *testing.T) {
	for _, x := range [][3]float64{{5, 7, 20}, {40, 300, 1000}, {3, 99990, 100000}, {0, 4, 9}} {
		sum := 0.0
		for k := max(0, x[0]+x[1]-x[2]); k <= min(x[0], x[1]); k++ {
			sum += TableOf(k, x[0], x[1], x[2]).Probability()
		}
		if math.Abs(sum-1) > 1e-12 {
			t.Errorf("%v: all are %v", x, sum)
		}
	}
}

func BenchmarkExact(b *testing.B) {
	for _, c := range []struct {
		name       string
		k, u, c, n float64
	}{{"support 3", 2, 3, 700, 4636}, {"support 300", 70, 300, 700, 4636}, {"total 1e7", 2500100, 5e6, 5e6, 1e7}} {
		b.Run(c.name, func(b *testing.B) {
			t := TableOf(c.k, c.u, c.c, c.n)
			for b.Loop() {
				t.Exact()
			}
		})
	}
}
