// Package spacetest checks a space against brute force: growth, codes and their text, the matcher and the
// kernel. It is for tests.
//
// Where to start reading: case.go has Case, which a test fills, and run.go has Run. Each other file checks the
// part of a space that it is named after.
package spacetest

import (
	"bytes"
	"errors"
	"iter"
	"slices"
	"strings"
	"testing"

	"fstore/index"
	"fstore/index/brute"
)

// Case is a space, and samples to check it with.
type Case struct {
	Space   index.Space
	Trees   []*index.Tree // of at most 60 nodes or tokens each
	Symbols *index.Symbols
	// Brute finds every fragment of a sample by brute force. The key of a fragment in the map is its text.
	Brute func(t *index.Tree, lambda float64) map[string]*brute.Match
	// Additive is the value that the space must return, see index.Additive.
	Additive bool
	// New, if set, reads another sample, and interns its new symbols into the given symbols of the store.
	New func(*index.Symbols) *index.Tree
}

// row is what growth reports about one fragment.
type row struct {
	Order          int
	Support, Occ   uint32
	Samples, Count []uint32
	Places         []uint32
	A, B, Most     float64
}

// recorder is a visitor that keeps the rows of all batches.
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
			if x.Places = slices.Clone(b.PlacesOf(i)); x.Places == nil {
				x.Places = x.Count // all occurrences begin at different nodes
			}
		}
		if len(b.A) > 0 {
			x.A, x.B = b.A[i], b.B[i]
		}
		if len(b.Most) > 0 {
			x.Most = b.Most[i]
		}
		r.rows[text] = x
		r.codes = append(r.codes, c)
	}
	return nil
}

// grow grows the fragments in ranges. If perRange is set, the items for a range have only the parts of
// samples that this range needs.
func (c *Case) grow(t *testing.T, ranges []index.Range, w index.Weights, l index.Limits, perRange bool) (*recorder, index.Counts) {
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
		if perRange {
			it = items(r)
		}
		n, err := it.Grow(r, w, l, rec)
		if err != nil {
			t.Fatal(err)
		}
		counts.Add(n)
	}
	return rec, counts
}

// prefixes returns the codes that are proper prefixes of c, the shortest first.
func prefixes(c index.Code) iter.Seq[index.Code] {
	return func(yield func(index.Code) bool) {
		_, rest, _ := c.Next()
		for len(rest) > 0 && yield(c[:len(c)-len(rest)]) {
			_, rest, _ = rest.Next()
		}
	}
}

var everything = []index.Range{index.All}

// table returns the rows that growth without limits must report.
func (c *Case) table() map[string]row {
	table := map[string]row{}
	for id, tree := range c.Trees {
		for f, m := range c.Brute(tree, 1) {
			r := table[f]
			r.Order = m.Order
			r.Support++
			r.Occ += uint32(m.Count)
			r.Samples, r.Count = append(r.Samples, uint32(id)), append(r.Count, uint32(m.Count))
			r.Places = append(r.Places, uint32(m.Places))
			table[f] = r
		}
	}
	return table
}

// Options reads options as a user writes them after the name of a space: `unit=upos,max-gap=2`. The result is
// the argument of the space's function New.
func Options(text string) func(name string) []string {
	values := map[string][]string{}
	for kv := range strings.SplitSeq(text, ",") {
		if k, v, ok := strings.Cut(kv, "="); ok {
			values[k] = append(values[k], v)
		}
	}
	return func(name string) []string { return values[name] }
}

// Everything is a visitor that lets growth continue everywhere.
type Everything struct{}

// Visit implements index.Visitor.
func (Everything) Visit(b *index.Batch) error {
	for i := range b.Descend {
		b.Descend[i] = true
	}
	return nil
}

// Limited is a visitor that returns ErrLimit after `Left` more extensions.
type Limited struct {
	Left  int
	Codes []index.Code // what was visited
}

// ErrLimit says that the limit of a Limited visitor is reached.
var ErrLimit = errors.New("limit")

// Visit implements index.Visitor.
func (l *Limited) Visit(b *index.Batch) error {
	if l.Left -= b.Len(); l.Left < 0 {
		return ErrLimit
	}
	for i := range b.Len() {
		b.Descend[i] = true
		l.Codes = append(l.Codes, append(bytes.Clone(b.Parent), b.SuffixOf(i)...))
	}
	return nil
}
