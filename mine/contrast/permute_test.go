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
)

// inDocuments gives trees documents: d0 to d2 have the label x, d3 to d7 the label y, and those
// of d8 either.
type inDocuments struct {
	source
	n int
}

func (s *inDocuments) Next(t *index.Tree) error {
	if err := s.source.Next(t); err != nil {
		return err
	}
	s.n++
	t.Document, t.Label = fmt.Sprint("d", s.n%9), "y"
	if s.n%9 < 3 || s.n%9 == 8 && s.n%2 == 0 {
		t.Label = "x"
	}
	return nil
}

// p is the share of all ways to choose three of the eight documents, by which the rates differ by
// at least as much as they do.
func exactP(words, hits [8]float64) float64 {
	rate := func(in uint) float64 {
		var w, h [2]float64
		for i := range words {
			side := in >> i & 1
			w[side] += words[i]
			h[side] += hits[i]
		}
		return math.Abs(h[0]/w[0] - h[1]/w[1])
	}
	all, atLeast := 0.0, 0.0
	for in := uint(0); in < 1<<8; in++ {
		if bits.OnesCount(in) != 3 {
			continue
		}
		all++
		if rate(in) >= rate(0b111)-1e-12 {
			atLeast++
		}
	}
	return atLeast / all
}

func TestDocuments(t *testing.T) {
	tab := open(t, vfs.NewMem(), func(s *index.Symbols) (index.Source, error) {
		return &inDocuments{source: source{b: index.Builder{Symbols: s}, r: rand.New(rand.NewPCG(5, 1)), n: 120}}, nil
	})
	const n = 4999
	test := &contrast.DocumentTest{Permutations: n, Seed: 3, Wanted: func(_ *contrast.Contrast, r *contrast.Row) (bool, error) {
		return r.Order < 4, nil
	}}
	o := contrast.Options{A: "x", MinDocs: -1, Documents: test, All: true, FS: vfs.NewMem(), TempDir: "sort"}
	c, err := contrast.New(context.Background(), tab, o)
	if err != nil {
		t.Fatal(err)
	}
	if c.BothDocuments != 1 {
		t.Errorf("%d documents on both sides, want 1", c.BothDocuments)
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
		var words, hits [8]float64
		err := tab.Store().Samples(0, tab.Store().Meta().Samples, func(_ uint32, tree *index.Tree) error {
			if i := strings.Index("01234567", tree.Document[1:]); i >= 0 {
				words[i] += float64(tree.Words())
				hits[i] += float64(len(tab.Space.Locate(tree, r.Code, tab.Symbols())))
			}
			return nil
		})
		want := exactP(words, hits)
		// Of n permutations b have a standard deviation; where permuting stopped, of 500 / p.
		made := float64(n)
		if want > 0.1 {
			made = 0.1 * n / want
			early++
		} else {
			rare++
		}
		if diff := math.Abs(r.P - want); diff > 5*math.Sqrt(want*(1-want)/made)+2/made {
			t.Errorf("%s: p %v, exactly %v", tab.Text(nil, r.Code), r.P, want)
		}
		if r.P < 1.0/(n+1) || r.P > 1 {
			t.Errorf("%s: p %v", tab.Text(nil, r.Code), r.P)
		}
		return err
	})
	if err != nil || tests != c.Tests || rare < 3 || early < 3 {
		t.Fatal(tests, c.Tests, rare, early, err)
	}
	// The same seed gives the same.
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
