package selection_test

import (
	"context"
	"fmt"
	"math"
	"math/rand/v2"
	"slices"
	"testing"

	"github.com/cockroachdb/pebble/v2/vfs"

	"fstore/index"
	"fstore/mine/internal/minetest"
	"fstore/mine/selection"
)

// If documents are permuted, the level of Westfall and Young is the same as when every hypothesis is tested.
// Documents of mixed labels, and samples without a document, keep their labels.
func TestWestfallYoungOfDocuments(t *testing.T) {
	o := minetest.Options(t, vfs.NewMem(), 0, 0, "stk:min-support=1,max-order=2")
	random := rand.New(rand.NewPCG(1, 1))
	var unit []int
	o.Source = func(s *index.Symbols) (index.Source, error) {
		return &inDocuments{minetest.NewSource(s, 5, 0, 60), random, &unit}, nil
	}
	s := minetest.Build(t, o.FS, o)
	all := minetest.AllFragments(t, s, &s.Meta().Spaces[0])
	classes := classesOf(t, s, nil)
	for i := range 4 {
		alpha := []float64{0.1, 0.5}[i%2]
		o := selection.Options{
			By: "chi2", Alpha: minetest.At(alpha), Memory: int64(i / 2 * 5000), // which holds some permutations
			Correct: selection.WestfallYoungCorrection, MinSupport: minetest.At(uint32(1)),
			Permute: selection.PermuteDocuments, Permutations: 29, Seed: 3,
		}
		least := leastPermuted(all, classes, unit[:s.Meta().Samples], float64(s.Meta().Samples), &o)
		slices.Sort(least)
		got, err := selection.DryRun(context.Background(), s, o)
		if err != nil {
			t.Fatal(err)
		}
		want := fmt.Sprintf("by chi2: p < %.6g (alpha %v, westfall-young of 29 permutations of documents, seed 3; 1 document of mixed labels and 4 samples without a document left as they are; ",
			least[int(math.Round(30*alpha))-1], alpha)
		if got.Decided[:len(want)] != want {
			t.Errorf("%s, want %s…", got.Decided, want)
		}
	}
}

// inDocuments puts samples into documents. All samples of a document have the same label or no label; only
// document 5 has two labels.
type inDocuments struct {
	*minetest.RandomSource
	r    *rand.Rand
	unit *[]int
}

func (d *inDocuments) Next(t *index.Tree) error {
	err := d.RandomSource.Next(t)
	n := len(*d.unit)
	document := int(math.Sqrt(float64(2 * n)))
	*d.unit = append(*d.unit, document)
	t.Document, t.Label = fmt.Sprint(document), []string{"x", "y", ""}[document%3]
	switch {
	case document == 5:
		(*d.unit)[n] = -1
		t.Label = []string{"x", "y"}[n%2]
	case n < 4:
		(*d.unit)[n] = -1
		t.Document = ""
	}
	return err
}

// The level does not depend on workers, on memory, or on whether fragments are scanned or grown.
func TestSignificanceOfAnyWorkers(t *testing.T) {
	o := minetest.Options(t, vfs.NewMem(), 0, 0, "stk:min-support=1,max-order=4")
	o.Source = func(s *index.Symbols) (index.Source, error) { return minetest.NewSource(s, 5, 0, 150), nil }
	s := minetest.Build(t, o.FS, o)
	for _, correct := range []selection.Correction{selection.BonferroniCorrection, selection.FDRCorrection, selection.TaroneCorrection, selection.WestfallYoungCorrection} {
		for _, closed := range []bool{false, true} {
			want := ""
			for i := range 6 {
				o := selection.Options{
					By: "chi2", Alpha: minetest.At(0.5), Correct: correct, Closed: &closed,
					Workers: 1 + 3*(i%2), Memory: int64(i / 4 * 40_000),
				}
				o.SetForceGrowth(i >= 2)
				if correct == selection.WestfallYoungCorrection {
					o.Permutations = 200 // which are dealt in several blocks where memory is short
				}
				got, err := selection.DryRun(context.Background(), s, o)
				if err != nil {
					t.Fatal(err)
				}
				if i == 0 {
					want = got.Decided
				}
				if got.Decided != want {
					t.Errorf("%s, and of the first %s", got.Decided, want)
				}
			}
		}
	}
}
