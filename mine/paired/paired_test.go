package paired

import (
	"context"
	"math"
	"math/rand/v2"
	"testing"

	"fstore/index/treescore"
)

var measures = []func(treescore.Counts) float64{treescore.Counts.UF1, treescore.Counts.LF1, treescore.Counts.Precision}

// sentences returns random results of two systems on n sentences.
func sentences(seed uint64, n int) (a, b []treescore.Counts) {
	r := rand.New(rand.NewPCG(seed, 1))
	for range n {
		gold := uint64(1 + r.IntN(5))
		one := func() treescore.Counts {
			p := uint64(1 + r.IntN(5))
			u := uint64(r.IntN(int(min(p, gold)) + 1))
			return treescore.Counts{Gold: gold, Predicted: p, Unlabelled: u, Labelled: uint64(r.IntN(int(u) + 1))}
		}
		a, b = append(a, one()), append(b, one())
		if r.IntN(3) == 0 {
			b[len(b)-1] = a[len(a)-1]
		}
	}
	return a, b
}

// TestExact compares p-values with those of all possible swaps, and all possible draws, of a few sentences.
func TestExact(t *testing.T) {
	const samples = 20000
	for seed := range uint64(6) {
		a, b := sentences(seed, 5)
		for _, test := range []Test{Randomization, Bootstrap} {
			got, err := Compare(context.Background(), a, b, measures, Options{Test: test, Samples: samples, Seed: 7})
			if err != nil {
				t.Fatal(err)
			}
			for m, measure := range measures {
				r := got[m]
				if r.A != measure(sum(a)) || r.B != measure(sum(b)) || r.Difference != r.B-r.A {
					t.Fatalf("%+v", r)
				}
				all := every(a, b, test, measure)
				null := 0.0
				if test == Bootstrap {
					null = r.Difference
				}
				as := 0
				for _, d := range all {
					if math.Abs(d-null) >= math.Abs(r.Difference)-1e-9 {
						as++
					}
				}
				want := float64(as) / float64(len(all))
				if math.Abs(r.PValue-want) > 0.015 {
					t.Errorf("seed %d %s: p %g, and of all samples %g", seed, test, r.PValue, want)
				}
				if test == Randomization {
					if !math.IsNaN(r.Low) || !math.IsNaN(r.High) {
						t.Errorf("%+v", r)
					}
					continue
				}
				if !isQuantile(all, r.Low, 0.025) || !isQuantile(all, r.High, 0.975) {
					t.Errorf("seed %d: %g to %g is not the middle of %d", seed, r.Low, r.High, len(all))
				}
			}
		}
	}
}

// isQuantile reports whether x is the quantile q of all values, within the error of chance.
func isQuantile(all []float64, x, q float64) bool {
	below, upTo := 0, 0
	for _, d := range all {
		if d < x-1e-12 {
			below++
		}
		if d <= x+1e-12 {
			upTo++
		}
	}
	n := float64(len(all))
	return float64(below)/n <= q+0.005 && float64(upTo)/n >= q-0.005
}

// every returns the differences of all possible samples.
func every(a, b []treescore.Counts, test Test, measure func(treescore.Counts) float64) (all []float64) {
	kinds := 2 // the number of choices for each sentence
	if test == Bootstrap {
		kinds = len(a)
	}
	total := 1
	for range a {
		total *= kinds
	}
	for n := range total {
		var x, y treescore.Counts
		for i, rest := 0, n; i < len(a); i, rest = i+1, rest/kinds {
			p, q := a[i], b[i]
			if choice := rest % kinds; test == Bootstrap {
				p, q = a[choice], b[choice]
			} else if choice == 1 {
				p, q = q, p
			}
			x.Add(p)
			y.Add(q)
		}
		all = append(all, measure(y)-measure(x))
	}
	return all
}

func TestEqualSystems(t *testing.T) {
	a, _ := sentences(1, 20)
	for _, test := range []Test{Randomization, Bootstrap} {
		got, err := Compare(context.Background(), a, a, measures, Options{Test: test, Samples: 50})
		if err != nil || got[0].PValue != 1 || got[0].Difference != 0 {
			t.Errorf("%s: %+v, %v", test, got, err)
		}
	}
	if _, err := Compare(context.Background(), a, a[1:], measures, Options{Samples: 1}); err == nil {
		t.Error("no error of two lengths")
	}
}
