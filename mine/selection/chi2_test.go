package selection_test

import (
	"math/rand/v2"
	"testing"

	"github.com/RoaringBitmap/roaring/v2"

	"fstore/index"
	"fstore/mine/association"
	"fstore/mine/judge"
	"fstore/mine/selection"
)

// Judge keeps a fragment if its largest significant χ² is at least τ. It descends if some subset of the
// fragment's samples has such a χ².
func TestChiSquaredJudge(t *testing.T) {
	r := rand.New(rand.NewPCG(1, 2))
	for range 2000 {
		n := uint32(4 + r.IntN(9))
		classes := make([]*roaring.Bitmap, 1+r.IntN(3))
		for k := range classes {
			classes[k] = roaring.BitmapOf(uint32(r.IntN(int(n))))
			for s := range n {
				if r.IntN(3) == 0 {
					classes[k].Add(s)
				}
			}
		}
		x := selection.NewChiSquared(n, nil, classes)
		fragment := randomSamples(r, n)
		tau := []float64{0, 1, 2.7, 3.84, 6.63, float64(n)}[r.IntN(6)]
		chi2 := func(c *roaring.Bitmap, of *roaring.Bitmap) float64 {
			a, u, m := float64(roaring.And(c, of).GetCardinality()), float64(of.GetCardinality()), float64(c.GetCardinality())
			return association.Table{O11: a, O12: u - a, O21: m - a, O22: float64(n) - u - m + a}.ChiSquared()
		}
		within := 0.0 // the largest of any part of its samples
		level := []float64{1, 1, .5, .2, .1}[r.IntN(5)]
		x = x.Within(level)
		significant, below := -1.0, false // the best that is, and whether any part's is, and reaches τ
		for _, c := range classes {
			p := func(of *roaring.Bitmap) float64 {
				a := float64(roaring.And(c, of).GetCardinality())
				return association.TableOf(a, float64(of.GetCardinality()), float64(c.GetCardinality()), float64(n)).Exact()
			}
			if association.AtMost(p(fragment), level) {
				significant = max(significant, chi2(c, fragment))
			}
			eachSubset(fragment.ToArray(), func(some *roaring.Bitmap) {
				within = max(within, chi2(c, some))
				below = below || chi2(c, some) >= tau && association.AtMost(p(some), level)
			})
		}
		b, v := batchOf(fragment, x.Weights()), &judge.Verdicts{}
		v.Begin(1, len(x.Columns()))
		x.Judge(b, tau, v)
		if v.Keep[0] != (significant >= tau) || v.Keep[0] && v.Score[0] != significant {
			t.Fatalf("τ %v, level %v: kept %v with %v, and the largest χ² is %v", tau, level, v.Keep[0], v.Score[0], significant)
		}
		if level == 1 && b.Descend[0] != (within >= tau*judge.BoundSlack) || below && !b.Descend[0] {
			t.Fatalf("τ %v, level %v: descend %v, and the largest χ² within is %v, found %v", tau, level, b.Descend[0], within, below)
		}
		if v.Keep[0] {
			c := classes[int(v.Stats[0])]
			a := float64(roaring.And(c, fragment).GetCardinality())
			e := float64(c.GetCardinality()) / float64(n) * float64(fragment.GetCardinality())
			if chi2(c, fragment) != significant || v.Stats[1] != a || v.Stats[2] != e || v.Stats[3] != association.TableOf(a, float64(fragment.GetCardinality()), float64(c.GetCardinality()), float64(n)).Exact() {
				t.Fatalf("statistics %v, with %v of %v", v.Stats, a, e)
			}
		}
	}
}

// Two labels that divide all samples make only one test. It names the label in which the fragment is more
// frequent.
func TestChiSquaredNamesTheLabel(t *testing.T) {
	x := selection.NewChiSquared(6, nil, []*roaring.Bitmap{roaring.BitmapOf(0, 1, 2), roaring.BitmapOf(3, 4, 5)})
	for label, fragment := range []*roaring.Bitmap{roaring.BitmapOf(0, 1), roaring.BitmapOf(4, 5)} {
		b, v := batchOf(fragment, x.Weights()), &judge.Verdicts{}
		v.Begin(1, len(x.Columns()))
		x.Judge(b, 1, v)
		if !v.Keep[0] || v.Stats[0] != float64(label) || x.Tests() != 1 {
			t.Errorf("label %v of %v, %v tests", v.Stats[0], fragment, x.Tests())
		}
	}
}

// batchOf is a batch of one fragment with these samples.
func batchOf(samples *roaring.Bitmap, w index.Weights) *index.Batch {
	all := samples.ToArray()
	b := &index.Batch{
		SuffixEnd: []uint32{0}, Support: []uint32{uint32(len(all))}, Occ: []uint32{uint32(len(all))},
		Sample: all, SampleEnd: []uint32{uint32(len(all))}, Descend: []bool{false},
	}
	if w.Class != nil {
		pos, neg := w.Sum(all, nil)
		b.A, b.B = []float64{pos}, []float64{neg}
	}
	return b
}

func randomSamples(r *rand.Rand, n uint32) *roaring.Bitmap {
	bm := roaring.BitmapOf(uint32(r.IntN(int(n))))
	for s := range n {
		if r.IntN(2) == 0 {
			bm.Add(s)
		}
	}
	return bm
}

func eachSubset(samples []uint32, f func(*roaring.Bitmap)) {
	for mask := range 1 << len(samples) {
		some := roaring.New()
		for i, s := range samples {
			if mask>>i&1 != 0 {
				some.Add(s)
			}
		}
		f(some)
	}
}
