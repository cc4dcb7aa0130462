package spaces

import (
	"bytes"
	"fmt"
	"io"
	"math"
	"math/rand/v2"
	"slices"
	"testing"

	"github.com/cockroachdb/pebble/v2/vfs"
	"github.com/google/go-cmp/cmp"

	"fstore/index"
	"fstore/index/brute"
	"fstore/index/expansion"
	"fstore/index/internal/spacetest"
)

// row is a fragment as growth reports it.
type row struct {
	Text         string
	Order        int
	Support, Occ int
	Samples      []uint32
}

// recorder checks the order of batches and keeps their rows.
type recorder struct {
	t     *testing.T
	space index.Space
	s     *index.Symbols
	l     index.Limits
	rows  map[string]row
	codes []index.Code
}

func (r *recorder) Visit(b *index.Batch) error {
	for i := range b.Len() {
		c := index.Code(append(bytes.Clone(b.Parent), b.SuffixOf(i)...))
		b.Descend[i] = true
		if r.l.Closed && !b.Closed[i] {
			continue
		}
		text := string(r.space.AppendText(nil, c, r.s))
		if _, twice := r.rows[text]; twice {
			r.t.Fatalf("%s grew twice", text)
		}
		r.rows[text] = row{text, b.OrderOf(i), int(b.Support[i]), int(b.Occ[i]), slices.Clone(b.SamplesOf(i))}
		r.codes = append(r.codes, c)
	}
	return nil
}

func parse(t *testing.T, name string) index.Space {
	t.Helper()
	req, err := Parse(name)
	if err != nil {
		t.Fatal(err)
	}
	return req.Space
}

// corpus is a random treebank.
func corpus(seed uint64, oneAlphabet bool, n, size int) ([]*index.Tree, *index.Symbols) {
	r := rand.New(rand.NewPCG(seed, 1))
	s := index.NewSymbols()
	var trees []*index.Tree
	for range n {
		t := &index.Tree{}
		randomTree(r, s, t, oneAlphabet, 1+r.IntN(size))
		trees = append(trees, t)
	}
	return trees, s
}

func growAll(t *testing.T, space index.Space, trees []*index.Tree, s *index.Symbols, ranges []index.Range, l index.Limits, restrict bool) *recorder {
	t.Helper()
	rec := &recorder{t: t, space: space, s: s, l: l, rows: map[string]row{}}
	whole := space.NewItems(s)
	for id, tree := range trees {
		whole.Add(uint32(id), tree, index.All, l)
	}
	whole.Seal()
	for _, r := range ranges {
		it := whole
		if restrict {
			it = space.NewItems(s)
			for id, tree := range trees {
				it.Add(uint32(id), tree, r, l)
			}
			it.Seal()
		}
		if _, err := it.Grow(r, index.Weights{}, l, rec); err != nil {
			t.Fatal(err)
		}
	}
	return rec
}

var everything = []index.Range{index.All}

// treeSpaces are the spaces that this package tests. Other spaces are tested in their own packages.
var treeSpaces = []string{"stk", "stk:max-depth=1", "stk:max-depth=2", "stk:max-depth=3", "st", "sstbow"}

func eachCorpus(t *testing.T, f func(t *testing.T, name string, trees []*index.Tree, s *index.Symbols)) {
	for _, name := range treeSpaces {
		for seed := range uint64(40) {
			trees, s := corpus(seed, seed%2 == 1, 6, 11)
			t.Run(fmt.Sprintf("%s/%d", name, seed), func(t *testing.T) { f(t, name, trees, s) })
		}
	}
}

func TestGrowthIsBruteForce(t *testing.T) {
	eachCorpus(t, func(t *testing.T, name string, trees []*index.Tree, s *index.Symbols) {
		space := parse(t, name)
		table := bruteTable(name, trees, s)
		for _, l := range []index.Limits{
			{},
			{MinSupport: 2},
			{MinSupport: 2, MaxOrder: 2},
			{MinSupport: 3, MaxOrder: 4},
			{MinSupport: 1, MaxOrder: 1},
			{Closed: true},
			{Closed: true, MinSupport: 2},
			{Closed: true, MinSupport: 2, MaxOrder: 2},
		} {
			from := table
			if l.Closed {
				from = closedOnly(table)
			}
			want := map[string]row{}
			for f, e := range from {
				if e.support >= int(l.MinSupport) && (l.MaxOrder == 0 || e.order <= l.MaxOrder) {
					want[f] = row{f, e.order, e.support, e.occ, e.samples}
				}
			}
			got := growAll(t, space, trees, s, everything, l, false)
			if d := cmp.Diff(want, got.rows); d != "" {
				t.Fatalf("%+v: (-want +got)\n%s", l, d)
			}
			if !slices.IsSortedFunc(got.codes, func(a, b index.Code) int { return bytes.Compare(a, b) }) && name == "st" {
				t.Fatal("st codes do not ascend")
			}
			// Growth in ranges finds the same, with all items or only those that a range needs.
			var cut []index.Range
			for p := uint64(0); p < 12; p += 3 {
				cut = append(cut, index.Range{Lo: p, Hi: p + 3})
			}
			cut = append(cut, index.Range{Lo: 12, Hi: 1<<32 | 2}, index.Range{Lo: 1<<32 | 2, Hi: math.MaxUint64})
			for _, restrict := range []bool{false, true} {
				if d := cmp.Diff(want, growAll(t, space, trees, s, cut, l, restrict).rows); d != "" {
					t.Fatalf("%+v in ranges (restricted %v): (-want +got)\n%s", l, restrict, d)
				}
			}
		}
	})
}

func TestCodesTextAndParts(t *testing.T) {
	eachCorpus(t, func(t *testing.T, name string, trees []*index.Tree, s *index.Symbols) {
		space := parse(t, name)
		got := growAll(t, space, trees, s, everything, index.Limits{}, false)
		table := bruteTable(name, trees, s)
		spacetest.ReadCodes(t, space, s, got.codes)
		for _, c := range got.codes {
			text := string(space.AppendText(nil, c, s))
			back, err := space.ParseText(text, s)
			if err != nil || !bytes.Equal(back, c) {
				t.Fatalf("%s reads back as %x, %v, and was %x", text, []byte(back), err, []byte(c))
			}
			if err := space.Check(c, s); err != nil {
				t.Fatal(err)
			}
			if o := c.Len(); o != table[text].order {
				t.Fatalf("%s: order %d", text, o)
			}
			for _, p := range space.Parts(nil, c, s) {
				part := string(space.AppendText(nil, p, s))
				e := table[part]
				if e == nil || name != "st" && e.order != c.Len()-1 {
					t.Fatalf("%s is no part of %s", part, text)
				}
				if err := space.Check(p, s); err != nil {
					t.Fatal(err)
				}
				for _, id := range table[text].samples {
					if !slices.Contains(e.samples, id) {
						t.Fatalf("%s, a part of %s, is not in sample %d", part, text, id)
					}
				}
			}
			n := 0
			for _, tree := range trees {
				n += len(space.Locate(tree, c, s))
			}
			if n != table[text].occ {
				t.Fatalf("%s located %d times, occurs %d times", text, n, table[text].occ)
			}
		}
	})
}

func TestCovers(t *testing.T) {
	eachCorpus(t, func(t *testing.T, name string, trees []*index.Tree, s *index.Symbols) {
		space := parse(t, name)
		covering, ok := space.(index.Covering)
		if !ok {
			t.Skip()
		}
		l := index.Limits{MaxOrder: 3}
		got := growAll(t, space, trees, s, everything, l, false)
		closed := growAll(t, space, trees, s, everything, index.Limits{Closed: true}, false)
		table := bruteTable(name, trees, s)
		for _, c := range got.codes {
			text := string(space.AppendText(nil, c, s))
			found := 0
			for _, big := range closed.codes {
				b := string(space.AppendText(nil, big, s))
				if covering.Covers(big, c, s) && table[b].occ == table[text].occ {
					found++
					if table[b].roots != table[text].roots {
						t.Fatalf("%s covers %s at other roots", b, text)
					}
				}
			}
			if found != 1 {
				t.Fatalf("%s has %d closures", text, found)
			}
		}
	})
}

func newBuilder(w io.Writer, space index.Space, s *index.Symbols) *expansion.Builder {
	b := expansion.NewBuilder(w)
	if f, ok := space.(index.Frontier); ok {
		b.Width = func(sym uint32) int { return f.Width(sym, s) }
	}
	return b
}

// buildIndex makes an expansion index of two parts.
func buildIndex(t *testing.T, space index.Space, s *index.Symbols, codes []index.Code) *expansion.Index {
	t.Helper()
	slices.SortFunc(codes, func(a, b index.Code) int { return bytes.Compare(a, b) })
	split := len(codes) / 2
	for split > 0 && split < len(codes) && first(codes[split]) == first(codes[split-1]) {
		split++
	}
	fs := vfs.NewMem()
	f, err := fs.Create("x", vfs.WriteCategoryUnspecified)
	if err != nil {
		t.Fatal(err)
	}
	var parts []expansion.Part
	var blocks []io.Reader
	for _, half := range [][]index.Code{codes[:split], codes[split:]} {
		var buf bytes.Buffer
		b := newBuilder(&buf, space, s)
		for _, c := range half {
			if err := b.Add(c); err != nil {
				t.Fatal(err)
			}
		}
		p, err := b.Finish()
		if err != nil {
			t.Fatal(err)
		}
		parts, blocks = append(parts, p), append(blocks, &buf)
	}
	if err := expansion.Join(f, parts, blocks); err != nil {
		t.Fatal(err)
	}
	if err := f.Close(); err != nil {
		t.Fatal(err)
	}
	x, err := expansion.Open(fs, "x")
	if err != nil {
		t.Fatal(err)
	}
	if err := x.Verify(); err != nil {
		t.Fatal(err)
	}
	sum := expansion.NewSum()
	b := newBuilder(sum, space, s)
	for _, c := range codes {
		if err := b.Add(c); err != nil {
			t.Fatal(err)
		}
	}
	whole, err := b.Finish()
	if err != nil || !x.Same(whole, sum) {
		t.Fatalf("two parts differ from one: %v", err)
	}
	return x
}

func first(c index.Code) index.Step {
	s, _, _ := c.Next()
	return s
}

func TestMatcherIsBruteForce(t *testing.T) {
	eachCorpus(t, func(t *testing.T, name string, trees []*index.Tree, s *index.Symbols) {
		space := parse(t, name)
		all := growAll(t, space, trees, s, everything, index.Limits{}, false).codes
		sets := [][]index.Code{
			slices.Clone(all),
			growAll(t, space, trees, s, everything, index.Limits{MinSupport: 2, MaxOrder: 3}, false).codes,
			growAll(t, space, trees, s, everything, index.Limits{MinSupport: 2, Closed: true}, false).codes,
		}
		// In random sets of fragments, the prefixes of a fragment can be missing.
		r := rand.New(rand.NewPCG(1, uint64(len(all))))
		for _, oneIn := range []int{2, 4, 16} {
			var some []index.Code
			for _, c := range all {
				if r.IntN(oneIn) == 0 {
					some = append(some, c)
				}
			}
			sets = append(sets, some)
		}
		for _, codes := range sets {
			x := buildIndex(t, space, s, codes)
			m := space.NewMatcher(x, s, 1)
			for id, tree := range trees {
				want := map[string]int{}
				for i := range tree.Nodes {
					for f := range brute.Trees(name, tree, s, i) {
						want[f]++
					}
				}
				hits, err := m.Match(tree, 0)
				if err != nil {
					t.Fatal(err)
				}
				seen := map[string]bool{}
				last := uint32(0)
				for _, h := range hits {
					c := codes[h.ID-1]
					text := string(space.AppendText(nil, c, s))
					seen[text] = true
					if h.ID <= last || int(h.Match.Count) != want[text] || int(h.Order) != c.Len() {
						t.Fatalf("sample %d, %s: %+v, want %d", id, text, h, want[text])
					}
					last = h.ID
				}
				for _, c := range codes {
					if text := string(space.AppendText(nil, c, s)); want[text] > 0 && !seen[text] {
						t.Fatalf("sample %d: %s is missing", id, text)
					}
				}
			}
		}
	})
}

func TestKernelIsDotProduct(t *testing.T) {
	eachCorpus(t, func(t *testing.T, name string, trees []*index.Tree, s *index.Symbols) {
		space := parse(t, name)
		for _, lambda := range []float64{1, 0.4} {
			k := space.NewKernel(s, lambda)
			for _, a := range trees {
				for _, b := range trees {
					want := 0.0
					count := func(t *index.Tree) map[string]float64 {
						v := map[string]float64{}
						for i := range t.Nodes {
							for f, o := range brute.Trees(name, t, s, i) {
								v[f] += index.Value(space, o, index.Match{Count: 1}, lambda)
							}
						}
						return v
					}
					y := count(b)
					for f, x := range count(a) {
						want += x * y[f]
					}
					got := k.Eval(prepare(t, k, a), prepare(t, k, b)).Float()
					if math.Abs(got-want) > 1e-9*(1+math.Abs(want)) {
						t.Fatalf("λ %v: kernel %v, dot product %v", lambda, got, want)
					}
				}
			}
		}
	})
}

func prepare(t *testing.T, k index.Kernel, tree *index.Tree) any {
	t.Helper()
	p, err := k.Prepare(tree)
	if err != nil {
		t.Fatal(err)
	}
	return p
}
