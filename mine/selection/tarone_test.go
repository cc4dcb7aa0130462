package selection_test

import (
	"io"
	"slices"
	"testing"

	"github.com/RoaringBitmap/roaring/v2"
	"github.com/cockroachdb/pebble/v2/vfs"
	gocmp "github.com/google/go-cmp/cmp"

	"fstore/index"
	"fstore/mine/internal/minetest"
	"fstore/mine/selection"
)

// copies is a source that yields each of a few trees several times.
type copies struct {
	index.Builder
	trees []func(*copies)
	times int
	n     int
}

func (c *copies) Next(t *index.Tree) error {
	if c.n == len(c.trees)*c.times {
		return io.EOF
	}
	c.Start(t, false)
	c.trees[c.n/c.times](c)
	c.n++
	return nil
}

// node adds a node. Each function adds a child.
func (c *copies) node(label string, children ...func()) {
	c.Open([]byte(label))
	for _, f := range children {
		f()
	}
	c.Close()
}

// grammar has three small trees over the symbols S and A and the word u.
var grammar = []func(*copies){
	func(c *copies) { c.node("S", func() { c.node("A", func() { c.Word([]byte("u")) }) }) },
	func(c *copies) { c.node("S", func() { c.node("A") }) },
	func(c *copies) {
		c.node("S", func() { c.node("A", func() { c.Word([]byte("u")) }) }, func() { c.node("A") })
	},
}

// Tarone's correction has the same findings as brute force, for every treebank of up to six trees of a small
// grammar and every labelling.
func TestTaroneOfAllTreebanks(t *testing.T) {
	const most = 6
	for _, c := range []struct{ trees, labels int }{{3, 1}, {2, 2}} {
		o := minetest.Options(t, vfs.NewMem(), 0, 0, "stk:min-support=1,max-order=0")
		o.Source = func(s *index.Symbols) (index.Source, error) {
			return &copies{Builder: index.Builder{Symbols: s}, trees: grammar[:c.trees], times: most}, nil
		}
		s := minetest.Build(t, o.FS, o)
		all := minetest.AllFragments(t, s, &s.Meta().Spaces[0])
		treebanks, findings := 0, 0
		// For each tree, `counts` has the number of its copies with each label and without a label.
		eachCounts(most, c.trees*(c.labels+1), func(counts []int) {
			without, classes := treebank(most, c.trees, c.labels, counts)
			if without.GetCardinality() == uint64(s.Meta().Samples) {
				return
			}
			treebanks++
			for _, alpha := range []float64{0.2, 0.6} {
				o := selection.Options{Alpha: minetest.At(alpha), Correct: selection.TaroneCorrection, MinSupport: minetest.At(uint32(1)), Without: without}
				want := significantOf(within(all, without), classes, s.Meta().Samples, &o)
				got, said := selection.Found(t, s, o, classes)
				if x, y := printEntries(s, &s.Meta().Spaces[0], got), printEntries(s, &s.Meta().Spaces[0], want); x != y {
					t.Fatalf("%v: %s: %s", counts, said, gocmp.Diff(y, x))
				}
				findings += len(got)
			}
		})
		if t.Logf("%d treebanks, %d findings", treebanks, findings); treebanks < 900 || findings < 200 {
			t.Error("too few")
		}
	}
}

// eachCounts calls f with every slice of `things` counts whose sum is at most `most`.
func eachCounts(most, things int, f func([]int)) {
	counts := make([]int, things)
	var next func(i, left int)
	next = func(i, left int) {
		if i == things {
			f(counts)
			return
		}
		for counts[i] = 0; counts[i] <= left; counts[i]++ {
			next(i+1, left-counts[i])
		}
		counts[i] = 0
	}
	next(0, most)
}

// treebank returns the samples to leave out of copies of trees so that `counts` remain, and the samples of
// each label.
func treebank(times, trees, labels int, counts []int) (without *roaring.Bitmap, classes []*roaring.Bitmap) {
	without = roaring.New()
	without.AddRange(0, uint64(times*trees))
	for range labels {
		classes = append(classes, roaring.New())
	}
	for tree := range trees {
		next := uint32(tree * times)
		for label := range labels + 1 {
			for range counts[tree*(labels+1)+label] {
				without.Remove(next)
				if label < labels {
					classes[label].Add(next)
				}
				next++
			}
		}
	}
	return without, classes
}

// within returns the fragments as they occur outside of the samples in `without`.
func within(all []minetest.Whole, without *roaring.Bitmap) (left []minetest.Whole) {
	for _, f := range all {
		f.Samples = slices.DeleteFunc(slices.Clone(f.Samples), without.Contains)
		if f.Occ = uint32(len(f.Samples)); f.Occ > 0 {
			left = append(left, f)
		}
	}
	return left
}
