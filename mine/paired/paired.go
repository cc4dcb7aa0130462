// Package paired tests whether two systems that were run on the same sentences differ by more than chance. It
// is for measures such as F1 that are not means over sentences.
package paired

import (
	"context"
	"errors"
	"math"
	"math/rand/v2"
	"slices"

	"fstore/index/treescore"
)

// Test says how a p-value is computed.
type Test string

const (
	// Randomization swaps the results of the two systems in a random half of the sentences (Noreen 1989; Yeh
	// 2000). The p-value is the share of swaps with at least the observed |difference|.
	Randomization Test = "randomization"
	// Bootstrap draws the same number of sentences with replacement (Efron & Tibshirani 1993, ch. 16;
	// Berg-Kirkpatrick et al. 2012). The p-value is the share of draws with |d − o| ≥ |o|, where d is the
	// difference in the draw and o the observed difference.
	Bootstrap Test = "bootstrap"
)

type Options struct {
	Test    Test
	Samples int // the number of swaps or draws, at least 1
	Seed    uint64
}

// Result is the comparison of two systems by one measure.
type Result struct {
	A, B       float64 // the value of the measure for each system
	Difference float64 // B − A
	// Low and High enclose the middle 95 % of the differences in a Bootstrap. For other tests they are NaN.
	Low, High float64
	// PValue is two-sided. It is never 0, because the observed difference counts as one of the swaps or
	// draws.
	PValue float64
}

// Compare compares the results of two systems on the same sentences, at least one. Each measure is a function
// of the sum of the results. All measures use the same swaps or draws. The Results are in the order of the
// measures, and depend only on the arguments.
func Compare(ctx context.Context, a, b []treescore.Counts, measures []func(treescore.Counts) float64, o Options) ([]Result, error) {
	if len(a) != len(b) || len(a) == 0 || o.Samples < 1 {
		return nil, errors.New("a paired test needs samples, and results of two systems for the same sentences")
	}
	sumA, sumB := sum(a), sum(b)
	results := make([]Result, len(measures))
	for m, measure := range measures {
		r := &results[m]
		r.A, r.B = measure(sumA), measure(sumB)
		r.Difference = r.B - r.A
		r.Low, r.High = math.NaN(), math.NaN()
	}
	draw := swapper(a, b)
	if o.Test == Bootstrap {
		draw = resampler(a, b)
	}
	random := rand.New(rand.NewPCG(o.Seed, 0))
	differences := make([][]float64, len(measures))
	for n := range o.Samples {
		if n&0xFF == 0 && ctx.Err() != nil {
			return nil, ctx.Err()
		}
		x, y := draw(random)
		for m, measure := range measures {
			differences[m] = append(differences[m], measure(y)-measure(x))
		}
	}
	for m := range results {
		results[m].judge(differences[m], o.Test)
	}
	return results, nil
}

// slack is larger than the rounding error of a difference. Differences closer than slack count as equal.
const slack = 1e-12

// judge sets the p-value from the differences in the random samples, and for Bootstrap also Low and High.
func (r *Result) judge(differences []float64, t Test) {
	null := 0.0 // the mean of the differences if the systems were equal
	if t == Bootstrap {
		null = r.Difference
	}
	as := 1 // samples at least as far from null as the observed difference, which counts too
	for _, d := range differences {
		if math.Abs(d-null) >= math.Abs(r.Difference)-slack {
			as++
		}
	}
	r.PValue = float64(as) / float64(len(differences)+1)
	if t != Bootstrap {
		return
	}
	slices.Sort(differences)
	n := len(differences)
	out := n / 40 // 2.5 % at each end
	r.Low, r.High = differences[out], differences[n-1-out]
}

func sum(all []treescore.Counts) (s treescore.Counts) {
	for _, c := range all {
		s.Add(c)
	}
	return s
}

// swapper returns a function that swaps the results of each sentence with probability 1/2, and returns the
// new sums. Sentences with equal results are summed only once.
func swapper(a, b []treescore.Counts) func(*rand.Rand) (x, y treescore.Counts) {
	var same treescore.Counts
	var differ []int
	for i := range a {
		if a[i] == b[i] {
			same.Add(a[i])
		} else {
			differ = append(differ, i)
		}
	}
	return func(r *rand.Rand) (x, y treescore.Counts) {
		x, y = same, same
		var bits uint64
		for k, i := range differ {
			if k%64 == 0 {
				bits = r.Uint64()
			}
			if bits&1 == 0 {
				x.Add(a[i])
				y.Add(b[i])
			} else {
				x.Add(b[i])
				y.Add(a[i])
			}
			bits >>= 1
		}
		return x, y
	}
}

// resampler returns a function that draws len(a) sentences with replacement, and returns their sums in a and
// in b.
func resampler(a, b []treescore.Counts) func(*rand.Rand) (x, y treescore.Counts) {
	return func(r *rand.Rand) (x, y treescore.Counts) {
		for range a {
			i := r.IntN(len(a))
			x.Add(a[i])
			y.Add(b[i])
		}
		return x, y
	}
}
