package poly

import (
	"math/rand/v2"
	"testing"

	"fstore/index"
	"fstore/index/internal/spacetest"
)

// BenchmarkPacks grows and follows the frequent sets of up to 4 features in 300 lists of ten candidates. A
// candidate has some thirty features, most of which the whole list shares.
func BenchmarkPacks(b *testing.B) {
	r := rand.New(rand.NewPCG(1, 1))
	ids := rand.NewZipf(r, 1.5, 20, 2000)
	s, syms := space(b, "degree=4"), index.NewSymbols()
	var packs [][]*index.Tree
	var sides []index.Sides
	for range 300 {
		trees := make([]*index.Tree, 10)
		first := vectorOf(ids, 30)
		for k := range trees {
			trees[k] = &index.Tree{Vectors: [][]index.Feature{append(vectorOf(ids, 5), first[5:]...)}}
			s.Prepare(trees[k], syms)
		}
		packs, sides = append(packs, trees), append(sides, index.Sides{A: 1, B: 2})
	}
	p := s.NewPacks(syms, 0)
	for _, trees := range packs {
		p.Add(trees)
	}
	p.Seal()
	var sets spacetest.Limited
	sets.Left = 1 << 30
	grow := func(v index.Visitor) {
		if _, err := p.Frequent(sides, 3).Grow(index.All, v); err != nil {
			b.Fatal(err)
		}
	}
	grow(&sets)
	x := spacetest.Index(b, sets.Codes)
	b.Run("grow", func(b *testing.B) {
		for b.Loop() {
			grow(spacetest.Everything{})
		}
	})
	b.Run("follow", func(b *testing.B) {
		hits := 0
		for b.Loop() {
			err := p.Stored(nil, x).Follow(index.All, func(h *index.PackHits) error {
				hits += len(h.ID)
				return nil
			})
			if err != nil {
				b.Fatal(err)
			}
		}
		b.ReportMetric(float64(b.Elapsed().Nanoseconds())/float64(hits), "ns/hit")
	})
}

// vectorOf returns a vector of n random features, which can repeat.
func vectorOf(ids *rand.Zipf, n int) (v []index.Feature) {
	for range n {
		v = append(v, index.Feature{ID: uint32(ids.Uint64()), Value: 1})
	}
	return v
}
