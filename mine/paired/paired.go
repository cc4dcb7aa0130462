// Package paired tests whether two systems that were run on the same sentences differ by
// more than chance, in measures that are no means over sentences, such as F1.
package paired

import (
	"context"
	"errors"
	"math"
	"math/rand/v2"
	"slices"

	"fstore/index/treescore"
)

// Test is how a p-value is found.
type Test string

const (
	// Randomization swaps the two systems' results in a random half of the sentences
	// (Noreen 1989; Yeh 2000): the p-value is the share of swaps with a difference at least
	// as large, either way.
	Randomization Test = "randomization"
	// Bootstrap draws as many sentences, each as often as chance has it, and each with the
	// results of both systems (Efron & Tibshirani 1993, ch. 16; Berg-Kirkpatrick et al.
	// 2012): the p-value is the share of draws whose difference is at least as far from the
	// difference that was seen as that is from 0.
	Bootstrap Test = "bootstrap"
)

// Options are how systems are compared.
type Options struct {
	Test    Test
	Samples int // swaps or draws, at least 1
	Seed    uint64
}

// Result compares two systems by one measure.
type Result struct {
	A, B       float64 // what the measure is of each
	Difference float64 // B − A
	// Low and High bound the middle 95 % of the differences of a bootstrap's draws; they are
	// NaN of other tests.
	Low, High float64
	// PValue is two-sided, and never 0: the difference that was seen is counted as one of
	// the samples.
	PValue float64
}

// Compare compares what two systems did with the same sentences, at least one, by several
// measures of the sum over sentences: all look at the same samples. The results are in the
// order of the measures, and depend on nothing but the arguments.
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

// slack is what rounding may take off a difference that is as large as another.
const slack = 1e-12

// judge sets what the differences of the samples say.
func (r *Result) judge(differences []float64, t Test) {
	null := 0.0 // where the differences are were there none
	if t == Bootstrap {
		null = r.Difference
	}
	as := 1 // as far from it as what was seen, which is one
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
	out := n / 40 // 2.5 % at either end
	r.Low, r.High = differences[out], differences[n-1-out]
}

func sum(all []treescore.Counts) (s treescore.Counts) {
	for _, c := range all {
		s.Add(c)
	}
	return s
}

// swapper returns what swaps the results of half the sentences. Where both systems have
// the same there is nothing to swap.
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

// resampler returns what draws sentences.
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
