package selection_test

import (
	"math/rand/v2"
	"slices"
	"testing"

	"github.com/RoaringBitmap/roaring/v2"

	"fstore/mine/association"
	"fstore/mine/internal/minetest"
	"fstore/mine/selection"
	"fstore/store"
)

// classesOf returns the samples of each label, or only of the label `positive`.
func classesOf(t *testing.T, s *store.Store, positive *string) (all []*roaring.Bitmap) {
	labels, err := s.Labels()
	if positive != nil {
		labels = []string{*positive}
	}
	for _, label := range labels {
		bm, e := s.LabelBitmap(label)
		if err == nil {
			err = e
		}
		all = append(all, bm)
	}
	if err != nil {
		t.Fatal(err)
	}
	return all
}

// labelTest is the test of a fragment and a label, with the smallest p-value that a fragment of this support
// can have.
type labelTest struct{ label, chi2, observed, expected, p, attain float64 }

// testsOf returns the tests of a fragment that occurs in these samples, of n samples.
func testsOf(samples []uint32, classes []*roaring.Bitmap, n float64) (all []labelTest) {
	u := float64(len(samples))
	for k, class := range classes {
		a, c := 0.0, float64(class.GetCardinality())
		for _, id := range samples {
			if class.Contains(id) {
				a++
			}
		}
		x := association.TableOf(a, u, c, n)
		least := 1.0
		for o := max(0, u+c-n); o <= min(u, c); o++ {
			least = min(least, association.TableOf(o, u, c, n).Exact())
		}
		all = append(all, labelTest{float64(k), x.ChiSquared(), a, c / n * u, x.Exact(), least})
	}
	return all
}

// hypothesesOfEach returns the classes to test each fragment with. Two classes that divide the samples are
// one test.
func hypothesesOfEach(classes []*roaring.Bitmap, samples *roaring.Bitmap) []*roaring.Bitmap {
	if len(classes) == 2 && !classes[0].Intersects(classes[1]) && samples.AndCardinality(roaring.Or(classes[0], classes[1])) == samples.GetCardinality() {
		return classes[:1]
	}
	return classes
}

// among returns the samples that a selection chooses among.
func among(samples uint32, o *selection.Options) *roaring.Bitmap {
	all := roaring.New()
	all.AddRange(0, uint64(samples))
	if o.Without != nil {
		all.AndNot(o.Without)
	}
	return all
}

// levelOf returns the largest p-value that is a finding, by the definitions.
func levelOf(all []minetest.Whole, classes []*roaring.Bitmap, samples uint32, o *selection.Options) float64 {
	if o.Alpha == nil {
		return 1
	}
	in := among(samples, o)
	classes = hypothesesOfEach(classes, in)
	n := float64(in.GetCardinality())
	var p, attain []float64
	for _, f := range all {
		for _, x := range testsOf(f.Samples, classes, n) {
			p, attain = append(p, x.p), append(attain, x.attain)
		}
	}
	alpha, m := *o.Alpha, float64(len(p))
	switch o.Correct {
	case selection.BonferroniCorrection:
		return alpha / max(m, 1)
	case selection.FDRCorrection:
		slices.Sort(p)
		last := 0.0
		for k, p := range p {
			if association.AtMost(p, alpha*float64(k+1)/m) {
				last = p
			}
		}
		return last
	case selection.TaroneCorrection:
		for k := 1; ; k++ {
			testable := 0
			for _, p := range attain {
				if association.AtMost(p, alpha/float64(k)) {
					testable++
				}
			}
			if testable <= k {
				return alpha / float64(k)
			}
		}
	case selection.WestfallYoungCorrection:
		unit := make([]int, samples)
		for id := range unit {
			unit[id] = id
			if !in.Contains(uint32(id)) {
				unit[id] = -1
			}
		}
		least := leastPermuted(all, classes, unit, n, o)
		slices.Sort(least)
		for i := len(least) - 1; i >= 0; i-- {
			if float64(i+1+1) <= alpha*float64(o.Permutations+1)*(1+association.Slack) {
				return least[i+1] * (1 - 4*association.Slack)
			}
		}
		return least[0] * (1 - 4*association.Slack)
	}
	return alpha
}

// leastPermuted returns the least p-value of all hypotheses for each permutation. Labels are permuted between
// units. unit[i] is the unit of sample i, or -1 if the sample keeps its labels.
func leastPermuted(all []minetest.Whole, classes []*roaring.Bitmap, unit []int, n float64, o *selection.Options) (least []float64) {
	first := map[int]int{} // a sample of each unit
	var units []int
	for id, u := range unit {
		if _, known := first[u]; u >= 0 && !known {
			first[u] = id
			units = append(units, u)
		}
	}
	for j := range o.Permutations {
		order := slices.Clone(units)
		rand.New(rand.NewPCG(o.Seed, uint64(j))).Shuffle(len(order), func(a, b int) { order[a], order[b] = order[b], order[a] })
		gets := map[int]int{}
		for i, u := range units {
			gets[u] = first[order[i]]
		}
		var permuted []*roaring.Bitmap
		for _, c := range classes {
			bm := roaring.New()
			for id, u := range unit {
				from := id
				if u >= 0 {
					from = gets[u]
				}
				if c.Contains(uint32(from)) {
					bm.Add(uint32(id))
				}
			}
			permuted = append(permuted, bm)
		}
		p := 1.0
		for _, f := range all {
			for _, x := range testsOf(f.Samples, permuted, n) {
				p = min(p, x.p)
			}
		}
		least = append(least, p)
	}
	return least
}

// significantOf selects by the definitions. A fragment gets the label with the largest significant χ². Among
// equal ones, a label with which it is more frequent than expected wins.
func significantOf(all []minetest.Whole, classes []*roaring.Bitmap, samples uint32, o *selection.Options) (kept []store.Entry) {
	level := levelOf(all, classes, samples, o)
	for _, f := range all {
		best := labelTest{chi2: -1}
		for _, x := range testsOf(f.Samples, classes, float64(among(samples, o).GetCardinality())) {
			over, bestOver := x.observed > x.expected, best.observed > best.expected
			if association.AtMost(x.p, level) && (o.Tau == nil || x.chi2 >= *o.Tau) && (x.chi2 > best.chi2 || x.chi2 == best.chi2 && over && !bestOver) {
				best = x
			}
		}
		if best.chi2 >= 0 {
			kept = append(kept, store.Entry{
				Code: f.Code, Score: best.chi2,
				Stats: []float64{float64(len(f.Samples)), float64(f.Occ), best.label, best.observed, best.expected, best.p},
			})
		}
	}
	return kept
}
