package contrast_test

import (
	"context"
	"fmt"
	"math"
	"math/bits"
	"math/rand/v2"
	"strings"
	"testing"

	"github.com/cockroachdb/pebble/v2/vfs"

	"fstore/index"
	"fstore/mine/contrast"
	"fstore/mine/query"
)

// inDocuments is a source that gives trees documents. Trees in d0 and some other documents have the label x,
// trees in further documents the label y. The last document, bothSides, has trees of both labels. Every
// twentieth tree has no document.
type inDocuments struct {
	source
	n, onA int
}

const bothSides = 13

func (s *inDocuments) Next(t *index.Tree) error {
	if err := s.source.Next(t); err != nil {
		return err
	}
	s.n++
	d := s.r.IntN(bothSides + 1)
	if s.n%3 == 0 {
		d /= 3 // some documents are larger
	}
	t.Document, t.Label = fmt.Sprint("d", d), "y"
	if d < s.onA || d == bothSides && s.n%2 == 0 {
		t.Label = "x"
	}
	if s.n%20 == 0 {
		t.Document = ""
	}
	return nil
}

// exactP tries all ways to choose as many documents as A has. It returns the share of ways in which the rates
// differ at least as much as they really do.
func exactP(sizes, hits []float64, onA int) float64 {
	rate := func(in uint) float64 {
		var w, h [2]float64
		for i := range sizes {
			side := in >> i & 1
			w[side] += sizes[i]
			h[side] += hits[i]
		}
		return math.Abs(h[0]/w[0] - h[1]/w[1])
	}
	all, atLeast := 0.0, 0.0
	for in := uint(0); in < 1<<len(sizes); in++ {
		if bits.OnesCount(in) != onA {
			continue
		}
		all++
		if rate(in) >= rate(1<<onA-1)-1e-12 {
			atLeast++
		}
	}
	return atLeast / all
}

// TestDocuments compares p-values, in each unit, with those over all ways to divide the documents. P-values
// from random ways must be close within the sampling error, and P-values from all ways must be equal.
func TestDocuments(t *testing.T) {
	for _, c := range []struct {
		count, per contrast.Unit
		n, onA     int
		exact      bool
	}{
		{contrast.Occurrences, contrast.Words, 1715, 6, true}, // there are 1,716 ways
		{contrast.Occurrences, contrast.Words, 1714, 6, false},
		{contrast.Occurrences, contrast.Words, 999, 6, false},
		{contrast.Sentences, contrast.Sentences, 999, 6, false},
		{contrast.Documents, contrast.Documents, 999, 6, false},
		{contrast.Occurrences, contrast.Documents, 4999, 4, true},
		{contrast.Sentences, contrast.Words, 999, 6, false},
	} {
		t.Run(fmt.Sprint(c.count, " per ", c.per, " ", c.n), func(t *testing.T) {
			testDocuments(t, contrast.Options{
				A: "x", Count: c.count, Per: c.per, MinDocs: -1, All: true, FS: vfs.NewMem(), TempDir: "sort",
				Documents: &contrast.DocumentTest{Permutations: c.n, Seed: 3, Wanted: func(_ *contrast.Contrast, r *contrast.Row) (bool, error) {
					return r.Order < 4, nil
				}},
			}, c.onA, c.exact)
		})
	}
}

func testDocuments(t *testing.T, o contrast.Options, onA int, exact bool) {
	tab := open(t, vfs.NewMem(), func(s *index.Symbols) (index.Source, error) {
		return &inDocuments{source: source{b: index.Builder{Symbols: s}, r: rand.New(rand.NewPCG(5, 1)), n: 160}, onA: onA}, nil
	})
	c, err := contrast.New(context.Background(), tab, o)
	if err != nil {
		t.Fatal(err)
	}
	n := c.Permutations
	if c.BothDocuments != 1 || c.WithoutDocument != 8 || c.AllDivisions != exact || !exact && n != o.Documents.Permutations {
		t.Errorf("%d documents on both sides, %d samples without, all divisions %v, %d permutations", c.BothDocuments, c.WithoutDocument, c.AllDivisions, n)
	}
	tests, rare, early := uint64(0), 0, 0
	err = c.Each(context.Background(), func(r *contrast.Row) error {
		if r.Order == 4 {
			if !math.IsNaN(r.P) || !math.IsNaN(r.Adjusted) {
				t.Errorf("%s was not to be tested: p %v", tab.Text(nil, r.Code), r.P)
			}
			return nil
		}
		tests++
		sizes, hits, err := byDocument(tab, &o, r.Code)
		want := exactP(sizes, hits, onA)
		// The tolerance is a multiple of the standard deviation of P over n permutations. If permuting
		// stopped early, there are only n / 10p.
		made := float64(n)
		if want > 0.1 {
			made = 0.1 * made / want
			early++
		} else {
			rare++
		}
		most := 5*math.Sqrt(want*(1-want)/made) + 2/made
		if exact {
			most = 1e-12
		}
		if diff := math.Abs(r.P - want); diff > most {
			t.Errorf("%s: p %v, exactly %v", tab.Text(nil, r.Code), r.P, want)
		}
		if r.P < 1/float64(n+1) || r.P > 1 {
			t.Errorf("%s: p %v", tab.Text(nil, r.Code), r.P)
		}
		return err
	})
	if err != nil || tests != c.Tests || rare < 3 || early < 3 {
		t.Fatal(tests, c.Tests, rare, early, err)
	}
	// The same seed gives the same p-values.
	again, err := contrast.New(context.Background(), tab, o)
	if err != nil {
		t.Fatal(err)
	}
	ps := func(c *contrast.Contrast) (all []float64) {
		if err := c.Each(context.Background(), func(r *contrast.Row) error { all = append(all, r.P); return nil }); err != nil {
			t.Fatal(err)
		}
		return all
	}
	for i, p := range ps(again) {
		if first := ps(c)[i]; p != first && !math.IsNaN(p) {
			t.Fatalf("row %d: %v, then %v", i, first, p)
		}
		if i > 20 {
			break
		}
	}
}

// byDocument reads all trees for the sizes of documents and the hits of a fragment in them.
func byDocument(tab *query.Table, o *contrast.Options, code index.Code) (sizes, hits []float64, err error) {
	sizes, hits = make([]float64, bothSides), make([]float64, bothSides)
	err = tab.Store().Samples(0, tab.Store().Meta().Samples, func(_ uint32, tree *index.Tree) error {
		var i int
		if _, err := fmt.Sscanf(tree.Document, "d%d", &i); err != nil || i == bothSides {
			return nil // trees without a document, or in a document on both sides
		}
		n := float64(len(tab.Space.Locate(tree, code, tab.Symbols())))
		switch o.Per {
		case contrast.Words:
			sizes[i] += float64(tree.Words())
		case contrast.Sentences:
			sizes[i]++
		default:
			sizes[i] = 1
		}
		switch {
		case o.Count == contrast.Occurrences:
			hits[i] += n
		case n > 0 && o.Count == contrast.Sentences:
			hits[i]++
		case n > 0:
			hits[i] = 1
		}
		return nil
	})
	return sizes, hits, err
}

func TestDocumentsRefused(t *testing.T) {
	tab := random(t, 2, false) // every document is on both sides
	_, err := contrast.New(context.Background(), tab, contrast.Options{A: "x", Documents: &contrast.DocumentTest{}, FS: vfs.NewMem(), TempDir: "sort"})
	if err == nil || !strings.Contains(err.Error(), "each side needs a document that is on no other (") {
		t.Error(err)
	}
	_, err = contrast.New(context.Background(), tab, contrast.Options{A: "x", Documents: &contrast.DocumentTest{Permutations: -1}})
	if err == nil || !strings.Contains(err.Error(), "permutations -1: at least one") {
		t.Error(err)
	}
}
