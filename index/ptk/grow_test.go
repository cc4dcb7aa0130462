package ptk

import (
	"bytes"
	"errors"
	"maps"
	"math"
	"slices"
	"testing"

	"github.com/google/go-cmp/cmp"

	"fstore/index"
	"fstore/index/internal/spacetest"
)

// numbers is a visitor that keeps support and occurrences of each code.
type numbers map[string][2]uint32

func (n numbers) Visit(b *index.Batch) error {
	for i := range b.Len() {
		b.Descend[i] = true
		n[string(slices.Concat(b.Parent, b.SuffixOf(i)))] = [2]uint32{b.Support[i], b.Occ[i]}
	}
	return nil
}

// add adds the numbers of other samples.
func (n numbers) add(other numbers) {
	for c, x := range other {
		n[c] = [2]uint32{n[c][0] + x[0], n[c][1] + x[1]}
	}
}

func (n numbers) codes() (all []index.Code) {
	for c := range n {
		all = append(all, index.Code(c))
	}
	slices.SortFunc(all, func(a, b index.Code) int { return bytes.Compare(a, b) })
	return all
}

// grow returns what growth in the range r finds in the trees. The first tree is sample `id`.
func grow(t testing.TB, it index.Items, id int, trees []*index.Tree, r index.Range, l index.Limits) (numbers, index.Counts) {
	t.Helper()
	for i, tree := range trees {
		it.Add(uint32(id+i), tree, r, l)
	}
	it.Seal()
	n := numbers{}
	counts, err := it.Grow(r, index.Weights{}, l, n)
	if err != nil {
		t.Fatal(err)
	}
	return n, counts
}

// Growth of the roots, and of each root in ranges of second steps, finds the same as growth at once.
func TestSecondSteps(t *testing.T) {
	eachCase(t, func(t *testing.T, c *spacetest.Case) {
		s := c.Space.(*Space)
		for _, l := range []index.Limits{{}, {MaxOrder: 2}, {MinSupport: 2, MaxOrder: 4}} {
			want, counts := grow(t, s.NewItems(c.Symbols), 0, c.Trees, index.All, l)
			itself := l
			itself.MaxOrder = 1
			got, total := grow(t, s.NewItems(c.Symbols), 0, c.Trees, index.All, itself)
			for _, code := range got.codes() {
				first, _, _ := code.Next()
				seconds := map[uint64]bool{}
				for _, tree := range c.Trees {
					s.SecondSteps()(tree, first.Packed(), func(second uint64) { seconds[second] = true })
				}
				for part := range slices.Chunk(slices.Sorted(maps.Keys(seconds)), 2) {
					n, below := grow(t, s.NewItems(c.Symbols), 0, c.Trees, index.Range{
						Lo: first.Packed(), Hi: first.Packed() + 1, Lo2: part[0], Hi2: part[len(part)-1] + 1,
					}, l)
					for c := range n {
						if _, twice := got[c]; twice {
							t.Fatalf("%x grew twice", c)
						}
					}
					got.add(n)
					total.Add(below)
				}
			}
			if d := cmp.Diff(want, got); d != "" {
				t.Fatalf("%+v: (-whole +cut)\n%s", l, d)
			}
			if d := cmp.Diff(counts, total); d != "" {
				t.Fatalf("%+v: counts (-whole +cut)\n%s", l, d)
			}
		}
	})
}

// wide is a node with n children of one label, each with a word.
func wide(s *index.Symbols, n int) *index.Tree {
	t := &index.Tree{}
	b := &index.Builder{Symbols: s}
	b.Start(t, false)
	b.Open([]byte("S"))
	for range n {
		b.Open([]byte("A"))
		b.Word([]byte("a"))
		b.Close()
	}
	b.Close()
	return t
}

// Growth ends with an error if a pattern has more matches than 32 bits can count.
func TestOccurrenceError(t *testing.T) {
	s := index.NewSymbols()
	it := (&Space{}).NewItems(s)
	it.Add(0, wide(s, 60), index.All, index.Limits{})
	it.Seal()
	n := numbers{}
	_, err := it.Grow(index.All, index.Weights{}, index.Limits{}, n)
	// C(60,8) is below 2^32, C(60,9) is not.
	var many *index.OccurrenceError
	if !errors.As(err, &many) || many.Limit != math.MaxUint32 || many.Order != 10 || len(n) > 1000 {
		t.Fatalf("%v after %d patterns", err, len(n))
	}
}
