package bench

import (
	"bytes"
	"fmt"
	"maps"
	"slices"
	"strings"
	"testing"

	"fstore/index"
	"fstore/index/spaces"
)

// depTotals has the counts that growth finds in a dep space.
type depTotals struct{ distinct, occurrences, once, support int }

func (d *depTotals) Visit(b *index.Batch) error {
	for i := range b.Len() {
		b.Descend[i] = true
		d.distinct++
		d.occurrences += int(b.Occ[i])
		if b.Occ[i] == 1 {
			d.once++
		}
		d.support += int(b.Support[i])
	}
	return nil
}

func parseSpace(t testing.TB, name string) index.Space {
	t.Helper()
	req, err := spaces.Parse(name)
	if err != nil {
		t.Fatal(err)
	}
	return req.Space
}

// grown grows a space over a treebank, without keeping samples.
func grown(t testing.TB, space index.Space, trees []*index.Tree, s *index.Symbols, l index.Limits, v index.Visitor) {
	t.Helper()
	it := space.NewItems(s)
	for id, tree := range trees {
		index.Prepare(space, tree, s)
		it.Add(uint32(id), tree, index.All, l)
	}
	it.Seal()
	if _, err := it.Grow(index.All, index.Weights{}, l, v); err != nil {
		t.Fatal(err)
	}
}

// The counts of subtrees in English-EWT dev agree with STARK 3.1.0 and with an independent script. Sizes are
// in nodes. Single nodes are included, though they are no fragments here. Seen once means one occurrence.
//
// With a direction in the template, a code keeps the order of the children of each node, and on which side of
// its head each child stands. The full surface order of all nodes divides four more fragments of two arcs,
// and sixteen of up to three arcs. These are chains in which a grandchild stands beyond its grandparent.
// Occurrences agree.
func TestDepCountsAreSTARKs(t *testing.T) {
	trees, s := readAll(t, "ud/en_ewt-ud-dev.conllu.gz")
	nodes := depTotals{}
	seen := map[uint32]int{}
	for _, tree := range trees {
		in := map[uint32]bool{}
		for i := range tree.Tokens {
			tag := tree.Tokens[i].UPOS
			seen[tag]++
			in[tag] = true
		}
		nodes.occurrences += len(tree.Tokens)
		nodes.support += len(in)
	}
	for _, n := range seen {
		nodes.distinct++
		if n == 1 {
			nodes.once++
		}
	}
	for _, c := range []struct {
		space string
		size  int
		want  depTotals
	}{
		{"dep:siblings=any,ordered=false,template=rel+h.upos+m.upos", 3, depTotals{6_436, 94_673, 2_965, 72_895}},
		{"dep:siblings=any,ordered=false,template=rel+h.upos+m.upos", 4, depTotals{40_663, 198_503, 23_801, 164_366}},
		{"dep:siblings=any,ordered=false,template=rel+h.upos+m.upos", 5, depTotals{176_700, 443_270, 121_352, 373_764}},
		{"dep:siblings=any,template=rel+h.upos+m.upos+dir", 3, depTotals{7_960 - 4, 94_673, 0, 0}},
		{"dep:siblings=any,template=rel+h.upos+m.upos+dir", 4, depTotals{49_615 - 16, 198_503, 0, 0}},
	} {
		space := parseSpace(t, c.space)
		got := nodes
		grown(t, space, trees, s, index.Limits{MaxOrder: c.size - 1, NoSamples: true}, &got)
		if c.want.once == 0 {
			t.Logf("%s: %d once, %d samples", c.space, got.once, got.support)
			got.once, got.support = 0, 0
		}
		if got != c.want {
			t.Errorf("%s, up to %d nodes: %+v, want %+v", c.space, c.size, got, c.want)
		}
	}
}

// With the full surface order there are four more different trees of up to three nodes. All of them are
// chains of two arcs that differ only in where the grandchild stands: between its head and its grandparent,
// or beyond its grandparent.
func TestDepSurfaceOrder(t *testing.T) {
	trees, s := readAll(t, "ud/en_ewt-ud-dev.conllu.gz")
	surface := map[string]bool{}           // trees by the places of the ends of their arcs
	marked := map[string]map[string]bool{} // the same trees by the data that dep with directions keeps
	add := func(tree *index.Tree, arcs ...int) {
		nodes := map[int]bool{}
		for _, m := range arcs {
			nodes[m], nodes[int(tree.Tokens[m].Head)-1] = true, true
		}
		places := slices.Sorted(maps.Keys(nodes))
		var full, kept []string
		for _, p := range places {
			full = append(full, s.Text(index.Words, tree.Tokens[p].UPOS))
		}
		for _, m := range arcs {
			k, h := &tree.Tokens[m], int(tree.Tokens[m].Head)-1
			rel := s.Text(index.Words, k.Rel)
			full = append(full, fmt.Sprint(slices.Index(places, h), rel, slices.Index(places, m)))
			kept = append(kept, fmt.Sprint(s.Text(index.Words, tree.Tokens[h].UPOS), rel, s.Text(index.Words, k.UPOS), m < h))
		}
		if chain := len(arcs) == 2 && int(tree.Tokens[arcs[1]].Head)-1 == arcs[0]; chain {
			kept = append(kept, "chain")
		}
		slices.Sort(full[len(places):])
		f, k := fmt.Sprint(full), fmt.Sprint(kept)
		surface[f] = true
		if marked[k] == nil {
			marked[k] = map[string]bool{}
		}
		marked[k][f] = true
	}
	for _, tree := range trees {
		for m := range tree.Tokens {
			if tree.Tokens[m].Head == 0 {
				continue
			}
			add(tree, m)
			for c := range tree.Tokens {
				switch h := int(tree.Tokens[c].Head); {
				case h == m+1, h == int(tree.Tokens[m].Head) && c > m:
					add(tree, m, c)
				}
			}
		}
	}
	if len(surface) != 7_960-17 || len(marked) != 7_956-17 {
		t.Errorf("%d and %d, want %d and %d", len(surface), len(marked), 7_960-17, 7_956-17)
	}
	for k, all := range marked {
		if len(all) > 1 && !strings.Contains(k, "chain") {
			t.Errorf("%s is no chain: %v", k, all)
		}
	}
}

// The counts also agree on English-EWT train.
func TestDepCountsOfTrain(t *testing.T) {
	trees, s := readAll(t, "ud/en_ewt-ud-train.conllu.gz")
	for _, c := range []struct {
		space                 string
		size                  int
		distinct, occurrences int
	}{
		{"dep:siblings=any,ordered=false,template=rel+h.upos+m.upos", 3, 17_864, 801_355},
		{"dep:siblings=any,ordered=false,template=rel+h.upos+m.upos", 4, 158_227, 1_769_016},
	} {
		got := depTotals{}
		seen := map[uint32]bool{}
		for _, tree := range trees {
			for i := range tree.Tokens {
				seen[tree.Tokens[i].UPOS] = true
				got.occurrences++
			}
		}
		got.distinct = len(seen)
		grown(t, parseSpace(t, c.space), trees, s, index.Limits{MaxOrder: c.size - 1, NoSamples: true}, &got)
		if got.distinct != c.distinct || got.occurrences != c.occurrences {
			t.Errorf("%s, up to %d nodes: %d and %d, want %d and %d", c.space, c.size, got.distinct, got.occurrences, c.distinct, c.occurrences)
		}
	}
	// These numbers are from the first measured program, which distinguished left and right dependents. The
	// last number is without this distinction.
	const marked = "dep:siblings=any,template=rel+h.upos+m.upos+dir"
	for _, c := range []struct {
		space   string
		support uint32
		order   int
		want    int
	}{{marked, 1, 4, 1_210_382}, {marked, 2, 4, 345_706}, {marked, 1, 5, 5_120_715}, {"dep:siblings=any,template=rel+h.upos+m.upos", 1, 4, 1_100_028}} {
		got := depTotals{}
		grown(t, parseSpace(t, c.space), trees, s, index.Limits{MinSupport: c.support, MaxOrder: c.order, NoSamples: true}, &got)
		if got.distinct != c.want {
			t.Errorf("%s, support ≥ %d, order ≤ %d: %d features, want %d", c.space, c.support, c.order, got.distinct, c.want)
		}
	}
}

// The templates in table 1 of Qian & Liu give 49.7 features for each arc, and 1.63 million features on
// English-EWT train.
func TestQianLiuFeatures(t *testing.T) {
	trees, s := readAll(t, "ud/en_ewt-ud-train.conllu.gz")
	space := parseSpace(t, "dep:siblings=adjacent,templates=qian-liu")
	got := depTotals{}
	grown(t, space, trees, s, index.Limits{MaxOrder: 1, NoSamples: true}, &got)
	arcs := 0
	for _, tree := range trees {
		for i := range tree.Tokens {
			if tree.Tokens[i].Head != 0 {
				arcs++
			}
		}
	}
	if perArc := float64(got.occurrences) / float64(arcs); arcs != 192_033 || perArc < 49.65 || perArc >= 49.75 || got.distinct != 1_631_236 {
		t.Errorf("%d arcs, %.2f features each, %d distinct", arcs, perArc, got.distinct)
	}
}

// codesOf is a visitor that keeps codes.
type codesOf struct{ loaded }

func (c *codesOf) Visit(b *index.Batch) error {
	for i := range b.Len() {
		b.Descend[i] = true
		c.codes = append(c.codes, append(slices.Clone(b.Parent), b.SuffixOf(i)...))
	}
	return nil
}

// BenchmarkDepMine measures the way from trees in memory to fragments, on one core.
func BenchmarkDepMine(b *testing.B) {
	eachDep(b, func(b *testing.B, space index.Space, l index.Limits) {
		trees, s := readAll(b, "ud/en_ewt-ud-train.conllu.gz")
		it := space.NewItems(s)
		for id, tree := range trees {
			index.Prepare(space, tree, s)
			it.Add(uint32(id), tree, index.All, l)
		}
		it.Seal()
		var c counter
		for b.Loop() {
			c = counter{}
			if _, err := it.Grow(index.All, index.Weights{}, l, &c); err != nil {
				b.Fatal(err)
			}
		}
		b.ReportMetric(float64(c.fragments), "fragments")
		b.ReportMetric(b.Elapsed().Seconds()*1e9/float64(b.N)/float64(c.fragments), "ns/fragment")
	})
}

func BenchmarkDepWalk(b *testing.B) {
	eachDep(b, func(b *testing.B, space index.Space, l index.Limits) {
		trees, s := readAll(b, "ud/en_ewt-ud-dev.conllu.gz")
		var c codesOf
		grown(b, space, trees, s, l, &c)
		slices.SortFunc(c.codes, func(a, b index.Code) int { return bytes.Compare(a, b) })
		m := space.NewMatcher(expansionOf(b, &c.loaded, space, s), s, 1)
		hits := 0
		for b.Loop() {
			hits = 0
			for _, t := range trees {
				h, err := m.Match(t, 0)
				if err != nil {
					b.Fatal(err)
				}
				hits += len(h)
			}
		}
		perSecond(b, hits, "Mhits/s")
	})
}

func eachDep(b *testing.B, f func(*testing.B, index.Space, index.Limits)) {
	b.Run("any", func(b *testing.B) {
		f(b, parseSpace(b, "dep:siblings=any,template=rel+h.upos+m.upos"), index.Limits{MaxOrder: 4})
	})
	b.Run("any-unordered", func(b *testing.B) {
		f(b, parseSpace(b, "dep:siblings=any,ordered=false,template=rel+h.upos+m.upos"), index.Limits{MaxOrder: 4})
	})
	b.Run("qian-liu", func(b *testing.B) {
		f(b, parseSpace(b, "dep:siblings=adjacent,templates=qian-liu"), index.Limits{MinSupport: 3, MaxOrder: 2})
	})
}
