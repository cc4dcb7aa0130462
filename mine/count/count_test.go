package count_test

import (
	"context"
	"fmt"
	"io"
	"math"
	"reflect"
	"strings"
	"testing"

	"github.com/cockroachdb/pebble/v2/vfs"

	"fstore/index"
	"fstore/index/pattern"
	"fstore/mine/builder"
	"fstore/mine/count"
	"fstore/mine/internal/minetest"
	"fstore/mine/query"
	"fstore/store"
)

// Counting a stored fragment finds the occurrences that the store has for it, in all spaces.
func TestStoredFragments(t *testing.T) {
	for _, args := range [][]string{{"stk"}, {"st"}, {"sstbow"}, {"ptk"}, {"emb:max-order=3"}, {"seq:max-order=3"}, {"tag"}, {"stk:min-support=1,closed=true", "ptk:min-support=1,max-order=2"}} {
		fs := vfs.NewMem()
		checkStored(t, minetest.Build(t, fs, minetest.Options(t, fs, 0, 60, args...)))
	}
	for _, args := range append(minetest.DepVariants, []string{"dep:siblings=adjacent", "dep:siblings=any,max-span=3,min-support=1", "dep:template=h.form+m.form+rel"}) {
		fs := vfs.NewMem()
		checkStored(t, minetest.Build(t, fs, minetest.DepOptions(t, fs, 0, 60, args...)))
	}
}

func checkStored(t *testing.T, s *store.Store) {
	t.Helper()
	for _, id := range s.Meta().SpaceIDs() {
		tab, err := query.Open(s, id)
		if err != nil {
			t.Fatal(err)
		}
		x, err := count.Open(s, id)
		if err != nil {
			t.Fatal(err)
		}
		var all []*count.Construction
		var rows []query.Row
		err = tab.Each(context.Background(), func(r *query.Row) error {
			if r.ID%max(1, tab.Info.Features/300) != 0 {
				return nil
			}
			text := string(tab.Text(nil, r.Code))
			c, err := x.Parse(text)
			if err != nil || c.Fragment == nil {
				t.Fatalf("%s: %s: %v", id, text, err)
			}
			all, rows = append(all, c), append(rows, query.Row{Support: r.Support, Occurrences: r.Occurrences})
			return nil
		})
		if err != nil || len(all) == 0 {
			t.Fatalf("%s: %d fragments, %v", id, len(all), err)
		}
		counts, err := x.Find(context.Background(), all, count.Options{})
		if err != nil {
			t.Fatal(err)
		}
		wide := strings.Contains(id, "max-span=3") // only the store leaves out wide spans
		syms, _ := s.Symbols()
		for i, c := range counts {
			hits, places, samples := c.Total()
			finder := all[i].Finder(syms)
			inTrees := func() (h, p uint64) { // counts in the trees, without the posting list
				err := s.Samples(0, s.Meta().Samples, func(_ uint32, tree *index.Tree) error {
					n, at, err := finder.Count(tree)
					h, p = h+n, p+uint64(at)
					return err
				})
				if err != nil {
					t.Fatal(err)
				}
				return h, p
			}
			if h, p := inTrees(); h != hits || p != places {
				t.Fatalf("%s: %s: %d hits at %d places, in the trees %d at %d", id, all[i].Text, hits, places, h, p)
			}
			same := hits == uint64(rows[i].Occurrences) && samples == uint64(rows[i].Support)
			more := wide && hits >= uint64(rows[i].Occurrences) && samples >= uint64(rows[i].Support)
			if !same && !more || places > hits || places == 0 {
				t.Fatalf("%s: %s: %d hits at %d places in %d samples, stored are %d in %d", id, all[i].Text, hits, places, samples, rows[i].Occurrences, rows[i].Support)
			}
		}
	}
}

// bracketPatterns and arcPatterns use the symbols of the random trees.
var (
	bracketPatterns = []string{
		"(A)", "u", "_", "(A (B) (C))", "(A ... (B) ...)", "(A|B u)", "(A (B (C ...) ...) ...)", "(_ u _)", "(A ... (B) ... (B) ...)",
		"(A (B u) (C v))", "(A (A|B (C u)) ...)", "(A (B u|v))", "(C w (A))", "(/i/a ... (/i/b ...))", "(X (A))", "(A X)",
	}
	arcPatterns = []string{
		"N", "_[form=a|b]", "V >r N", "N <r V", "N <s V >t N", "V <>r N", "V >r N >s V", "V >r (N >s V)", "V >r|s N", "V >_ N", "N|V >r V",
		"V >r N[form=/i/A]", "V <>r N <>s V", "N <r V >r N >s N", "_ >r (_ >s (_ >t _))", "V >x N", "N[lemma=z] >r V",
	}
)

// The hits do not depend on which fragments are stored, and bounds exclude no tree with hits.
func TestBounds(t *testing.T) {
	for _, args := range [][]string{{"stk:min-support=1,max-order=0"}, {"stk:max-order=1,min-support=1"}, {"stk:min-support=9"}, {"stk:closed=true"}, {"st"}, {"sstbow"}, {"ptk"}, {"emb:max-order=2", "seq:max-order=2"}} {
		fs := vfs.NewMem()
		checkBounds(t, minetest.Build(t, fs, minetest.Options(t, fs, 0, minetest.Samples, args...)), bracketPatterns)
	}
	for _, args := range append(minetest.DepVariants, []string{"dep:min-support=1,max-order=1"}, []string{"dep:max-span=2"}, []string{"dep:siblings=side,template=rel+h.upos+m.upos"}) {
		fs := vfs.NewMem()
		checkBounds(t, minetest.Build(t, fs, minetest.DepOptions(t, fs, 0, minetest.Samples, args...)), arcPatterns)
	}
}

func checkBounds(t *testing.T, s *store.Store, texts []string) {
	t.Helper()
	x, err := count.Open(s, "")
	if err != nil {
		t.Fatal(err)
	}
	x.NoFragments = true
	syms, _ := s.Symbols()
	var all []*count.Construction
	for _, text := range texts {
		c, err := x.Parse(text)
		if err != nil {
			t.Fatal(err)
		}
		all = append(all, c)
	}
	counts, err := x.Count(context.Background(), all, count.Options{Workers: 3})
	if err != nil {
		t.Fatal(err)
	}
	for i, c := range counts {
		m := pattern.NewMatcher(all[i].Pattern, syms)
		want := map[uint32]uint64{}
		places := uint64(0)
		err := s.Samples(0, s.Meta().Samples, func(id uint32, tree *index.Tree) error {
			hits, at, err := m.Count(tree)
			if hits > 0 {
				want[id] = hits
			}
			places += uint64(at)
			return err
		})
		if err != nil {
			t.Fatal(err)
		}
		got := map[uint32]uint64{}
		ids, hits, _ := c.Samples()
		for k, id := range ids {
			got[id] = hits[k]
		}
		_, gotPlaces, _ := c.Total()
		if !reflect.DeepEqual(got, want) || gotPlaces != places {
			t.Errorf("%s: %s (%s): %v, want %v", s.Meta().SpaceIDs(), texts[i], c.Bound, got, want)
		}
		if c.Read < len(want) || c.Bound.Samples != nil && c.Read != int(c.Bound.Samples.GetCardinality()) {
			t.Errorf("%s: %d trees read of %d", texts[i], c.Read, len(want))
		}
	}
	alone, err := x.Count(context.Background(), all, count.Options{Workers: 1})
	if err != nil {
		t.Fatal(err)
	}
	if a, b := fmt.Sprintf("%+v", rows(alone)), fmt.Sprintf("%+v", rows(counts)); a != b {
		t.Errorf("one worker: %s\nthree: %s", a, b)
	}
}

func rows(counts []*count.Counts) (all [][]count.Row) {
	for _, c := range counts {
		all = append(all, c.Rows)
	}
	return all
}

// listSource is a source of the given trees.
type listSource struct {
	b     index.Builder
	trees []listTree
}

type listTree struct{ label, document, words string }

func (l *listSource) Next(t *index.Tree) error {
	if len(l.trees) == 0 {
		return io.EOF
	}
	x := l.trees[0]
	l.trees = l.trees[1:]
	l.b.Start(t, false)
	l.b.Open([]byte("S"))
	for word := range strings.FieldsSeq(x.words) {
		l.b.Word([]byte(word))
	}
	l.b.Close()
	t.Name, t.Label, t.Document = fmt.Sprint(len(l.trees)), x.label, x.document
	return nil
}

// Each tree is a phrase (S a b c) with its words.
func listed(t *testing.T, trees ...listTree) *store.Store {
	t.Helper()
	fs := vfs.NewMem()
	o := builder.Options{
		FS: fs, Spaces: minetest.Request(t, "stk"),
		Source: func(s *index.Symbols) (index.Source, error) {
			return &listSource{b: index.Builder{Symbols: s}, trees: trees}, nil
		},
		Event: func() store.Event { return store.Event{Command: "test"} },
	}
	return minetest.Build(t, fs, o)
}

// A row of a label has the sizes of the label, and the dispersion over the label's documents.
func TestRows(t *testing.T) {
	s := listed(t,
		listTree{"x", "d1", "a a b"}, listTree{"x,y", "d1", "b"}, listTree{"y", "d2", "a b b b"}, listTree{"", "d3", "b b"},
	)
	x, err := count.Open(s, "")
	if err != nil {
		t.Fatal(err)
	}
	c, err := x.Parse("a")
	if err != nil {
		t.Fatal(err)
	}
	counts, err := x.Count(context.Background(), []*count.Construction{c}, count.Options{})
	if err != nil {
		t.Fatal(err)
	}
	// All samples: the documents' shares of words are 4/10, 4/10, 2/10, and their shares of hits are 2/3,
	// 1/3, 0.
	dp := (math.Abs(2.0/3-0.4) + math.Abs(1.0/3-0.4) + 0.2) / 2
	want := []count.Row{
		{"", 3, 3, 2, 2, 10, dp, dp / 0.8},
		{"x", 2, 2, 1, 1, 4, 0, math.NaN()},
		{"y", 1, 1, 1, 1, 5, 0.2, 0.2 / 0.8},
	}
	for i, r := range counts[0].Rows {
		text := func(r count.Row) string { return fmt.Sprintf("%+v %.9f %.9f", r.Group, r.DP, r.DPNorm) }
		a, b := r, want[i]
		a.DP, a.DPNorm, b.DP, b.DPNorm = 0, 0, 0, 0
		if a != b || text(r) != text(want[i]) {
			t.Errorf("%+v, want %+v", r, want[i])
		}
	}
	if len(counts[0].Rows) != len(want) || !counts[0].Documents {
		t.Errorf("%d rows", len(counts[0].Rows))
	}
	counts, err = x.Count(context.Background(), []*count.Construction{c}, count.Options{By: count.By{Keys: func(_ uint32, t *index.Tree) []string { return []string{t.Document, "all"} }}})
	if err != nil {
		t.Fatal(err)
	}
	var names []string
	for _, r := range counts[0].Rows {
		names = append(names, fmt.Sprint(r.Group, r.Hits, "/", r.Words))
	}
	if got := strings.Join(names, " "); got != "d12/4 all3/10 d21/4 d30/2" {
		t.Error(got)
	}
}

// Values returns the words in the nodes, by label.
func TestValues(t *testing.T) {
	s := listed(t, listTree{"x", "", "a b"}, listTree{"y", "", "a c"}, listTree{"y", "", "a c"})
	x, err := count.Open(s, "")
	if err != nil {
		t.Fatal(err)
	}
	c, err := x.Parse("(S _ _)")
	if err != nil {
		t.Fatal(err)
	}
	counts, err := x.Find(context.Background(), []*count.Construction{c}, count.Options{})
	if err != nil {
		t.Fatal(err)
	}
	values, err := x.Values(context.Background(), counts[0], pattern.Form, count.Options{})
	if err != nil {
		t.Fatal(err)
	}
	want := "[{ 1 a c 2} { 1 a b 1} { 2 a 3} { 3 c 2} { 3 b 1} {x 1 a b 1} {x 2 a 1} {x 3 b 1} {y 1 a c 2} {y 2 a 2} {y 3 c 2}]"
	if got := fmt.Sprint(values); got != want {
		t.Errorf("%s, want %s", got, want)
	}
}

// Unknown names the names that no tree has, and suggests similar names.
func TestUnknown(t *testing.T) {
	fs := vfs.NewMem()
	s := minetest.Build(t, fs, minetest.DepOptions(t, fs, 0, 20, "dep"))
	x, err := count.Open(s, "")
	if err != nil {
		t.Fatal(err)
	}
	wants := map[string]string{
		"VV >r N":      "[no tree has the upos VV]",
		"V >N N":       "[no tree has the relation N]", // N is a name in the trees, but not of a relation
		"V >r N":       "[]",
		"V|X* >r N":    "[no tree has a upos that begins with X]",
		"V[form=aa]":   "[no tree has the form aa]",
		"_[form=/i/Q]": "[no tree has the form q, in any case]",
	}
	var all []*count.Construction
	for text := range wants {
		c, err := x.Parse(text)
		if err != nil {
			t.Fatal(err)
		}
		all = append(all, c)
	}
	counts, err := x.Find(context.Background(), all, count.Options{})
	if err != nil {
		t.Fatal(err)
	}
	found := make([]bool, len(all))
	for i, c := range counts {
		found[i] = c.Match > 0
	}
	notes, err := x.Unknown(context.Background(), all, found)
	if err != nil {
		t.Fatal(err)
	}
	for i, c := range all {
		if got := fmt.Sprint(notes[i]); got != wants[c.Text] {
			t.Errorf("%s: %s, want %s", c.Text, got, wants[c.Text])
		}
	}
}

// The patterns of chosen words have the hit from which they were made. A more special pattern has fewer hits.
func TestChosen(t *testing.T) {
	fs, fs2 := vfs.NewMem(), vfs.NewMem()
	for _, s := range []*store.Store{
		minetest.Build(t, fs, minetest.DepOptions(t, fs, 0, 40, "dep")),
		minetest.Build(t, fs2, minetest.Options(t, fs2, 0, 40, "stk")),
	} {
		x, err := count.Open(s, "")
		if err != nil {
			t.Fatal(err)
		}
		x.NoFragments = true
		syms, _ := s.Symbols()
		made := 0
		err = s.Samples(0, s.Meta().Samples, func(id uint32, tree *index.Tree) error {
			for w := 1; w+2 <= tree.Words(); w++ {
				texts, err := x.Chosen(tree, []int{w, w + 2})
				if err != nil {
					continue // no head in common
				}
				made += len(texts)
				for _, text := range texts {
					if strings.Contains(text, "[lemma=") { // these trees have no lemmas
						continue
					}
					c, err := x.Parse(text)
					if err != nil {
						return err
					}
					if hits, _, err := c.Finder(syms).Count(tree); err != nil || hits == 0 {
						t.Fatalf("%s has %d hits in its own tree; %v", text, hits, err)
					}
				}
			}
			return nil
		})
		if err != nil || made < 50 {
			t.Errorf("%d patterns, %v", made, err)
		}
	}
}
