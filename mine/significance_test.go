package mine

import (
	"context"
	"fmt"
	"math"
	"math/rand/v2"
	"slices"
	"testing"

	"github.com/RoaringBitmap/roaring/v2"
	"github.com/cockroachdb/pebble/v2/vfs"

	"fstore/index"
	"fstore/mine/association"
	"fstore/store"
)

// classesOf are the labels that a selection tests against.
func classesOf(t *testing.T, s *store.Store, positive *string) (all []Class) {
	labels, err := s.Labels()
	if positive != nil {
		labels = []string{*positive}
	}
	for _, label := range labels {
		bm, e := s.LabelBitmap(label)
		if err == nil {
			err = e
		}
		all = append(all, Class{label, bm})
	}
	if err != nil {
		t.Fatal(err)
	}
	return all
}

// labelTest is the test of a fragment and a label, and the least p-value that its support
// can attain.
type labelTest struct{ label, chi2, observed, expected, p, attain float64 }

// testsOf are the tests of a fragment with these samples, of n.
func testsOf(samples []uint32, classes []Class, n float64) (all []labelTest) {
	u := float64(len(samples))
	for k, class := range classes {
		a, c := 0.0, float64(class.Samples.GetCardinality())
		for _, id := range samples {
			if class.Samples.Contains(id) {
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

// hypothesesOfEach are the classes with which a fragment is a hypothesis: of two that
// divide the samples, one.
func hypothesesOfEach(classes []Class, samples *roaring.Bitmap) []Class {
	if len(classes) == 2 && !classes[0].Samples.Intersects(classes[1].Samples) && samples.AndCardinality(roaring.Or(classes[0].Samples, classes[1].Samples)) == samples.GetCardinality() {
		return classes[:1]
	}
	return classes
}

// among are the samples that a selection chooses among.
func among(samples uint32, o *SelectOptions) *roaring.Bitmap {
	all := roaring.New()
	all.AddRange(0, uint64(samples))
	if o.Without != nil {
		all.AndNot(o.Without)
	}
	return all
}

// levelOf is the largest p-value that is a finding, by the definitions.
func levelOf(all []whole, classes []Class, samples uint32, o *SelectOptions) float64 {
	if o.Alpha == nil {
		return 1
	}
	in := among(samples, o)
	classes = hypothesesOfEach(classes, in)
	n := float64(in.GetCardinality())
	var p, attain []float64
	for _, f := range all {
		for _, x := range testsOf(f.samples, classes, n) {
			p, attain = append(p, x.p), append(attain, x.attain)
		}
	}
	alpha, m := *o.Alpha, float64(len(p))
	switch o.Correct {
	case BonferroniCorrection:
		return alpha / max(m, 1)
	case FDRCorrection:
		slices.Sort(p)
		last := 0.0
		for k, p := range p {
			if association.AtMost(p, alpha*float64(k+1)/m) {
				last = p
			}
		}
		return last
	case TaroneCorrection:
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
	case WestfallYoungCorrection:
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

// leastPermuted are the least p-values of all hypotheses under each permutation of the
// labels of units; unit is that of each sample, -1 where it keeps its labels.
func leastPermuted(all []whole, classes []Class, unit []int, n float64, o *SelectOptions) (least []float64) {
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
		var permuted []Class
		for _, c := range classes {
			bm := roaring.New()
			for id, u := range unit {
				from := id
				if u >= 0 {
					from = gets[u]
				}
				if c.Samples.Contains(uint32(from)) {
					bm.Add(uint32(id))
				}
			}
			permuted = append(permuted, Class{c.Label, bm})
		}
		p := 1.0
		for _, f := range all {
			for _, x := range testsOf(f.samples, permuted, n) {
				p = min(p, x.p)
			}
		}
		least = append(least, p)
	}
	return least
}

// significantOf selects by the definitions, each fragment with the label of the largest χ²
// that is significant, of equal ones the one that it goes with.
func significantOf(all []whole, classes []Class, samples uint32, o *SelectOptions) (kept []store.Entry) {
	level := levelOf(all, classes, samples, o)
	for _, f := range all {
		best := labelTest{chi2: -1}
		for _, x := range testsOf(f.samples, classes, float64(among(samples, o).GetCardinality())) {
			over, bestOver := x.observed > x.expected, best.observed > best.expected
			if association.AtMost(x.p, level) && (o.Tau == nil || x.chi2 >= *o.Tau) && (x.chi2 > best.chi2 || x.chi2 == best.chi2 && over && !bestOver) {
				best = x
			}
		}
		if best.chi2 >= 0 {
			kept = append(kept, store.Entry{
				Code: f.code, Score: best.chi2,
				Stats: []float64{float64(len(f.samples)), float64(f.occ), best.label, best.observed, best.expected, best.p},
			})
		}
	}
	return kept
}

// found is what chi2 finds in a store by options, with classes in place of its labels, and
// the line that says so.
func found(t *testing.T, s *store.Store, o SelectOptions, classes []Class) (all []store.Entry, said string) {
	t.Helper()
	o.By = "chi2"
	o.setDefaults()
	r := &selection{ctx: context.Background(), o: &o, st: s}
	if err := r.choose(); err != nil {
		t.Fatal(err)
	}
	x, _, err := r.leastChiSquared(NewChiSquared(s.Meta().Samples, o.Without, classes))
	if err != nil {
		t.Fatal(err)
	}
	return entriesBy(t, r, x, 0), r.reason
}

// The level of Westfall and Young over documents is that of looking at every hypothesis;
// documents of mixed labels, and samples without one, keep theirs.
func TestWestfallYoungOfDocuments(t *testing.T) {
	o := options(t, vfs.NewMem(), 0, 0, "stk:min-support=1,max-order=2")
	random := rand.New(rand.NewPCG(1, 1))
	var unit []int
	o.Source = func(s *index.Symbols) (index.Source, error) {
		return &inDocuments{newSource(s, 5, 0, 60), random, &unit}, nil
	}
	s := build(t, o.FS, o)
	all := allFragments(t, s, &s.Meta().Spaces[0])
	classes := classesOf(t, s, nil)
	for i := range 4 {
		alpha := []float64{0.1, 0.5}[i%2]
		o := SelectOptions{
			By: "chi2", Alpha: at(alpha), Memory: int64(i / 2 * 5000), // which holds ten permutations
			Correct: WestfallYoungCorrection, MinSupport: at(uint32(1)),
			Permute: PermuteDocuments, Permutations: 29, Seed: 3,
		}
		least := leastPermuted(all, classes, unit[:s.Meta().Samples], float64(s.Meta().Samples), &o)
		slices.Sort(least)
		got, err := SelectNothing(context.Background(), s, o)
		if err != nil {
			t.Fatal(err)
		}
		want := fmt.Sprintf("by chi2: p ≤ %.6g (alpha %v, westfall-young of 29 permutations of documents, seed 3; 1 document of mixed labels and 4 samples without a document left as they are; ",
			least[int(math.Round(30*alpha))-1], alpha)
		if got.Decided[:len(want)] != want {
			t.Errorf("%s, want %s…", got.Decided, want)
		}
	}
}

// inDocuments puts samples into documents of one to five, which have a label each, but for
// one that has two.
type inDocuments struct {
	*randomSource
	r    *rand.Rand
	unit *[]int
}

func (d *inDocuments) Next(t *index.Tree) error {
	err := d.randomSource.Next(t)
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

// The level does not depend on workers, on memory, nor on the route.
func TestSignificanceOfAnyWorkers(t *testing.T) {
	o := options(t, vfs.NewMem(), 0, 0, "stk:min-support=1,max-order=4")
	o.Source = func(s *index.Symbols) (index.Source, error) { return newSource(s, 5, 0, 150), nil }
	s := build(t, o.FS, o)
	for _, correct := range []Correction{BonferroniCorrection, FDRCorrection, TaroneCorrection, WestfallYoungCorrection} {
		for _, closed := range []bool{false, true} {
			want := ""
			for i := range 6 {
				o := SelectOptions{
					By: "chi2", Alpha: at(0.5), Correct: correct, Closed: &closed,
					Workers: 1 + 3*(i%2), Memory: int64(i / 4 * 40_000), forceGrowth: i >= 2,
				}
				if correct == WestfallYoungCorrection {
					o.Permutations = 200 // which are dealt in seven blocks where memory is short
				}
				got, err := SelectNothing(context.Background(), s, o)
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
