package contrast_test

import (
	"bytes"
	"cmp"
	"context"
	"errors"
	"fmt"
	"io"
	"math"
	"math/rand/v2"
	"slices"
	"strings"
	"testing"

	"github.com/cockroachdb/pebble/v2/vfs"

	"fstore/index"
	"fstore/index/spaces"
	"fstore/mine/builder"
	"fstore/mine/contrast"
	"fstore/mine/query"
	"fstore/store"
)

// source yields n random trees of few symbols, labels, documents and K-best lists.
type source struct {
	b     index.Builder
	r     *rand.Rand
	n     int
	lists bool
	group int
}

func (s *source) Next(t *index.Tree) error {
	if s.n--; s.n < 0 {
		return io.EOF
	}
	s.b.Start(t, false)
	size := 2 + s.r.IntN(10)
	s.grow(&size, 0)
	t.Name = fmt.Sprint(s.n)
	t.Label = []string{"", "x", "y", "x,y", "z"}[s.r.IntN(5)]
	t.Document = []string{"", "d", "e", "f"}[s.r.IntN(4)]
	if s.lists {
		s.group += s.r.IntN(2)
		t.Group, t.Document = fmt.Sprint("g", s.group), fmt.Sprint("d", s.group%3)
	}
	return nil
}

func (s *source) grow(size *int, depth int) {
	*size--
	s.b.Open([]byte{"ABC"[s.r.IntN(3)]})
	for kids := s.r.IntN(3); kids > 0 && *size > 0 && depth < 4; kids-- {
		if s.r.IntN(3) == 0 {
			s.b.Word([]byte{"uv"[s.r.IntN(2)]})
			continue
		}
		s.grow(size, depth+1)
	}
	s.b.Close()
}

// open builds a store in memory from the trees of a source, and opens the store's stk table.
func open(t testing.TB, fs vfs.FS, source func(*index.Symbols) (index.Source, error)) *query.Table {
	t.Helper()
	return openSpace(t, fs, "stk", source)
}

func openSpace(t testing.TB, fs vfs.FS, space string, source func(*index.Symbols) (index.Source, error)) *query.Table {
	t.Helper()
	r, err := spaces.Parse(space)
	if err != nil {
		t.Fatal(err)
	}
	one, order := uint32(1), 4
	_, err = builder.Run(context.Background(), "s", builder.Options{
		FS: fs, Spaces: builder.Choice{Spaces: []spaces.Request{r}, MinSupport: &one, MaxOrder: &order},
		Source: source, Event: func() store.Event { return store.Event{} },
	})
	if err != nil {
		t.Fatal(err)
	}
	s, err := store.Open("s", store.Options{FS: fs})
	if err != nil {
		t.Fatal(err)
	}
	t.Cleanup(func() { s.Close() })
	tab, err := query.Open(s, "")
	if err != nil {
		t.Fatal(err)
	}
	return tab
}

func random(t testing.TB, seed uint64, lists bool) *query.Table {
	return open(t, vfs.NewMem(), func(s *index.Symbols) (index.Source, error) {
		return &source{b: index.Builder{Symbols: s}, r: rand.New(rand.NewPCG(seed, 1)), n: 60, lists: lists}, nil
	})
}

// row is a copy of a Row that stays valid after the next row.
type row struct {
	text                       string
	order                      int
	id                         uint32
	freqA, freqB, docsA, docsB uint64
	m                          contrast.Measures
}

func rows(t *testing.T, tab *query.Table, o contrast.Options) (*contrast.Contrast, []row) {
	t.Helper()
	o.FS, o.TempDir = vfs.NewMem(), "sort"
	if o.MinDocs == 0 {
		o.MinDocs = -1
	}
	c, err := contrast.New(context.Background(), tab, o)
	if err != nil {
		t.Fatal(err)
	}
	var all []row
	err = c.Each(context.Background(), func(r *contrast.Row) error {
		if err := r.Settle(); err != nil {
			return err
		}
		all = append(all, row{string(tab.Text(nil, r.Code)), r.Order, r.ID, r.FreqA, r.FreqB, r.DocsA, r.DocsB, *r.Measures})
		return nil
	})
	if err != nil || uint64(len(all)) != c.Rows {
		t.Fatal(len(all), c.Rows, err)
	}
	if o.Brief { // rows are sorted by fragments that are not always their own
		slices.SortFunc(all, func(x, y row) int { return cmp.Compare(x.id, y.id) })
	}
	return c, all
}

// brute counts tree by tree, as the definitions say. It has the samples, sentences and documents of each
// side, and the samples in which each fragment occurs.
type brute struct {
	on          [2]map[uint32]bool
	sentence    []string
	document    []string
	words       [2]uint64
	occurrences map[string]map[uint32]uint64 // by fragment and sample
}

func newBrute(t *testing.T, tab *query.Table, a, b string) *brute {
	x := &brute{on: [2]map[uint32]bool{{}, {}}, occurrences: map[string]map[uint32]uint64{}}
	err := tab.Store().Samples(0, tab.Store().Meta().Samples, func(id uint32, tree *index.Tree) error {
		labels := strings.Split(tree.Label, ",")
		has := func(union string) bool {
			return slices.ContainsFunc(strings.Split(union, ","), func(label string) bool { return slices.Contains(labels, label) })
		}
		is := [2]bool{has(a), b != "" && has(b)}
		if b == "" {
			is[1] = !is[0]
		}
		for i := range is {
			if is[i] {
				x.on[i][id] = true
				x.words[i] += uint64(tree.Words())
			}
		}
		sentence := tree.Document + " " + tree.Group
		if tree.Group == "" {
			sentence = fmt.Sprint("sample ", id)
		}
		x.sentence, x.document = append(x.sentence, sentence), append(x.document, tree.Document)
		return tab.Each(context.Background(), func(r *query.Row) error {
			if n := len(tab.Space.Locate(tree, r.Code, tab.Symbols())); n > 0 {
				text := string(tab.Text(nil, r.Code))
				if x.occurrences[text] == nil {
					x.occurrences[text] = map[uint32]uint64{}
				}
				x.occurrences[text][id] = uint64(n)
			}
			return nil
		})
	})
	if err != nil {
		t.Fatal(err)
	}
	return x
}

// in returns how much the given samples count on a side, in a unit. The map has the weight of each sample.
func (x *brute) in(side int, samples map[uint32]uint64, u contrast.Unit) (n uint64) {
	sentences, documents := map[string]bool{}, map[string]bool{}
	for id, k := range samples {
		if !x.on[side][id] {
			continue
		}
		n += k
		sentences[x.sentence[id]] = true
		if x.document[id] != "" {
			documents[x.document[id]] = true
		}
	}
	switch u {
	case contrast.Sentences:
		return uint64(len(sentences))
	case contrast.Documents:
		return uint64(len(documents))
	}
	return n
}

func (x *brute) size(side int, u contrast.Unit) uint64 {
	if u == contrast.Words {
		return x.words[side]
	}
	all := map[uint32]uint64{}
	for id := range x.on[side] {
		all[id] = 1
	}
	return x.in(side, all, u)
}

// The frequencies, the sizes, and the fragments that share a row are those of brute force.
func TestBruteForce(t *testing.T) {
	for seed := range uint64(6) {
		tab := random(t, seed, seed%2 == 1)
		a, b := []string{"x", "x", "z,x"}[seed/2], []string{"y", "", "y"}[seed/2]
		x := newBrute(t, tab, a, b)
		for _, count := range []contrast.Unit{contrast.Occurrences, contrast.Sentences, contrast.Documents} {
			per := []contrast.Unit{contrast.Words, contrast.Sentences, contrast.Documents}[seed%3]
			if count == contrast.Documents {
				per = contrast.Documents
			}
			c, all := rows(t, tab, contrast.Options{A: a, B: b, Count: count, Per: per, All: true})
			if c.A.N != x.size(0, per) || c.B.N != x.size(1, per) || c.A.Samples != uint64(len(x.on[0])) || c.B.Samples != uint64(len(x.on[1])) {
				t.Errorf("%+v %+v, want %d and %d", c.A, c.B, x.size(0, per), x.size(1, per))
			}
			found := map[string]row{}
			for _, r := range all {
				found[r.text] = r
			}
			best := map[string]row{} // by the samples in which they occur
			for text, samples := range x.occurrences {
				r, ok := found[text]
				onA, onB := x.in(0, samples, count), x.in(1, samples, count)
				if ok != (onA+onB > 0) || r.freqA != onA || r.freqB != onB {
					t.Fatalf("%s: %+v, want %d and %d", text, r, onA, onB)
				}
				if !ok {
					continue
				}
				if r.docsA != x.in(0, samples, contrast.Documents) || r.docsB != x.in(1, samples, contrast.Documents) {
					t.Fatalf("%s: %+v", text, r)
				}
				where := fmt.Sprint(samples) // maps print in order of keys
				if o, ok := best[where]; !ok || cmp.Or(cmp.Compare(r.order, o.order), cmp.Compare(o.text, r.text)) > 0 {
					best[where] = r
				}
			}
			if uint64(len(found)) != c.Fragments {
				t.Error(len(found), c.Fragments)
			}
			d, distinct := rows(t, tab, contrast.Options{A: a, B: b, Count: count, Per: per})
			if len(distinct) != len(best) || d.Fragments != c.Fragments || len(distinct) == len(all) {
				t.Fatalf("%d rows of %d, want %d", len(distinct), len(all), len(best))
			}
			for _, r := range distinct {
				if w := best[fmt.Sprint(x.occurrences[r.text])]; w.text != r.text {
					t.Fatalf("%s stands for %s", r.text, w.text)
				}
			}
			checkMembers(t, tab, contrast.Options{A: a, B: b, Count: count, Per: per, Members: true, MinDocs: -1}, x, found)
			checkOrder(t, all)
			checkOrder(t, distinct)
		}
	}
}

// checkMembers checks the members of each row: all other fragments with the same occurrences, in the right
// order. They must be right even if the members of earlier rows were not read.
func checkMembers(t *testing.T, tab *query.Table, o contrast.Options, x *brute, all map[string]row) {
	t.Helper()
	fs := vfs.NewMem()
	o.FS, o.TempDir = fs, "sort"
	c, err := contrast.New(context.Background(), tab, o)
	if err != nil {
		t.Fatal(err)
	}
	total, skipped := uint64(0), false
	err = c.Each(context.Background(), func(r *contrast.Row) error {
		text := string(tab.Text(nil, r.Code))
		var want, got []row
		for other := range all {
			if other != text && fmt.Sprint(x.occurrences[other]) == fmt.Sprint(x.occurrences[text]) {
				want = append(want, row{text: other, order: all[other].order, id: all[other].id})
			}
		}
		slices.SortFunc(want, func(a, b row) int { return cmp.Or(cmp.Compare(b.order, a.order), cmp.Compare(a.text, b.text)) })
		total += uint64(len(want)) + 1
		if skipped = !skipped; skipped {
			return nil
		}
		err := r.EachMember(func(m *contrast.Member) error {
			got = append(got, row{text: string(m.Text), order: m.Order, id: m.ID})
			return nil
		})
		if !slices.Equal(got, want) {
			t.Errorf("%s stands for %v, want %v", text, got, want)
		}
		return err
	})
	left, e := fs.List("")
	if err != nil || e != nil || total != c.Fragments || len(left) > 0 {
		t.Fatal(err, e, total, c.Fragments, left)
	}
}

// checkOrder wants rows in key order.
func checkOrder(t *testing.T, all []row) {
	t.Helper()
	if !slices.IsSortedFunc(all, func(a, b row) int { return cmp.Compare(a.id, b.id) }) {
		t.Error("rows are not in key order")
	}
}

// B against A has the measures of A against B with the opposite signs.
func TestExchangedSides(t *testing.T) {
	tab := random(t, 9, false)
	for _, adjust := range []contrast.Adjust{contrast.NoAdjust, contrast.Bonferroni, contrast.FDR} {
		for _, per := range []contrast.Unit{contrast.Words, contrast.Sentences, contrast.Documents} {
			o := contrast.Options{A: "x", B: "y", Per: per, Adjust: adjust, Confidence: 0.6}
			_, ab := rows(t, tab, o)
			o.A, o.B = o.B, o.A
			_, ba := rows(t, tab, o)
			if len(ab) != len(ba) {
				t.Fatal(len(ab), len(ba))
			}
			for i, r := range ab {
				s := ba[i]
				x, y := r.m, s.m
				same := func(a, b float64) bool {
					return math.Abs(a-b) <= 1e-9*(1+math.Abs(a)) || math.IsNaN(a) && math.IsNaN(b)
				}
				if r.text != s.text || r.freqA != s.freqB || r.freqB != s.freqA || r.docsA != s.docsB ||
					x.LogRatio != -y.LogRatio || x.LRC != -y.LRC || x.Low != -y.High || x.High != -y.Low ||
					!same(x.G2, -y.G2) || !same(x.Chi2, -y.Chi2) || !same(x.P, y.P) || !same(x.Adjusted, y.Adjusted) ||
					!same(x.BIC, y.BIC) || !(same(x.OddsRatio*y.OddsRatio, 1) || math.IsNaN(x.OddsRatio) && math.IsNaN(y.OddsRatio)) || x.PerMillionA != y.PerMillionB {
					t.Fatalf("%+v\n%+v", r, s)
				}
			}
		}
	}
}

// Ranks are in the order of the conservative log ratio, then of G².
func TestRank(t *testing.T) {
	_, all := rows(t, random(t, 2, false), contrast.Options{A: "x", B: "y", Confidence: 0.3})
	slices.SortFunc(all, func(a, b row) int { return cmp.Compare(a.m.Rank, b.m.Rank) })
	signs := map[float64]bool{}
	for i, r := range all[1:] {
		before := all[i]
		c := cmp.Or(cmp.Compare(before.m.LRC, r.m.LRC), cmp.Compare(before.m.G2, r.m.G2))
		if c > 0 || (c == 0) != (before.m.Rank == r.m.Rank) {
			t.Fatalf("%+v\n%+v", before, r)
		}
		signs[math.Copysign(min(1, math.Abs(r.m.LRC)*1e9), r.m.LRC)] = true
	}
	if len(signs) != 3 {
		t.Errorf("not all kinds of rows: %v", signs)
	}
}

// A contrast leaves no temporary files.
func TestTemporaryFiles(t *testing.T) {
	tab := random(t, 3, false)
	fs := vfs.NewMem()
	if _, err := contrast.New(context.Background(), tab, contrast.Options{A: "x", FS: fs, TempDir: "sort"}); err != nil {
		t.Fatal(err)
	}
	if names, err := fs.List("/"); err != nil || len(names) != 0 {
		t.Error(names, err)
	}
}

func TestErrors(t *testing.T) {
	tab := random(t, 4, false)
	for _, o := range []contrast.Options{
		{A: "x", B: "x"},
		{},
		{B: "x"},
		{A: "x", Count: "words"},
		{A: "x", Per: "occurrences"},
		{A: "x", Count: contrast.Documents, Per: contrast.Words},
		{A: "x", Count: contrast.Documents, Per: contrast.Sentences},
		{A: "x", Adjust: "holm"},
		{A: "x", Confidence: 1},
		{A: "x", Confidence: math.NaN()},
	} {
		var bad *index.UsageError
		if _, err := contrast.New(context.Background(), tab, o); !errors.As(err, &bad) {
			t.Errorf("%+v: %v", o, err)
		}
	}
	for _, o := range []contrast.Options{{A: "xx"}, {A: "x", B: "w"}} {
		var unknown *index.UsageError
		if _, err := contrast.New(context.Background(), tab, o); !errors.As(err, &unknown) {
			t.Errorf("%+v: %v", o, err)
		}
	}
	ctx, cancel := context.WithCancel(context.Background())
	cancel()
	if _, err := contrast.New(ctx, tab, contrast.Options{A: "x"}); !errors.Is(err, context.Canceled) {
		t.Error(err)
	}
}

// few is a source of the given trees. Each is written as "label document words…".
type few struct {
	b     index.Builder
	lines []string
}

func (f *few) Next(t *index.Tree) error {
	if len(f.lines) == 0 {
		return io.EOF
	}
	fields := strings.Fields(f.lines[0])
	f.lines = f.lines[1:]
	f.b.Start(t, false)
	f.b.Open([]byte("S"))
	for _, w := range fields[2:] {
		f.b.Open([]byte("N"))
		if w != "-" {
			f.b.Word([]byte(w))
		}
		f.b.Close()
	}
	f.b.Close()
	t.Label, t.Document = strings.Trim(fields[0], "-"), strings.Trim(fields[1], "-")
	return nil
}

func fixed(t *testing.T, lines ...string) *query.Table {
	return open(t, vfs.NewMem(), func(s *index.Symbols) (index.Source, error) {
		return &few{index.Builder{Symbols: s}, lines}, nil
	})
}

// A corpus of size 0 is refused, with a message that says why.
func TestSizeZero(t *testing.T) {
	noDocuments := fixed(t, "a - x", "b - -", "c - x")
	all := fixed(t, "a d x", "a d -")
	half := fixed(t, "a d x", "b - x")
	for _, c := range []struct {
		tab  *query.Table
		o    contrast.Options
		want string
	}{
		{noDocuments, contrast.Options{A: "a", Count: contrast.Documents}, "the store has no documents: build it with --document-from"},
		{noDocuments, contrast.Options{A: "a", B: "b"}, "label b has no words"},
		{half, contrast.Options{A: "a", Per: contrast.Documents}, "the rest has no documents"},
		{all, contrast.Options{A: "a"}, "every sample has the label a: there is no rest to compare with"},
	} {
		var bad *index.UsageError
		if _, err := contrast.New(context.Background(), c.tab, c.o); !errors.As(err, &bad) || err.Error() != c.want {
			t.Errorf("%v, want %s", err, c.want)
		}
	}
	var text bytes.Buffer
	c, rs := rows(t, noDocuments, contrast.Options{A: "a", B: "c"})
	fmt.Fprint(&text, c.Documents, rs[0].docsA)
	if text.String() != "false 0" {
		t.Error(text.String())
	}
}

// find returns the row of a fragment.
func find(t *testing.T, tab *query.Table, o contrast.Options, text string) row {
	t.Helper()
	o.All = true
	_, all := rows(t, tab, o)
	i := slices.IndexFunc(all, func(r row) bool { return r.text == text })
	if i < 0 {
		t.Fatalf("no row %s", text)
	}
	return all[i]
}

func near(a, b float64) bool { return a == b || math.Abs(a-b) <= 1e-9*max(1, math.Abs(a), math.Abs(b)) }

// same compares a row with the wanted row, to the digits of the hand calculation.
func same(t *testing.T, what string, got, want row) {
	t.Helper()
	if got.freqA != want.freqA || got.freqB != want.freqB || got.docsA != want.docsA || got.docsB != want.docsB {
		t.Errorf("%s: %+v, want %+v", what, got, want)
	}
	g, w := got.m, want.m
	for i, c := range [...][2]float64{
		{g.PerMillionA, w.PerMillionA},
		{g.PerMillionB, w.PerMillionB},
		{g.LogRatio, w.LogRatio},
		{g.G2, w.G2},
		{g.Chi2, w.Chi2},
		{g.P, w.P},
		{g.BIC, w.BIC},
		{g.OddsRatio, w.OddsRatio},
		{g.PctDiff, w.PctDiff},
		{g.LRC, w.LRC},
	} {
		if !near(c[0], c[1]) {
			t.Errorf("%s: measure %d is %v, want %v", what, i, c[0], c[1])
		}
	}
	for _, c := range [...][2]float64{{g.Low, w.Low}, {g.High, w.High}} {
		if c[0] != c[1] && !(math.Abs(c[0]-c[1]) < 1e-3) {
			t.Errorf("%s: interval %v %v, want %v %v", what, g.Low, g.High, w.Low, w.High)
		}
	}
}

// The benchmark measures the time of a comparison for each fragment, which is two walks over its posting
// list.
func BenchmarkContrast(b *testing.B) {
	tab := open(b, vfs.NewMem(), func(s *index.Symbols) (index.Source, error) {
		return &source{b: index.Builder{Symbols: s}, r: rand.New(rand.NewPCG(1, 1)), n: 20_000}, nil
	})
	for _, all := range []bool{false, true} {
		b.Run(fmt.Sprint("all=", all), func(b *testing.B) {
			for b.Loop() {
				c, err := contrast.New(b.Context(), tab, contrast.Options{A: "x", All: all, FS: vfs.NewMem(), TempDir: "sort"})
				if err == nil {
					err = c.Each(b.Context(), func(*contrast.Row) error { return nil })
				}
				if err != nil {
					b.Fatal(err)
				}
			}
			b.ReportMetric(b.Elapsed().Seconds()*1e9/float64(b.N)/float64(tab.Info.Features), "ns/fragment")
		})
	}
}
