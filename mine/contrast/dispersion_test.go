package contrast_test

import (
	"context"
	"math"
	"math/rand/v2"
	"slices"
	"strings"
	"testing"

	"github.com/cockroachdb/pebble/v2/vfs"

	"fstore/index"
	"fstore/mine/contrast"
	"fstore/mine/query"
)

// spreadOf has counts of a fragment on one side: its places in all and in each document, and the words of
// each document.
type spreadOf struct {
	places     uint64
	byDocument map[string]float64
	words      map[string]float64
}

func spread(t *testing.T, tab *query.Table, code index.Code, on func(label string) bool) spreadOf {
	t.Helper()
	x := spreadOf{byDocument: map[string]float64{}, words: map[string]float64{}}
	err := tab.Store().Samples(0, tab.Store().Meta().Samples, func(_ uint32, tree *index.Tree) error {
		if !on(tree.Label) {
			return nil
		}
		x.words[tree.Document] += float64(tree.Words())
		roots := map[int32]bool{}
		for _, o := range tab.Space.Locate(tree, code, tab.Symbols()) {
			roots[o[0]] = true // in preorder the root is the first node
		}
		x.places += uint64(len(roots))
		x.byDocument[tree.Document] += float64(len(roots))
		return nil
	})
	if err != nil {
		t.Fatal(err)
	}
	return x
}

// dp returns DP as Gries (2008) defines it, over all documents that have a name. A document without words
// does not belong to a corpus, so it is not the smallest document.
func (x *spreadOf) dp() (dp, norm float64) {
	words, hits, smallest := 0.0, 0.0, math.Inf(1)
	for document, n := range x.words {
		if document != "" {
			words, hits = words+n, hits+x.byDocument[document]
			if n > 0 {
				smallest = min(smallest, n)
			}
		}
	}
	for document, n := range x.words {
		if document != "" {
			dp += math.Abs(n/words-x.byDocument[document]/hits) / 2
		}
	}
	return dp, min(1, dp/(1-smallest/words))
}

// Places and dispersion of both sides are the same as by brute force. In a space in which several occurrences
// can begin at one node, places are counted by default.
func TestPlacesAndDispersion(t *testing.T) {
	tab := openSpace(t, vfs.NewMem(), "emb", func(s *index.Symbols) (index.Source, error) {
		return &source{b: index.Builder{Symbols: s}, r: rand.New(rand.NewPCG(3, 1)), n: 40}, nil
	})
	on := []func(string) bool{func(l string) bool { return hasLabel(l, "x") }, func(l string) bool { return !hasLabel(l, "x") }}
	fewer, checked := 0, 0
	c, err := contrast.New(context.Background(), tab, contrast.Options{A: "x", All: true, MinDocs: 2, FS: vfs.NewMem(), TempDir: "sort"})
	if err != nil {
		t.Fatal(err)
	}
	if c.Options.Count != contrast.Places || c.MinDocs != 2 || c.Few == 0 {
		t.Fatalf("counts %s, at least %d documents, %d left out", c.Options.Count, c.MinDocs, c.Few)
	}
	err = c.Each(context.Background(), func(r *contrast.Row) error {
		if checked++; checked%7 != 0 { // brute force is slow
			return nil
		}
		freq := []uint64{r.FreqA, r.FreqB}
		documents := 0
		for i := range on {
			x := spread(t, tab, r.Code, on[i])
			for document, n := range x.byDocument {
				if document != "" && n > 0 {
					documents++
				}
			}
			if freq[i] != x.places {
				t.Fatalf("%s: %d places on side %d, want %d", tab.Text(nil, r.Code), freq[i], i, x.places)
			}
			dp, norm := x.dp()
			d := r.Dispersion(i == 1)
			if !near(d.DP(), dp) && !(math.IsNaN(dp) && math.IsNaN(d.DP())) || !near(d.DPNorm(), norm) && !(math.IsNaN(norm) && math.IsNaN(d.DPNorm())) {
				t.Fatalf("%s: DP %v, normed %v on side %d, want %v, %v", tab.Text(nil, r.Code), d.DP(), d.DPNorm(), i, dp, norm)
			}
		}
		if documents < 2 {
			t.Fatalf("%s has a row, and is in %d documents", tab.Text(nil, r.Code), documents)
		}
		if r.FreqA+r.FreqB < uint64(r.Occurrences) {
			fewer++
		}
		return nil
	})
	if err != nil || fewer == 0 {
		t.Fatal(fewer, err)
	}
}

func hasLabel(labels, label string) bool { return slices.Contains(strings.Split(labels, ","), label) }
