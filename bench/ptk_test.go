package bench

import (
	"bytes"
	"slices"
	"testing"

	"fstore/index"
)

var ptkLimits = index.Limits{MinSupport: 10, MaxOrder: 4}

// BenchmarkPtkMine, BenchmarkPtkWalk and BenchmarkPtkKernel measure the ways from trees in memory to
// fragments, to feature ids, and to kernel values, on one core.
func BenchmarkPtkMine(b *testing.B) {
	space := parseSpace(b, "ptk")
	trees, s := readAll(b, "golden/num.train.svmtk.gz")
	it := space.NewItems(s)
	for id, tree := range trees {
		it.Add(uint32(id), tree, index.All, ptkLimits)
	}
	it.Seal()
	var c counter
	for b.Loop() {
		c = counter{}
		if _, err := it.Grow(index.All, index.Weights{}, ptkLimits, &c); err != nil {
			b.Fatal(err)
		}
	}
	b.ReportMetric(float64(c.fragments), "fragments")
	b.ReportMetric(b.Elapsed().Seconds()*1e9/float64(b.N)/float64(c.fragments), "ns/fragment")
}

func BenchmarkPtkWalk(b *testing.B) {
	space := parseSpace(b, "ptk")
	trees, s := readAll(b, "golden/num.train.svmtk.gz")
	var c codesOf
	grown(b, space, trees, s, ptkLimits, &c)
	slices.SortFunc(c.codes, func(a, b index.Code) int { return bytes.Compare(a, b) })
	m := space.NewMatcher(expansionOf(b, &c.loaded, space, s), s, 0.4)
	hits := 0
	for b.Loop() {
		hits = 0
		for _, t := range trees {
			h, err := m.Match(t, 0)
			if err != nil {
				b.Fatal(err)
			}
			hits += len(h)
		}
	}
	perSecond(b, hits, "Mhits/s")
}

func BenchmarkPtkKernel(b *testing.B) {
	trees, s := readAll(b, "golden/num.test.svmtk.gz")
	k := parseSpace(b, "ptk").NewKernel(s, 0.4)
	prepared := make([]any, len(trees))
	for i, tree := range trees {
		var err error
		if prepared[i], err = k.Prepare(tree); err != nil {
			b.Fatal(err)
		}
	}
	for b.Loop() {
		for _, x := range prepared[:50] {
			for _, y := range prepared {
				k.Eval(x, y)
			}
		}
	}
	perSecond(b, 50*len(prepared), "Mpairs/s")
}
