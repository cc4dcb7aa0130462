package ptk

import (
	"bytes"
	"errors"
	"math"
	"slices"
	"testing"

	"github.com/google/go-cmp/cmp"

	"fstore/index"
)

// row is a pattern as growth reports it.
type row struct {
	Order, Support int
	Occ            map[uint32]int // by sample
}

func bruteTable(trees []*index.Tree, s *index.Symbols) map[string]row {
	table := map[string]row{}
	for id, t := range trees {
		for _, m := range matches(t, s) {
			r, ok := table[m.text]
			if !ok {
				r = row{Order: m.order, Occ: map[uint32]int{}}
			}
			if r.Occ[uint32(id)] == 0 {
				r.Support++
			}
			r.Occ[uint32(id)]++
			table[m.text] = r
		}
	}
	return table
}

// within returns the rows of a table inside limits.
func within(table map[string]row, l index.Limits) map[string]row {
	rows := map[string]row{}
	for text, r := range table {
		if r.Support >= int(l.MinSupport) && (l.MaxOrder == 0 || r.Order <= l.MaxOrder) {
			rows[text] = r
		}
	}
	return rows
}

// recorder checks batches and keeps their rows.
type recorder struct {
	t     *testing.T
	s     *index.Symbols
	w     index.Weights
	none  bool // no samples are wanted
	rows  map[string]row
	codes []index.Code
	total int
}

func (r *recorder) Visit(b *index.Batch) error {
	var last index.Code
	for i := range b.Len() {
		c := index.Code(append(bytes.Clone(b.Parent), b.SuffixOf(i)...))
		if bytes.Compare(last, c) >= 0 || !bytes.HasPrefix(c, b.Parent) {
			r.t.Fatalf("%x after %x", []byte(c), []byte(last))
		}
		last = c
		b.Descend[i] = true
		text := key(c, r.s)
		if _, twice := r.rows[text]; twice {
			r.t.Fatalf("%s grew twice", text)
		}
		x := row{b.OrderOf(i), int(b.Support[i]), map[uint32]int{}}
		if r.total += int(b.Occ[i]); !r.none {
			r.samples(b, i, &x)
		}
		r.rows[text] = x
		r.codes = append(r.codes, c)
	}
	return nil
}

func (r *recorder) samples(b *index.Batch, i int, x *row) {
	sum, pos, neg := 0, 0.0, 0.0
	before := -1
	for k, id := range b.SamplesOf(i) {
		n := int(b.CountsOf(i)[k])
		if n == 0 || int(id) <= before {
			r.t.Fatalf("samples %v, counts %v", b.SamplesOf(i), b.CountsOf(i))
		}
		before = int(id)
		x.Occ[id] = n
		sum += n
		switch {
		case r.w.Class != nil && r.w.Class[id] == 1:
			pos++
		case r.w.Class != nil && r.w.Class[id] == 2:
			neg++
		case r.w.Occ != nil:
			pos += float64(n) * max(r.w.Occ[id], 0)
			neg -= float64(n) * min(r.w.Occ[id], 0)
		}
	}
	if sum != int(b.Occ[i]) {
		r.t.Fatalf("%d occurrences, samples %v, counts %v", b.Occ[i], b.SamplesOf(i), b.CountsOf(i))
	}
	if (r.w.Class != nil || r.w.Occ != nil) && (b.A[i] != pos || b.B[i] != neg) {
		r.t.Fatalf("weights %v %v, want %v %v", b.A[i], b.B[i], pos, neg)
	}
}

func itemsOf(trees []*index.Tree, s *index.Symbols, r index.Range, l index.Limits) index.Items {
	it := (&Space{}).NewItems(s)
	for id, tree := range trees {
		it.Add(uint32(id), tree, r, l)
	}
	it.Seal()
	return it
}

// grow grows in ranges: over all samples, or over what each range needs of them.
func grow(t *testing.T, rec *recorder, trees []*index.Tree, ranges []index.Range, l index.Limits, restrict bool) (counts index.Counts) {
	t.Helper()
	rec.t, rec.rows, rec.codes = t, map[string]row{}, nil
	whole := itemsOf(trees, rec.s, index.All, l)
	for _, r := range ranges {
		it := whole
		if restrict {
			it = itemsOf(trees, rec.s, r, l)
		}
		c, err := (&Space{}).Grow(it, r, rec.w, l, rec)
		if err != nil {
			t.Fatal(err)
		}
		counts.Add(c)
	}
	return counts
}

var everything = []index.Range{index.All}

func TestGrowthIsBruteForce(t *testing.T) {
	eachCorpus(t, 9, func(t *testing.T, trees []*index.Tree, s *index.Symbols) {
		table := bruteTable(trees, s)
		for _, l := range []index.Limits{{}, {MaxOrder: 1}, {MaxOrder: 2}, {MinSupport: 2, MaxOrder: 4}} {
			want := within(table, l)
			rec := &recorder{s: s}
			counts := grow(t, rec, trees, everything, l, false)
			if d := cmp.Diff(want, rec.rows); d != "" {
				t.Fatalf("%+v: (-want +got)\n%s", l, d)
			}
			// Cut into ranges, each over the items that it needs: the same.
			cut := []index.Range{{Lo: 0, Hi: 3}, {Lo: 3, Hi: 4}, {Lo: 4, Hi: 7}, {Lo: 7, Hi: math.MaxUint64}}
			for _, restrict := range []bool{false, true} {
				again := &recorder{s: s}
				c := grow(t, again, trees, cut, l, restrict)
				if d := cmp.Diff(want, again.rows); d != "" {
					t.Fatalf("%+v in ranges (restricted %v): (-want +got)\n%s", l, restrict, d)
				}
				if d := cmp.Diff(counts, c); d != "" {
					t.Fatalf("%+v in ranges (restricted %v): candidates %s", l, restrict, d)
				}
			}
		}
	})
}

func compare(a, b index.Code) int { return bytes.Compare(a, b) }

// trim drops the orders that growth looked at in vain.
func trim(c *index.Counts) {
	for n := len(c.Candidates) - 1; n >= 0 && c.Candidates[n] == 0; n-- {
		c.Candidates, c.Below = c.Candidates[:n], c.Below[:n]
	}
}

// A root is cut by its second steps, over what each range of them needs.
func TestSecondSteps(t *testing.T) {
	eachCorpus(t, 9, func(t *testing.T, trees []*index.Tree, s *index.Symbols) {
		l := index.Limits{MaxOrder: 4}
		rec := &recorder{s: s}
		counts := grow(t, rec, trees, everything, l, false)
		again := &recorder{s: s}
		total := grow(t, again, trees, everything, index.Limits{MaxOrder: 1}, false)
		roots := len(again.codes)
		cut := &recorder{s: s}
		var ranges []index.Range
		for _, c := range again.codes[:roots] {
			first, _, _ := c.Next()
			var seconds []uint64
			for _, tree := range trees {
				(&Space{}).SecondSteps()(tree, first.Packed(), func(second uint64) { seconds = append(seconds, second) })
			}
			slices.Sort(seconds)
			for _, second := range slices.Compact(seconds) {
				ranges = append(ranges, index.Range{Lo: first.Packed(), Hi: first.Packed() + 1, Lo2: second, Hi2: second + 1})
			}
		}
		total.Add(grow(t, cut, trees, ranges, l, true))
		trim(&counts)
		trim(&total)
		if d := cmp.Diff(counts.Candidates, total.Candidates); d != "" {
			t.Fatalf("candidates: (-want +got)\n%s", d)
		}
		codes := slices.SortedFunc(slices.Values(slices.Concat(again.codes, cut.codes)), compare)
		slices.SortFunc(rec.codes, compare)
		if d := cmp.Diff(rec.codes, codes); d != "" {
			t.Fatalf("(-want +got)\n%s", d)
		}
		for text, r := range cut.rows {
			if d := cmp.Diff(rec.rows[text], r); d != "" {
				t.Fatalf("%s: (-want +got)\n%s", text, d)
			}
		}
	})
}

// The candidates of an order are the patterns whose prefix is kept.
func TestCandidates(t *testing.T) {
	eachCorpus(t, 8, func(t *testing.T, trees []*index.Tree, s *index.Symbols) {
		all := &recorder{s: s}
		grow(t, all, trees, everything, index.Limits{}, false)
		kept := map[string]bool{"": true}
		for _, c := range all.codes {
			kept[string(c)] = all.rows[key(c, s)].Support >= 2
		}
		var want index.Counts
		for _, c := range all.codes {
			steps, _ := c.Steps(nil)
			in, ok := kept[string(index.EncodeSteps(nil, steps[:len(steps)-1]))]
			if !ok {
				t.Fatalf("%x is a pattern, and its prefix is not", []byte(c))
			}
			if in && len(steps) <= 3 {
				below := uint64(0)
				if !kept[string(c)] {
					below = 1
				}
				want.Count(len(steps), 1, below)
			}
		}
		got := grow(t, &recorder{s: s}, trees, everything, index.Limits{MinSupport: 2, MaxOrder: 3}, false)
		trim(&got)
		if d := cmp.Diff(want, got); d != "" {
			t.Fatal(d)
		}
	})
}

func TestWeightsAndNoSamples(t *testing.T) {
	eachCorpus(t, 8, func(t *testing.T, trees []*index.Tree, s *index.Symbols) {
		l := index.Limits{MaxOrder: 4}
		plain := &recorder{s: s}
		grow(t, plain, trees, everything, l, false)
		for _, w := range []index.Weights{{Class: []uint8{1, 2, 0, 2}}, {Occ: []float64{0.5, -2, 0.25, 1}}} {
			grow(t, &recorder{s: s, w: w}, trees, everything, l, false)
		}
		l.NoSamples = true
		none := &recorder{s: s, none: true, w: index.Weights{Class: []uint8{1, 2, 0, 2}}}
		grow(t, none, trees, everything, l, false)
		if none.total != plain.total || len(none.codes) != len(plain.codes) {
			t.Fatalf("%d occurrences of %d, want %d of %d", none.total, len(none.codes), plain.total, len(plain.codes))
		}
	})
}

func TestTally(t *testing.T) {
	trees, s := corpus(2, 5, 9)
	tally := &index.Tally{}
	for id, tree := range trees {
		(&Space{}).Tally(tree, s, uint32(id), tally)
	}
	table := bruteTable(trees, s)
	n := 0
	tally.Each(func(st index.Step, occ, support uint32) {
		r := table[key(index.AppendStep(nil, st), s)]
		sum := 0
		for _, k := range r.Occ {
			sum += k
		}
		if int(occ) != sum || int(support) != r.Support {
			t.Errorf("%v: %d in %d samples, want %d in %d", st, occ, support, sum, r.Support)
		}
		n++
	})
	if want := len(within(table, index.Limits{MaxOrder: 1})); n != want {
		t.Errorf("%d first steps, want %d", n, want)
	}
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

// quiet descends everywhere along the first batch's pattern.
type quiet struct{ visits int }

func (q *quiet) Visit(b *index.Batch) error {
	for i := range b.Len() {
		b.Descend[i] = true
	}
	q.visits++
	return nil
}

// More matches than are counted end growth, whatever the number of nodes.
func TestOccurrenceError(t *testing.T) {
	s := index.NewSymbols()
	it := itemsOf([]*index.Tree{wide(s, 60)}, s, index.All, index.Limits{})
	q := &quiet{}
	_, err := (&Space{}).Grow(it, index.All, index.Weights{}, index.Limits{}, q)
	var many *index.OccurrenceError
	// The first such pattern: C(60,8) is below 2^32, C(60,9) is not.
	if !errors.As(err, &many) || many.Limit != math.MaxUint32 || q.visits > 1000 {
		t.Fatalf("%v after %d visits", err, q.visits)
	}
}
