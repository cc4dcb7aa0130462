package selection_test

import (
	"cmp"
	"math"
	"math/rand/v2"
	"slices"
	"strings"
	"testing"

	gocmp "github.com/google/go-cmp/cmp"

	"fstore/index"
	"fstore/mine/internal/minetest"
	"fstore/mine/selection"
	"fstore/store"
)

// obvious selects by the definitions: every fragment is looked at.
func obvious(t *testing.T, s *store.Store, all []minetest.Whole, o *selection.Options) (selected []store.Entry) {
	if o.By == "chi2" {
		selected = significantOf(all, classesOf(t, s, o.Positive), s.Meta().Samples, o)
	} else {
		for _, f := range all {
			u := float64(len(f.Samples))
			selected = append(selected, store.Entry{Code: f.Code, Score: u, Stats: []float64{u, float64(f.Occ)}})
		}
	}
	if o.Top > 0 {
		slices.SortFunc(selected, func(a, b store.Entry) int {
			return cmp.Or(cmp.Compare(math.Abs(b.Score), math.Abs(a.Score)), slices.Compare(a.Code, b.Code))
		})
		selected = selected[:min(o.Top, len(selected))]
		slices.SortFunc(selected, func(a, b store.Entry) int { return slices.Compare(a.Code, b.Code) })
	}
	return selected
}

// randomOptions returns random options of Run for a space.
func randomOptions(r *rand.Rand, space string) selection.Options {
	o := selection.Options{Space: space, By: "chi2", MinSupport: minetest.At(uint32(1 + r.IntN(3))), MaxOrder: minetest.At(1 + r.IntN(3))}
	if r.IntN(3) == 0 {
		o.Positive = minetest.At([]string{"x", "y"}[r.IntN(2)])
	}
	switch r.IntN(6) {
	case 0:
		o.By, o.Positive = "support", nil
		o.Top = r.IntN(10)
	case 1:
		o.Tau = minetest.At([]float64{0, 1, 2, 3.84, 6.63}[r.IntN(5)])
	case 2:
		o.Top = 1 + r.IntN(30)
		if r.IntN(2) == 0 {
			o.Tau = minetest.At(2.0)
		}
	default:
		o.Alpha = minetest.At([]float64{.001, .05, .2, .5, .9}[r.IntN(5)])
		o.Correct = []selection.Correction{selection.NoCorrection, selection.BonferroniCorrection, selection.FDRCorrection, selection.TaroneCorrection, selection.WestfallYoungCorrection}[r.IntN(5)]
		if o.Correct == selection.WestfallYoungCorrection {
			o.Alpha, o.Permutations, o.Seed = minetest.At([]float64{.1, .2, .5, .9}[r.IntN(4)]), 19, r.Uint64N(9)
		}
	}
	return o
}

// A selection has the fragments that brute force selects, in every space, whether they are scanned or grown.
func TestSelectIsBruteForce(t *testing.T) {
	for _, kind := range []index.Kind{index.Constituency, index.Dependency} {
		t.Run(kind.String(), func(t *testing.T) {
			r := rand.New(rand.NewPCG(1, uint64(kind)))
			found := 0
			for seed := range uint64(minetest.Treebanks) {
				s := minetest.LabelledStore(t, kind, seed, minetest.SpacesOf(t, kind, "min-support=1,max-order=3")...)
				if labels, err := s.Labels(); err != nil || len(labels) != 3 {
					continue
				}
				for i := range s.Meta().Spaces {
					info := &s.Meta().Spaces[i]
					o := randomOptions(r, info.ID)
					all := slices.DeleteFunc(minetest.AllFragments(t, s, info), func(f minetest.Whole) bool {
						return f.Order > *o.MaxOrder || len(f.Samples) < int(*o.MinSupport)
					})
					want := printEntries(s, info, obvious(t, s, all, &o))
					found += strings.Count(want, "\n")
					for _, grow := range []bool{false, true} {
						o.SetForceGrowth(grow)
						if got := printEntries(s, info, selection.EntriesOf(t, s, o)); got != want {
							t.Fatalf("seed %d, grown %v, %+v: %s", seed, grow, o, gocmp.Diff(want, got))
						}
					}
				}
				if err := s.Close(); err != nil {
					t.Fatal(err)
				}
			}
			if found < 10*minetest.Treebanks {
				t.Errorf("%d fragments selected in all", found)
			}
		})
	}
}
