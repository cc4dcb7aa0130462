package spacetest

import (
	"maps"
	"slices"
	"testing"

	"fstore/index"
	"fstore/index/brute"
)

// Kernel compares the kernel with the dot product over all fragments, plus the Offset of kernels that have
// one.
func (c *Case) Kernel(t *testing.T) {
	for _, lambda := range []float64{1, 0.4, 0} {
		k := c.Space.NewKernel(c.Symbols, lambda)
		var prepared []any
		var vectors []map[string]*brute.Match
		for _, tree := range c.Trees {
			p, err := k.Prepare(tree)
			if err != nil {
				t.Fatal(err)
			}
			prepared, vectors = append(prepared, p), append(vectors, c.Brute(tree, lambda))
		}
		for i := range prepared {
			for j := range prepared {
				want := 0.0
				if x, ok := k.(index.Offset); ok {
					want = x.Offset()
				}
				for _, f := range slices.Sorted(maps.Keys(vectors[i])) {
					if y := vectors[j][f]; y != nil {
						want += vectors[i][f].Value * y.Value
					}
				}
				if got := k.Eval(prepared[i], prepared[j]).Float(); !near(got, want) {
					t.Fatalf("λ %v, samples %d and %d: kernel %v, dot product %v", lambda, i, j, got, want)
				}
			}
		}
		if m, ok := k.(index.Merging); ok {
			checkMerged(t, m, prepared)
		}
		if p, ok := k.(index.Pairing); ok {
			checkPairs(t, p, prepared)
		}
	}
}

// checkMerged checks that merged trees give the same results as single pairs. The last tree is not merged, so
// that it can have parts that no merged tree has.
func checkMerged(t *testing.T, k index.Merging, prepared []any) {
	m := k.Merge(prepared[:len(prepared)-1])
	sums := make([]float64, m.Components())
	for i, x := range prepared {
		k.Sums(sums, m, x)
		for j := range prepared[:len(prepared)-1] {
			if components, _ := m.Of(j); !slices.IsSorted(components) || len(slices.Compact(slices.Clone(components))) < len(components) {
				t.Fatalf("components %v", components)
			}
			got := index.SumOf(m, sums, j)
			if want := k.Eval(x, prepared[j]).Float(); !near(got, want) {
				t.Fatalf("samples %d and %d: merged %v, apart %v", i, j, got, want)
			}
		}
	}
}

// checkPairs checks that Pairs of two merged sets gives the same kernel values as Eval of each pair of trees,
// and that it visits only the wanted components.
func checkPairs(t *testing.T, k index.Pairing, prepared []any) {
	half := len(prepared) / 2
	a, b := k.Merge(prepared[:half+1]), k.Merge(prepared[half:])
	for j := range prepared[half:] {
		counts := make([]float64, b.Components())
		wanted := make([]bool, b.Components())
		components, of := b.Of(j)
		for n, c := range components {
			counts[c], wanted[c] = float64(of[n]), true
		}
		sums := make([]float64, a.Components())
		k.Pairs(a, b, wanted, func(x, y uint32, c float64) {
			if !wanted[y] {
				t.Fatalf("component %d is not wanted", y)
			}
			sums[x] += counts[y] * c
		})
		for i := range prepared[:half+1] {
			if got, want := index.SumOf(a, sums, i), k.Eval(prepared[i], prepared[half+j]).Float(); !near(got, want) {
				t.Fatalf("samples %d and %d: pairs %v, apart %v", i, half+j, got, want)
			}
		}
	}
}
