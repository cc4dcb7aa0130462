package crossval

import (
	"errors"
	"math/rand/v2"
	"slices"
	"strconv"
	"testing"

	"fstore/index"
)

func TestFolds(t *testing.T) {
	for seed := range uint64(30) {
		r := rand.New(rand.NewPCG(seed, 3))
		n := 6 + r.IntN(60)
		k := 2 + r.IntN(4)
		labels, groups := make([][]string, n), make([]string, n)
		for i := range n {
			labels[i] = []string{strconv.Itoa(r.IntN(3))}
			groups[i] = strconv.Itoa(i / 2)
		}
		random, err := Random(n, k, seed)
		check(t, random, n, k, err)
		again, _ := Random(n, k, seed)
		if !slices.Equal(random, again) {
			t.Fatal("one seed, two deals")
		}
		even(t, random, k, func(int) bool { return true })
		stratified, err := Stratified(labels, k, seed)
		check(t, stratified, n, k, err)
		for label := range 3 {
			even(t, stratified, k, func(i int) bool { return labels[i][0] == strconv.Itoa(label) })
		}
		if (n+1)/2 < k {
			continue
		}
		grouped, err := Grouped(groups, k, seed)
		check(t, grouped, n, k, err)
		for i := range n {
			if grouped[i] != grouped[i/2*2] {
				t.Fatalf("group %s is in two folds", groups[i])
			}
		}
	}
	alone, err := Grouped([]string{"", "", "a", "a"}, 3, 1)
	check(t, alone, 4, 3, err)
	for _, k := range []int{-1, 0, 1, 4} {
		var e *index.UsageError
		if _, err := Random(3, k, 1); !errors.As(err, &e) {
			t.Errorf("%d folds of 3 samples: %v", k, err)
		}
	}
}

func check(t *testing.T, f Folds, n, k int, err error) {
	t.Helper()
	if err != nil || len(f) != n || f.Count() != k {
		t.Fatalf("%d samples, %d folds: %v, %v", n, k, f, err)
	}
}

// even fails the test unless the samples of a stratum are spread evenly over k folds. The function `in`
// reports whether sample i is in the stratum.
func even(t *testing.T, f Folds, k int, in func(i int) bool) {
	t.Helper()
	sizes := make([]int, k)
	for i, fold := range f {
		if in(i) {
			sizes[fold]++
		}
	}
	if slices.Max(sizes)-slices.Min(sizes) > 1 {
		t.Fatalf("sizes %v", sizes)
	}
}
