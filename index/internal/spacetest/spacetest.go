// Package spacetest checks a space against brute force: growth, codes and their text,
// the matcher and the kernel. It is for tests.
package spacetest

import (
	"bytes"
	"io"
	"maps"
	"math"
	"math/rand/v2"
	"slices"
	"testing"

	"github.com/cockroachdb/pebble/v2/vfs"
	"github.com/google/go-cmp/cmp"

	"fstore/index"
	"fstore/index/expansion"
)

// Match is how a fragment matches a sample.
type Match struct {
	Order        int
	Count, Value float64
	Where        []string // the nodes or tokens of each match, see Place
}

// Place writes the nodes or tokens of a match, which ascend, as Match.Where has them.
func Place(o index.Occurrence) string {
	var b []byte
	for _, i := range o {
		b = append(b, byte('0'+i))
	}
	return string(b)
}

// Case is a space over some samples.
type Case struct {
	Space   index.Space
	Trees   []*index.Tree // of at most 60 nodes or tokens each
	Symbols *index.Symbols
	// Brute returns every fragment of a sample, by its text, found in the obvious way.
	Brute func(t *index.Tree, lambda float64) map[string]*Match
	// Constant is what the kernel adds to the dot product over all fragments.
	Constant float64
}

// row is a fragment as growth reports it.
type row struct {
	Order          int
	Support, Occ   uint32
	Samples, Count []uint32
	A, B           float64
}

// recorder keeps the rows of batches.
type recorder struct {
	t     *testing.T
	c     *Case
	rows  map[string]row
	codes []index.Code
}

func (r *recorder) Visit(b *index.Batch) error {
	if b.Len() == 0 {
		r.t.Fatal("an empty batch")
	}
	var last index.Code
	for i := range b.Len() {
		c := index.Code(append(bytes.Clone(b.Parent), b.SuffixOf(i)...))
		if bytes.Compare(c, last) <= 0 {
			r.t.Fatalf("%x after %x", []byte(c), []byte(last))
		}
		last = c
		b.Descend[i] = true
		text := string(r.c.Space.AppendText(nil, c, r.c.Symbols))
		if _, twice := r.rows[text]; twice {
			r.t.Fatalf("%s grew twice", text)
		}
		x := row{Order: b.OrderOf(i), Support: b.Support[i], Occ: b.Occ[i]}
		if len(b.SampleEnd) > 0 {
			x.Samples, x.Count = slices.Clone(b.SamplesOf(i)), slices.Clone(b.CountsOf(i))
		}
		if len(b.A) > 0 {
			x.A, x.B = b.A[i], b.B[i]
		}
		r.rows[text] = x
		r.codes = append(r.codes, c)
	}
	return nil
}

// grow grows the fragments in ranges, over items of all samples or, restricted, over
// what each range needs.
func (c *Case) grow(t *testing.T, ranges []index.Range, w index.Weights, l index.Limits, restricted bool) (*recorder, index.Counts) {
	t.Helper()
	rec := &recorder{t: t, c: c, rows: map[string]row{}}
	var counts index.Counts
	items := func(r index.Range) index.Items {
		it := c.Space.NewItems(c.Symbols)
		for id, tree := range c.Trees {
			it.Add(uint32(id), tree, r, l)
		}
		it.Seal()
		return it
	}
	all := items(index.All)
	for _, r := range ranges {
		it := all
		if restricted {
			it = items(r)
		}
		n, err := c.Space.Grow(it, r, w, l, rec)
		if err != nil {
			t.Fatal(err)
		}
		counts.Add(n)
	}
	return rec, counts
}

var everything = []index.Range{index.All}

// table is what growth within no limits must report.
func (c *Case) table() map[string]row {
	table := map[string]row{}
	for id, tree := range c.Trees {
		for f, m := range c.Brute(tree, 1) {
			r := table[f]
			r.Order = m.Order
			r.Support++
			r.Occ += uint32(m.Count)
			r.Samples, r.Count = append(r.Samples, uint32(id)), append(r.Count, uint32(m.Count))
			table[f] = r
		}
	}
	return table
}

// Growth checks what Grow reports, within limits, by ranges, and with weights.
func (c *Case) Growth(t *testing.T) {
	table := c.table()
	r := rand.New(rand.NewPCG(3, uint64(len(table))))
	class, occ := make([]uint8, len(c.Trees)), make([]float64, len(c.Trees))
	for i := range c.Trees {
		class[i], occ[i] = uint8(r.IntN(3)), float64(r.IntN(9)-4)/4
	}
	tally := &index.Tally{}
	for id, tree := range c.Trees {
		c.Space.Tally(tree, c.Symbols, uint32(id), tally)
	}
	var cuts []index.Range
	lo := uint64(0)
	tally.Each(func(s index.Step, _, _ uint32) {
		if r.IntN(2) == 0 {
			cuts = append(cuts, index.Range{Lo: lo, Hi: s.Packed()})
			lo = s.Packed()
		}
	})
	cuts = append(cuts, index.Range{Lo: lo, Hi: math.MaxUint64})
	for _, l := range []index.Limits{
		{}, {MinSupport: 2}, {MinSupport: 2, MaxOrder: 2}, {MinSupport: 3, MaxOrder: 3}, {MaxOrder: 1}, {MinSupport: 2, MaxOrder: 3, NoSamples: true},
	} {
		for _, w := range []index.Weights{{}, {Class: class}, {Occ: occ}} {
			want := map[string]row{}
			for f, x := range table {
				if x.Support < l.MinSupport || l.MaxOrder > 0 && x.Order > l.MaxOrder {
					continue
				}
				switch {
				case w.Class != nil:
					for _, s := range x.Samples {
						x.A += [...]float64{0, 1, 0}[class[s]]
						x.B += [...]float64{0, 0, 1}[class[s]]
					}
				case w.Occ != nil:
					for i, s := range x.Samples {
						x.A += max(0, occ[s]*float64(x.Count[i]))
						x.B += max(0, -occ[s]*float64(x.Count[i]))
					}
				}
				if l.NoSamples {
					x.Samples, x.Count = nil, nil
				}
				want[f] = x
			}
			got, whole := c.grow(t, everything, w, l, false)
			if d := cmp.Diff(want, got.rows); d != "" {
				t.Fatalf("%+v, %+v: (-want +got)\n%s", l, w, d)
			}
			for o, n := range c.candidates(table, l) {
				if o < len(whole.Candidates) && whole.Candidates[o]-whole.Below[o] != n {
					t.Fatalf("%+v, order %d: %d candidates, %d below, %d fragments", l, o, whole.Candidates[o], whole.Below[o], n)
				}
			}
			for _, restricted := range []bool{false, true} {
				got, counts := c.grow(t, cuts, w, l, restricted)
				if d := cmp.Diff(want, got.rows); d != "" {
					t.Fatalf("%+v, %+v in ranges (restricted %v): (-want +got)\n%s", l, w, restricted, d)
				}
				if d := cmp.Diff(whole, counts); d != "" {
					t.Fatalf("%+v in ranges (restricted %v): counts (-whole +parts)\n%s", l, restricted, d)
				}
			}
		}
	}
	c.checkCandidates(t, table)
	c.checkTally(t, table, tally)
	if a, ok := c.Space.(index.Additive); ok && a.Additive() {
		c.addUp(t, table, index.Limits{})
	}
}

// candidates is the number of fragments within limits, by order.
func (c *Case) candidates(table map[string]row, l index.Limits) map[int]uint64 {
	n := map[int]uint64{}
	for _, x := range table {
		if x.Support >= l.MinSupport {
			n[x.Order]++
		}
	}
	return n
}

// checkCandidates wants every fragment counted whose canonical parent is frequent.
func (c *Case) checkCandidates(t *testing.T, table map[string]row) {
	all, _ := c.grow(t, everything, index.Weights{}, index.Limits{}, false)
	support := map[string]uint32{}
	for _, code := range all.codes {
		support[string(code)] = table[string(c.Space.AppendText(nil, code, c.Symbols))].Support
	}
	const least = 2
	var want index.Counts
	for _, code := range all.codes {
		parent := code[:0]
		for rest := code; ; {
			_, next, _ := rest.Next()
			if len(next) == 0 {
				break
			}
			rest = next
			parent = code[:len(code)-len(next)]
		}
		if len(parent) > 0 && support[string(parent)] < least {
			continue
		}
		below := uint64(0)
		if support[string(code)] < least {
			below = 1
		}
		want.Count(c.Space.Order(code), 1, below)
	}
	_, got := c.grow(t, everything, index.Weights{}, index.Limits{MinSupport: least}, false)
	if d := cmp.Diff(want, got); d != "" {
		t.Fatalf("candidates: (-want +got)\n%s", d)
	}
}

func (c *Case) checkTally(t *testing.T, table map[string]row, tally *index.Tally) {
	first := 0
	tally.Each(func(s index.Step, occ, support uint32) {
		first++
		text := string(c.Space.AppendText(nil, index.AppendStep(nil, s), c.Symbols))
		if x := table[text]; x.Occ != occ || x.Support != support {
			t.Fatalf("%s is tallied %d times in %d samples: %+v", text, occ, support, x)
		}
	})
	for _, x := range table {
		if x.Order == 1 {
			first--
		}
	}
	if first != 0 {
		t.Fatalf("%d first steps too many", first)
	}
}

// Codes checks text, order, parts and located matches of every fragment.
func (c *Case) Codes(t *testing.T) {
	table := c.table()
	all, _ := c.grow(t, everything, index.Weights{}, index.Limits{}, false)
	brute := make([]map[string]*Match, len(c.Trees))
	for i, tree := range c.Trees {
		brute[i] = c.Brute(tree, 1)
	}
	for _, code := range all.codes {
		text := string(c.Space.AppendText(nil, code, c.Symbols))
		if back, err := c.Space.ParseText(text, c.Symbols); err != nil || !bytes.Equal(back, code) {
			t.Fatalf("%s reads back as %x, %v, and was %x", text, []byte(back), err, []byte(code))
		}
		if err := c.Space.Check(code, c.Symbols); err != nil {
			t.Fatal(err)
		}
		if o := c.Space.Order(code); o != table[text].Order {
			t.Fatalf("%s: order %d", text, o)
		}
		seen := map[string]bool{}
		for _, p := range c.Space.Parts(nil, code, c.Symbols) {
			part := string(c.Space.AppendText(nil, p, c.Symbols))
			x, ok := table[part]
			if !ok || seen[part] || x.Order != c.Space.Order(code)-1 || c.Space.Check(p, c.Symbols) != nil {
				t.Fatalf("%s is no part of %s, or twice", part, text)
			}
			seen[part] = true
			for _, id := range table[text].Samples {
				if !slices.Contains(x.Samples, id) {
					t.Fatalf("%s, a part of %s, is not in sample %d", part, text, id)
				}
			}
		}
		for i, tree := range c.Trees {
			var got, want []string
			for _, o := range c.Space.Locate(tree, code, c.Symbols) {
				if !slices.IsSorted(o) {
					t.Fatalf("%s is located at %v", text, o)
				}
				got = append(got, Place(o))
			}
			if m := brute[i][text]; m != nil {
				want = slices.Clone(m.Where)
			}
			slices.Sort(got)
			slices.Sort(want)
			if !slices.Equal(got, want) {
				t.Fatalf("%s in sample %d is located at %v, and is at %v", text, i, got, want)
			}
		}
	}
}

// Matcher checks the hits over several sets of stored fragments.
func (c *Case) Matcher(t *testing.T) {
	all, _ := c.grow(t, everything, index.Weights{}, index.Limits{}, false)
	r := rand.New(rand.NewPCG(5, uint64(len(all.codes))))
	sets := [][]index.Code{slices.Clone(all.codes)}
	for _, oneIn := range []int{2, 5, 20} {
		var some []index.Code
		for _, code := range all.codes {
			if r.IntN(oneIn) == 0 {
				some = append(some, code)
			}
		}
		sets = append(sets, some)
	}
	for _, lambda := range []float64{1, 0.4} {
		for _, codes := range sets {
			x := Index(t, codes)
			m := c.Space.NewMatcher(x, c.Symbols, lambda)
			for i, tree := range c.Trees {
				hits, err := m.Match(tree, 0)
				if err != nil {
					t.Fatal(err)
				}
				c.checkHits(t, i, codes, hits, c.Brute(tree, lambda), lambda)
			}
		}
	}
	c.checkMatcherAllocates(t, all.codes)
	c.checkBudget(t, all.codes)
}

func (c *Case) checkHits(t *testing.T, sample int, codes []index.Code, hits []index.Hit, want map[string]*Match, lambda float64) {
	t.Helper()
	last := uint32(0)
	for _, h := range hits {
		code := codes[h.ID-1]
		text := string(c.Space.AppendText(nil, code, c.Symbols))
		w := want[text]
		if w == nil || h.ID <= last || h.Match.Count != w.Count || int(h.Order) != w.Order ||
			!near(c.Space.Value(w.Order, h.Match, lambda), w.Value) {
			t.Fatalf("sample %d, λ %v, %s: %+v after %d, want %+v", sample, lambda, text, h, last, w)
		}
		last = h.ID
		delete(want, text)
	}
	for _, code := range codes {
		if text := string(c.Space.AppendText(nil, code, c.Symbols)); want[text] != nil {
			t.Fatalf("sample %d: %s is missing", sample, text)
		}
	}
}

func near(a, b float64) bool { return math.Abs(a-b) <= 1e-9*(1+math.Abs(b)) }

func (c *Case) checkMatcherAllocates(t *testing.T, codes []index.Code) {
	m := c.Space.NewMatcher(Index(t, codes), c.Symbols, 0.4)
	run := func() {
		for _, tree := range c.Trees {
			if _, err := m.Match(tree, 0); err != nil {
				t.Fatal(err)
			}
		}
	}
	run()
	if n := testing.AllocsPerRun(2, run); n != 0 && !race {
		t.Errorf("a warm matcher allocates %v times", n)
	}
}

// checkBudget wants an error where the budget is too small, and none where it is not.
func (c *Case) checkBudget(t *testing.T, codes []index.Code) {
	m := c.Space.NewMatcher(Index(t, codes), c.Symbols, 1)
	for _, tree := range c.Trees {
		if len(c.Brute(tree, 1)) < 2 {
			continue
		}
		if _, err := m.Match(tree, 1); err != index.BudgetError(1) {
			t.Errorf("a budget of 1: %v", err)
		}
		if _, err := m.Match(tree, 1<<20); err != nil {
			t.Error(err)
		}
	}
}

// Kernel checks that the kernel is the dot product over all fragments, and Constant.
func (c *Case) Kernel(t *testing.T) {
	for _, lambda := range []float64{1, 0.4, 0} {
		k := c.Space.NewKernel(c.Symbols, lambda)
		var prepared []any
		var vectors []map[string]*Match
		for _, tree := range c.Trees {
			p, err := k.Prepare(tree)
			if err != nil {
				t.Fatal(err)
			}
			prepared, vectors = append(prepared, p), append(vectors, c.Brute(tree, lambda))
		}
		for i := range prepared {
			for j := range prepared {
				want := c.Constant
				for _, f := range slices.Sorted(maps.Keys(vectors[i])) {
					if y := vectors[j][f]; y != nil {
						want += vectors[i][f].Value * y.Value
					}
				}
				if got := k.Eval(prepared[i], prepared[j]).Float(); !near(got, want) {
					t.Fatalf("λ %v, samples %d and %d: kernel %v, dot product %v", lambda, i, j, got, want)
				}
			}
		}
		if m, ok := k.(index.Merging); ok {
			checkMerged(t, m, prepared)
		}
	}
}

// checkMerged checks that all trees against one are what each is, for all but the last
// tree, so that what is not merged is met too.
func checkMerged(t *testing.T, k index.Merging, prepared []any) {
	m := k.Merge(prepared[:len(prepared)-1])
	sums := make([]float64, m.Components())
	for i, x := range prepared {
		k.Sums(sums, m, x)
		for j := range prepared[:len(prepared)-1] {
			got := 0.0
			components, counts := m.Of(j)
			for n, c := range components {
				if n > 0 && c <= components[n-1] {
					t.Fatalf("components %v", components)
				}
				got += float64(counts[n]) * sums[c]
			}
			if want := k.Eval(x, prepared[j]).Float(); !near(got, want) {
				t.Fatalf("samples %d and %d: merged %v, apart %v", i, j, got, want)
			}
		}
	}
}

// Index makes an expansion index of codes, which it sorts.
func Index(t testing.TB, codes []index.Code) *expansion.Index {
	t.Helper()
	slices.SortFunc(codes, func(a, b index.Code) int { return bytes.Compare(a, b) })
	var buf bytes.Buffer
	b := expansion.NewBuilder(&buf)
	for _, c := range codes {
		if err := b.Add(c); err != nil {
			t.Fatal(err)
		}
	}
	part, err := b.Finish()
	if err != nil {
		t.Fatal(err)
	}
	fs := vfs.NewMem()
	f, err := fs.Create("x", vfs.WriteCategoryUnspecified)
	if err != nil {
		t.Fatal(err)
	}
	if err := expansion.Join(f, []expansion.Part{part}, []io.Reader{&buf}); err != nil {
		t.Fatal(err)
	}
	if err := f.Close(); err != nil {
		t.Fatal(err)
	}
	x, err := expansion.Open(fs, "x")
	if err != nil {
		t.Fatal(err)
	}
	t.Cleanup(func() { x.Close() })
	return x
}
