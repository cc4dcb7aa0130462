package query_test

import (
	"bytes"
	"context"
	"errors"
	"fmt"
	"io"
	"math/rand/v2"
	"strings"
	"testing"

	"github.com/cockroachdb/pebble/v2/vfs"

	"fstore/index"
	"fstore/index/spaces"
	"fstore/mine/builder"
	"fstore/mine/query"
	"fstore/store"
)

// source yields n random trees over few symbols.
type source struct {
	b     index.Builder
	r     *rand.Rand
	n     int
	words []string
}

func (s *source) Next(t *index.Tree) error {
	if s.n--; s.n < 0 {
		return io.EOF
	}
	s.b.Start(t, false)
	size := 3 + s.r.IntN(14)
	s.grow(&size, 0)
	t.Name = fmt.Sprint(s.n)
	t.Label = []string{"", "x", "y", "x,y"}[s.r.IntN(4)]
	return nil
}

func (s *source) grow(size *int, depth int) {
	*size--
	label := "ABC"[s.r.IntN(3)]
	s.b.Open([]byte{label})
	if label == 'C' { // always the same children, so that some fragments are not closed
		s.b.Open([]byte("D"))
		s.b.Word([]byte("w"))
		s.b.Close()
		s.b.Close()
		return
	}
	for kids := s.r.IntN(3); kids > 0 && *size > 0 && depth < 5; kids-- {
		if s.r.IntN(3) == 0 {
			s.b.Word([]byte(s.words[s.r.IntN(len(s.words))]))
			continue
		}
		s.grow(size, depth+1)
	}
	s.b.Close()
}

// table returns a table of a space over random trees.
func table(t *testing.T, space string) *query.Table {
	return tableOf(t, space, func(s *index.Symbols) index.Source {
		return &source{b: index.Builder{Symbols: s}, r: rand.New(rand.NewPCG(5, 5)), n: 80, words: []string{"u", "v"}}
	})
}

// tableOf builds a store of a space with fragments of any order, and opens its table.
func tableOf(t *testing.T, space string, trees func(*index.Symbols) index.Source) *query.Table {
	t.Helper()
	r, err := spaces.Parse(space)
	if err != nil {
		t.Fatal(err)
	}
	fs := vfs.NewMem()
	_, err = builder.Run(context.Background(), "s", builder.Options{
		FS: fs, Spaces: builder.Choice{Spaces: []spaces.Request{r}, MaxOrder: new(int)},
		Source: func(s *index.Symbols) (index.Source, error) { return trees(s), nil },
		Event:  func() store.Event { return store.Event{} },
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

// rows returns all rows of a table.
func rows(t *testing.T, tab *query.Table) (all []*query.Row) {
	t.Helper()
	err := tab.Each(context.Background(), func(r *query.Row) error {
		if err := tab.CountLabels(r); err != nil {
			return err
		}
		c := *r
		c.Code, c.ByLabel = bytes.Clone(r.Code), append([]uint32(nil), r.ByLabel...)
		all = append(all, &c)
		return nil
	})
	if err != nil || len(all) == 0 {
		t.Fatal(len(all), err)
	}
	return all
}

// The numbers of a fragment are the same as by a search in every sample. Parsing its text gives its code.
func TestNumbers(t *testing.T) {
	for _, space := range []string{"stk", "st", "sstbow", "ptk"} {
		tab := table(t, space)
		for k, r := range rows(t, tab) {
			var support, occurrences uint32
			byLabel := make([]uint32, len(tab.Labels))
			err := tab.Store().Samples(0, tab.Store().Meta().Samples, func(_ uint32, tree *index.Tree) error {
				n := len(tab.Space.Locate(tree, r.Code, tab.Symbols()))
				if n == 0 {
					return nil
				}
				support++
				occurrences += uint32(n)
				for i, label := range tab.Labels {
					if strings.Contains(tree.Label, label) {
						byLabel[i]++
					}
				}
				return nil
			})
			text := string(tab.Text(nil, r.Code))
			if err != nil || r.ID != uint32(k+1) || r.Support != support || r.Occurrences != occurrences || fmt.Sprint(r.ByLabel) != fmt.Sprint(byLabel) {
				t.Errorf("%s: %+v; %d in %d samples, by label %v, %v", text, r, occurrences, support, byLabel, err)
			}
			code, err := tab.Parse(text)
			if err != nil || !bytes.Equal(code, r.Code) {
				t.Errorf("%s: %x, %v", text, code, err)
			}
		}
	}
}

// The page of a fragment lists its parts and its expansions, each sorted by support. An expansion has the
// same root and has the fragment as a part.
func TestPage(t *testing.T) {
	tab := table(t, "stk")
	expansions := map[string]int{}
	for _, r := range rows(t, tab) {
		p, err := tab.Page(context.Background(), r.Code, 3)
		if err != nil || p.Closure || p.Row.ID != r.ID || len(p.Expansions) != min(3, p.AllExpansions) {
			t.Fatalf("%+v, %v", p, err)
		}
		expansions[string(r.Code)] = p.AllExpansions
		last := ^uint32(0)
		for _, x := range p.Expansions {
			if x.Order != r.Order+1 || x.Support > r.Support || x.Support > last {
				t.Errorf("%s: expansion %s, support %d", tab.Text(nil, r.Code), tab.Text(nil, x.Code), x.Support)
			}
			last = x.Support
		}
	}
	for _, r := range rows(t, tab) {
		parts, err := tab.Parts(r.Code)
		if err != nil {
			t.Fatal(err)
		}
		for _, p := range parts {
			if p.Order != r.Order-1 || p.Support < r.Support {
				t.Errorf("%s: part %s, support %d", tab.Text(nil, r.Code), tab.Text(nil, p.Code), p.Support)
			}
			if first(p.Code) == first(r.Code) {
				expansions[string(p.Code)]--
			}
		}
	}
	for c, n := range expansions {
		if n != 0 {
			t.Errorf("%s: %d expansions that it is no part of", tab.Text(nil, index.Code(c)), n)
		}
	}
}

func first(c index.Code) index.Step {
	s, _, _ := c.Next()
	return s
}

// In a table of closed fragments, every frequent fragment has a closure, which occurs as often as the
// fragment.
func TestClosure(t *testing.T) {
	all, closed := table(t, "stk"), table(t, "stk:closed")
	n := 0
	for _, r := range rows(t, all) {
		p, err := closed.Page(context.Background(), r.Code, 1)
		if err != nil {
			t.Errorf("%s: %v", all.Text(nil, r.Code), err)
			continue
		}
		if p.Row.Support != r.Support || p.Row.Occurrences != r.Occurrences || p.Closure == bytes.Equal(p.Row.Code, r.Code) {
			t.Errorf("%s: %+v, its closure is %s: %+v", all.Text(nil, r.Code), r, all.Text(nil, p.Row.Code), p.Row)
		}
		if p.Closure {
			n++
		}
	}
	if n == 0 {
		t.Error("everything is closed")
	}
}

// The error for a fragment that is not stored says why it is not.
func TestAbsent(t *testing.T) {
	tab := table(t, "stk")
	var absent *query.AbsentError
	var text *query.TextError
	if _, err := tab.Parse("(NP (DT))"); !errors.As(err, &absent) {
		t.Error(err)
	}
	if _, err := tab.Parse("(A"); !errors.As(err, &text) {
		t.Error(err)
	}
	// All productions of this text occur, but the tree does not.
	for _, r := range rows(t, tab) {
		label := string(tab.Text(nil, r.Code))[1:2]
		if string(tab.Text(nil, r.Code)) != "("+label+" ("+label+"))" {
			continue
		}
		deep, err := tab.Parse(strings.Repeat("("+label+" ", 30) + "(" + label + ")" + strings.Repeat(")", 30))
		if err == nil {
			_, err = tab.Page(context.Background(), deep, 0)
		}
		if !errors.As(err, &absent) || !strings.Contains(err.Error(), "space stk, support ≥ 2, any order") {
			t.Error(err)
		}
	}
	if id, others, err := query.SampleID(context.Background(), tab.Store(), "7"); err != nil || others != 0 || id != 72 {
		t.Error(id, others, err)
	}
	if _, _, err := query.SampleID(context.Background(), tab.Store(), "80"); !errors.Is(err, store.ErrNotFound) {
		t.Error(err)
	}
}

// When the context ends, reading many rows ends.
func TestInterrupted(t *testing.T) {
	tab := table(t, "stk:closed")
	ctx, cancel := context.WithCancel(context.Background())
	cancel()
	some := bytes.Clone(rows(t, tab)[0].Code)
	for what, f := range map[string]func() error{
		"each":    func() error { return tab.Each(ctx, tab.CountLabels) },
		"page":    func() error { _, err := tab.Page(ctx, some, 0); return err },
		"closure": func() error { _, err := tab.Closure(ctx, some); return err },
		"sample":  func() error { _, _, err := query.SampleID(ctx, tab.Store(), "7"); return err },
	} {
		if err := f(); !errors.Is(err, context.Canceled) {
			t.Errorf("%s: %v", what, err)
		}
	}
}
