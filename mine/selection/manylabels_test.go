package selection_test

import (
	"context"
	"io"
	"math/rand/v2"
	"slices"
	"strings"
	"testing"

	"github.com/RoaringBitmap/roaring/v2"
	"github.com/cockroachdb/pebble/v2/vfs"

	"fstore/index"
	"fstore/mine/internal/minetest"
	"fstore/mine/selection"
)

// If almost every sample has its own set of labels, the level is the same as by brute force, and the counts
// of all workers stay within memory.
func TestWestfallYoungOfManyLabelSets(t *testing.T) {
	const trees, labels, permutations, memory = 70, 12, 19, 3000
	o := minetest.Options(t, vfs.NewMem(), 0, 0, "stk:min-support=1,max-order=2")
	o.Source = func(s *index.Symbols) (index.Source, error) { return minetest.NewSource(s, 5, 0, trees), nil }
	s := minetest.Build(t, o.FS, o)
	r := rand.New(rand.NewPCG(2, 1))
	classes := make([]*roaring.Bitmap, labels)
	for k := range classes {
		classes[k] = roaring.New()
		for id := range uint32(trees) {
			if r.IntN(2) == 0 {
				classes[k].Add(id)
			}
		}
	}
	all := minetest.AllFragments(t, s, &s.Meta().Spaces[0])
	unit := make([]int, trees)
	for id := range unit {
		unit[id] = id
	}
	run := selection.Options{By: "chi2", MinSupport: minetest.At(uint32(1)), Seed: 3, Permutations: permutations}
	least := leastPermuted(all, classes, unit, trees, &run)
	slices.Sort(least)
	for _, grow := range []bool{false, true} {
		for _, workers := range []int{1, 4} {
			run.Workers, run.Memory = workers, 0
			run.SetForceGrowth(grow)
			run.SetDefaults()
			x := selection.NewChiSquared(trees, nil, classes)
			level, sizes, err := selection.LevelPermuted(s, &run, x, permutations, 4, memory)
			if err != nil || level != least[4] {
				t.Errorf("grown %v, %d workers: level %v, want %v; %v", grow, workers, level, least[4], err)
			}
			if sizes.LabelSets < trees-10 || sizes.Rooms > workers || sizes.Bytes > memory {
				t.Errorf("grown %v, %d workers: %+v", grow, workers, sizes)
			}
		}
	}
}

// A fragment that divides 1,100 samples into equal halves has a p-value below every float64, and must be a
// discovery.
func TestDiscoveryBelowEveryFloat(t *testing.T) {
	for _, c := range []struct {
		divided bool
		found   string
	}{{true, "p < 5e-324"}, {false, "no p"}} {
		o := minetest.Options(t, vfs.NewMem(), 0, 0, "stk:min-support=1,max-order=1")
		o.Source = func(s *index.Symbols) (index.Source, error) {
			return &halves{Builder: index.Builder{Symbols: s}, divided: c.divided}, nil
		}
		s := minetest.Build(t, o.FS, o)
		run := selection.Options{By: "chi2", Alpha: minetest.At(0.05), Correct: selection.FDRCorrection}
		done, err := selection.DryRun(context.Background(), s, run)
		if err != nil {
			t.Fatal(err)
		}
		all := minetest.AllFragments(t, s, &s.Meta().Spaces[0])
		want := significantOf(all, classesOf(t, s, nil), s.Meta().Samples, &run)
		if c.divided != (len(want) == 2) || done.Fragments != uint64(len(want)) {
			t.Errorf("%d fragments, want %d", done.Fragments, len(want))
		}
		if !strings.HasPrefix(done.Decided, "by chi2: "+c.found+" (alpha 0.05, fdr over ") {
			t.Error(done.Decided)
		}
	}
}

// If the p-values of permutations are below every float64 too, no fragment is found.
func TestPermutedBelowEveryFloat(t *testing.T) {
	o := minetest.Options(t, vfs.NewMem(), 0, 0, "stk:min-support=1,max-order=1")
	o.Source = func(s *index.Symbols) (index.Source, error) {
		return &halves{Builder: index.Builder{Symbols: s}, divided: true}, nil
	}
	s := minetest.Build(t, o.FS, o)
	done, err := selection.DryRun(context.Background(), s, selection.Options{
		By: "chi2", Alpha: minetest.At(0.2), Correct: selection.WestfallYoungCorrection,
		Permute: selection.PermuteDocuments, Permutations: 19,
	})
	if err != nil || done.Fragments != 0 || !strings.HasPrefix(done.Decided, "by chi2: no p (alpha 0.2, westfall-young of 19 permutations of documents, ") {
		t.Errorf("%+v, %v", done, err)
	}
}

// halves is a source of 1,100 trees. Each half has its own label and its own two documents. If `divided` is
// set, each half also has its own word.
type halves struct {
	index.Builder
	divided bool
	n       int
}

func (h *halves) Next(t *index.Tree) error {
	if h.n == 1100 {
		return io.EOF
	}
	half := h.n % 2
	h.n++
	h.Start(t, false)
	word := "u"
	if h.divided {
		word = []string{"u", "v"}[half]
	}
	h.Open([]byte("S"))
	h.Word([]byte(word))
	h.Close()
	t.Label = []string{"x", "y"}[half]
	t.Document = []string{"a", "b", "c", "d"}[h.n%4]
	return nil
}
