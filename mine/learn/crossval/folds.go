// Package crossval deals samples to folds, and records how well each price C did in cross-validation. It
// imports index, store and mine/learn/measure.
package crossval

import (
	"encoding/binary"
	"math/rand/v2"
	"slices"
	"strings"

	"fstore/index"

	"github.com/zeebo/xxh3"
)

// Folds has, for each sample, the index of its fold.
type Folds []int

// Count returns the number of folds.
func (f Folds) Count() int {
	if len(f) == 0 {
		return 0
	}
	return slices.Max(f) + 1
}

// Split returns the indexes of the samples outside and inside of a fold, ascending.
func (f Folds) Split(fold int) (outside, inside []int) {
	for i, k := range f {
		if k == fold {
			inside = append(inside, i)
		} else {
			outside = append(outside, i)
		}
	}
	return outside, inside
}

// Hash returns a hash of the folds. Different folds almost certainly have different hashes.
func (f Folds) Hash() uint64 {
	var b []byte
	for _, k := range f {
		b = binary.AppendUvarint(b, uint64(k))
	}
	return xxh3.Hash(b)
}

// Random deals n samples to k folds. The sizes of the folds differ by at most one.
func Random(n, k int, seed uint64) (Folds, error) {
	return deal(k, seed, n, [][]int{UpTo(n)})
}

// Stratified deals samples to k folds. Each fold gets about the same number of samples of each label. A
// combination of labels counts as one more label.
func Stratified(labels [][]string, k int, seed uint64) (Folds, error) {
	keys := make([]string, len(labels))
	for i, l := range labels {
		keys[i] = strings.Join(l, ",")
	}
	return deal(k, seed, len(labels), gather(keys))
}

// Grouped deals samples to k folds, and keeps each group in one fold. A sample whose group is "" is a group
// of its own.
func Grouped(groups []string, k int, seed uint64) (Folds, error) {
	sets := gather(groups)
	if err := checkFolds(k, len(sets), "groups"); err != nil {
		return nil, err
	}
	r := rand.New(rand.NewPCG(seed, 0))
	r.Shuffle(len(sets), func(a, b int) { sets[a], sets[b] = sets[b], sets[a] })
	// The small groups come last, because they even out the sizes of the folds.
	slices.SortStableFunc(sets, func(a, b []int) int { return len(b) - len(a) })
	f := make(Folds, len(groups))
	sizes := make([]int, k)
	for _, set := range sets {
		least := slices.Index(sizes, slices.Min(sizes))
		for _, i := range set {
			f[i] = least
		}
		sizes[least] += len(set)
	}
	return f, nil
}

// deal deals the samples to the folds in turn, one stratum after the other, each stratum in random order.
func deal(k int, seed uint64, n int, strata [][]int) (Folds, error) {
	if err := checkFolds(k, n, "samples"); err != nil {
		return nil, err
	}
	r := rand.New(rand.NewPCG(seed, 0))
	f := make(Folds, n)
	next := 0
	for _, s := range strata {
		r.Shuffle(len(s), func(a, b int) { s[a], s[b] = s[b], s[a] })
		for _, i := range s {
			f[i] = next % k
			next++
		}
	}
	return f, nil
}

func checkFolds(k, n int, things string) error {
	if k < 2 || k > n {
		return index.Usagef("%d folds of %d %s: expected 2 at least, and no empty one", k, n, things)
	}
	return nil
}

// gather groups the indexes of equal keys, in order. An index whose key is "" stays alone.
func gather(keys []string) (places [][]int) {
	at := map[string]int{}
	for i, key := range keys {
		n, ok := at[key]
		if !ok || key == "" {
			n = len(places)
			at[key] = n
			places = append(places, nil)
		}
		places[n] = append(places[n], i)
	}
	return places
}

// UpTo returns the numbers from 0 to n−1, the indexes of n samples.
func UpTo(n int) []int {
	all := make([]int, n)
	for i := range all {
		all[i] = i
	}
	return all
}
