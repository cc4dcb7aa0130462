package selection_test

import (
	"flag"
	"fmt"
	"math"
	"math/rand/v2"
	"testing"

	"github.com/RoaringBitmap/roaring/v2"
	"github.com/cockroachdb/pebble/v2/vfs"

	"fstore/index"
	"fstore/mine/internal/minetest"
	"fstore/mine/selection"
)

var (
	relabellings = flag.Int("relabellings", 40, "random relabellings in TestErrorRate")
	relabelSeed  = flag.Uint64("relabel-seed", 1, "their seed; 0 is a new one")
	permutations = flag.Int("permutations", 99, "of each, by westfall-young")
)

// If labels are given at random, every finding is false. With each correction, the share of runs that find
// anything must not exceed alpha by more than chance.
func TestErrorRate(t *testing.T) {
	seed := *relabelSeed
	if seed == 0 {
		seed = rand.Uint64()
	}
	t.Logf("seed %d", seed)
	const trees = 200
	o := minetest.Options(t, vfs.NewMem(), 0, 0, "stk:min-support=1,max-order=3")
	o.Source = func(s *index.Symbols) (index.Source, error) { return minetest.NewSource(s, seed, 0, trees), nil }
	s := minetest.Build(t, o.FS, o)
	random := rand.New(rand.NewPCG(seed, 1))
	runs := map[string]int{}
	kinds := []struct {
		correct selection.Correction
		alpha   float64
	}{
		{selection.BonferroniCorrection, .05},
		{selection.BonferroniCorrection, .3},
		{selection.TaroneCorrection, .05},
		{selection.TaroneCorrection, .3},
		{selection.WestfallYoungCorrection, .05},
		{selection.WestfallYoungCorrection, .3},
	}
	for range *relabellings {
		labelled := roaring.New()
		for _, id := range random.Perm(trees)[:trees/8] {
			labelled.Add(uint32(id))
		}
		for _, k := range kinds {
			o := selection.Options{Alpha: &k.alpha, Correct: k.correct, Top: 1}
			if k.correct == selection.WestfallYoungCorrection {
				o.Permutations, o.Seed = *permutations, random.Uint64()
			}
			if all, _ := selection.Found(t, s, o, []*roaring.Bitmap{labelled}); len(all) > 0 {
				runs[fmt.Sprint(k.correct, " ", k.alpha)]++
			}
		}
	}
	n := float64(*relabellings)
	for _, k := range kinds {
		rate := float64(runs[fmt.Sprint(k.correct, " ", k.alpha)]) / n
		t.Logf("%s, alpha %v: a finding in %.3f of %v runs", k.correct, k.alpha, rate, n)
		if most := k.alpha + 3*math.Sqrt(k.alpha*(1-k.alpha)/n); rate > most {
			t.Errorf("more than %.3f", most)
		}
	}
}
