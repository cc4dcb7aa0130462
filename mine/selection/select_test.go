package selection_test

import (
	"cmp"
	"math"
	"math/rand/v2"
	"slices"
	"strings"
	"testing"

	"github.com/RoaringBitmap/roaring/v2"
	"github.com/cockroachdb/pebble/v2/vfs"
	gocmp "github.com/google/go-cmp/cmp"

	"fstore/index"
	"fstore/mine/association"
	"fstore/mine/internal/minetest"
	"fstore/mine/selection"
	"fstore/store"
)

// labelledStore holds a few random labelled trees of a kind, with the fragments of these
// spaces.
func labelledStore(t *testing.T, kind index.Kind, seed uint64, args ...string) *store.Store {
	o := minetest.Options(t, vfs.NewMem(), 0, 0, args...)
	r := rand.New(rand.NewPCG(seed, 3))
	o.Source = func(s *index.Symbols) (index.Source, error) {
		var trees index.Source = minetest.NewSource(s, seed, 0, 10)
		if kind == index.Dependency {
			from := int(seed) * 10
			trees = &minetest.DependencySource{S: s, At: from, End: from + 10}
		}
		return &minetest.Labelled{Source: trees, Rand: r}, nil
	}
	return minetest.Build(t, o.FS, o)
}

// obvious selects by the definitions: every fragment is looked at.
func obvious(t *testing.T, s *store.Store, all []minetest.Whole, o *selection.Options) (selected []store.Entry) {
	labels := []string{"x", "y", "z"}
	if o.Positive != nil {
		labels = []string{*o.Positive}
	}
	n := float64(s.Meta().Samples)
	of := map[string]*roaring.Bitmap{}
	for _, label := range labels {
		bm, err := s.LabelBitmap(label)
		if err != nil {
			t.Fatal(err)
		}
		of[label] = bm
	}
	var tests []float64 // p-values of the fragments
	for _, f := range all {
		u := float64(len(f.Samples))
		e := store.Entry{Code: f.Code, Score: u, Stats: []float64{u, float64(f.Occ)}}
		if o.By == "chi2" {
			e.Score = -1
			for k, label := range labels {
				bm := of[label]
				a, c := 0.0, float64(bm.GetCardinality())
				for _, id := range f.Samples {
					if bm.Contains(id) {
						a++
					}
				}
				chi2 := association.Table{O11: a, O12: u - a, O21: c - a, O22: n - c - u + a}.ChiSquared()
				over := a > c/n*u
				better := chi2 > e.Score
				if chi2 == e.Score && over {
					better = e.Stats[3] <= e.Stats[4]
				}
				if better {
					e.Score, e.Stats = chi2, append(e.Stats[:2:2], float64(k), a, c/n*u, association.PValue(chi2))
				}
			}
		}
		tests = append(tests, association.PValue(e.Score)*float64(len(labels)))
		selected = append(selected, e)
	}
	if o.By == "chi2" {
		selected = significantOf(selected, tests, float64(len(labels)), o)
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

// significantOf keeps what passes; tests are the p-values of the fragments, corrected to
// the labels.
func significantOf(all []store.Entry, tests []float64, labels float64, o *selection.Options) (kept []store.Entry) {
	m := float64(len(tests))
	ascending := slices.Sorted(slices.Values(tests))
	last := -1.0
	for k, p := range ascending {
		if o.Alpha != nil && p <= *o.Alpha*float64(k+1)/m {
			last = p
		}
	}
	for i, e := range all {
		pass := true
		switch {
		case o.Tau != nil:
			pass = e.Score >= *o.Tau
		case o.Alpha != nil && o.Correct == selection.BonferroniCorrection:
			pass = association.PValue(e.Score) <= *o.Alpha/labels/m
		case o.Alpha != nil && o.Correct == selection.FDRCorrection:
			pass = tests[i] <= last
		case o.Alpha != nil:
			pass = association.PValue(e.Score) <= *o.Alpha
		}
		if pass {
			kept = append(kept, e)
		}
	}
	return kept
}

// randomOptions are options of Select for a space, and how many it should be of.
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
		o.Correct = []selection.Correction{selection.NoCorrection, selection.BonferroniCorrection, selection.FDRCorrection}[r.IntN(3)]
	}
	return o
}

// A selection is what the definitions select, in every space, scanned or grown, within
// what is stored or beyond it.
func TestSelectIsBruteForce(t *testing.T) {
	for _, kind := range []index.Kind{index.Constituency, index.Dependency} {
		t.Run(kind.String(), func(t *testing.T) {
			r := rand.New(rand.NewPCG(1, uint64(kind)))
			found := 0
			for seed := range uint64(minetest.Treebanks) {
				s := labelledStore(t, kind, seed, minetest.SpacesOf(t, kind, "min-support=1,max-order=3")...)
				if labels, err := s.Labels(); err != nil || len(labels) != 3 {
					continue
				}
				for i := range s.Meta().Spaces {
					info := &s.Meta().Spaces[i]
					o := randomOptions(r, info.ID)
					all := slices.DeleteFunc(minetest.AllFragments(t, s, info), func(f minetest.Whole) bool {
						return f.Order > *o.MaxOrder || len(f.Samples) < int(*o.MinSupport)
					})
					want := minetest.PrintEntries(s, info, obvious(t, s, all, &o))
					found += strings.Count(want, "\n")
					for _, grow := range []bool{false, true} {
						o.SetForceGrowth(grow)
						if got := minetest.PrintEntries(s, info, minetest.EntriesOf(t, s, o)); got != want {
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
