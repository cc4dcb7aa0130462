package spaces

import (
	"maps"
	"slices"
	"testing"

	"github.com/google/go-cmp/cmp"

	"fstore/index"
)

var partLimits = []index.Limits{
	{MinSupport: 1},
	{MinSupport: 2},
	{MinSupport: 2, MaxOrder: 3},
	{MinSupport: 2, Closed: true},
	{MinSupport: 2, MaxOrder: 2, Closed: true},
}

// The fragments of a first step are this step and the fragments in all ranges of its second steps.
func TestSecondStepsCutGrowth(t *testing.T) {
	eachCorpus(t, func(t *testing.T, name string, trees []*index.Tree, s *index.Symbols) {
		space := parse(t, name)
		splitter, ok := space.(index.Splitter)
		if !ok || splitter.SecondSteps() == nil {
			t.Skip()
		}
		for first := uint64(1); first <= uint64(s.Len(index.Productions)); first++ {
			root := index.Range{Lo: first, Hi: first + 1}
			seconds := map[uint64]bool{}
			for _, tree := range trees {
				splitter.SecondSteps()(tree, first, func(second uint64) { seconds[second] = true })
			}
			var cut []index.Range
			for part := range slices.Chunk(slices.Sorted(maps.Keys(seconds)), 2) {
				cut = append(cut, index.Range{Lo: root.Lo, Hi: root.Hi, Lo2: part[0], Hi2: part[len(part)-1] + 1})
			}
			for _, l := range partLimits {
				want := growAll(t, space, trees, s, []index.Range{root}, l, false)
				itself := l
				itself.MaxOrder = 1
				got := growAll(t, space, trees, s, []index.Range{root}, itself, true)
				maps.Copy(got.rows, growAll(t, space, trees, s, cut, l, true).rows)
				if d := cmp.Diff(want.rows, got.rows); d != "" {
					t.Fatalf("%+v, first step %d: (-whole +cut)\n%s", l, first, d)
				}
			}
		}
	})
}

// The counts of growth over parts of the samples add up to those over all samples. Items can be used again
// after Reset.
func TestGrowthOfPartsAddsUp(t *testing.T) {
	eachCorpus(t, func(t *testing.T, name string, trees []*index.Tree, s *index.Symbols) {
		space := parse(t, name)
		if a, ok := space.(index.Additive); !ok || !a.Additive() {
			t.Skip()
		}
		l := index.Limits{MinSupport: 1, MaxOrder: 3}
		want := growAll(t, space, trees, s, everything, l, false)
		got := map[string]row{}
		items := space.NewItems(s)
		for from := 0; from < len(trees); from += 2 {
			for id := from; id < min(from+2, len(trees)); id++ {
				items.Add(uint32(id), trees[id], index.All, l)
			}
			items.Seal()
			part := &recorder{t: t, space: space, s: s, l: l, rows: map[string]row{}}
			if _, err := items.Grow(index.All, index.Weights{}, l, part); err != nil {
				t.Fatal(err)
			}
			items.Reset()
			for f, r := range part.rows {
				sum := got[f]
				got[f] = row{f, r.Order, sum.Support + r.Support, sum.Occ + r.Occ, append(sum.Samples, r.Samples...)}
			}
		}
		if d := cmp.Diff(want.rows, got); d != "" {
			t.Fatalf("(-whole +parts)\n%s", d)
		}
	})
}
