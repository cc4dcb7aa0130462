package ptk

import (
	"math"
	"slices"
	"testing"

	"fstore/index"
	"fstore/index/internal/spacetest"
)

// The obvious way: every subsequence of the children of every node.

// match is one match of a pattern in a tree.
type match struct {
	text   string
	nodes  index.Occurrence
	order  int
	leaves int // nodes of the pattern without children
	passed int // children passed over
}

// matchesAt lists the matches with the root at node i.
func matchesAt(t *index.Tree, s *index.Symbols, i int) []match {
	n := &t.Nodes[i]
	alone := match{nodes: index.Occurrence{int32(i)}, order: 1, leaves: 1}
	if n.Word {
		alone.text = string(index.AppendEscaped(nil, s.Bytes(index.Words, n.Sym)))
		return []match{alone}
	}
	label := string(index.AppendEscaped(nil, s.Bytes(index.Labels, n.Sym)))
	alone.text = "(" + label + ")"
	all := []match{alone}
	var kids []int
	for k := i + 1; k < i+int(n.Size); k += int(t.Nodes[k].Size) {
		kids = append(kids, k)
	}
	for chosen := 1; chosen < 1<<len(kids); chosen++ {
		some := []match{{text: "(" + label, nodes: index.Occurrence{int32(i)}, order: 1}}
		last := -1
		for at, k := range kids {
			if chosen>>at&1 == 0 {
				continue
			}
			passed := 0
			if last >= 0 {
				passed = at - last - 1
			}
			last = at
			var next []match
			for _, m := range some {
				for _, below := range matchesAt(t, s, k) {
					next = append(next, match{
						text: m.text + " " + below.text, nodes: slices.Concat(m.nodes, below.nodes),
						order: m.order + below.order, leaves: m.leaves + below.leaves, passed: m.passed + passed + below.passed,
					})
				}
			}
			some = next
		}
		for _, m := range some {
			m.text += ")"
			all = append(all, m)
		}
	}
	return all
}

// brute lists the patterns of t, by text.
func brute(space *Space, t *index.Tree, s *index.Symbols, lambda float64) map[string]*spacetest.Match {
	all := map[string]*spacetest.Match{}
	for i := range t.Nodes {
		for _, m := range matchesAt(t, s, i) {
			x := all[m.text]
			if x == nil {
				x = &spacetest.Match{Order: m.order}
				all[m.text] = x
			}
			x.Count++
			x.Value += math.Pow(space.mu, float64(m.order)/2) * math.Pow(lambda, float64(m.leaves+m.passed))
			slices.Sort(m.nodes)
			x.Where = append(x.Where, spacetest.Place(m.nodes))
		}
	}
	return all
}

func newSpace(t testing.TB, mu ...string) *Space {
	t.Helper()
	s, err := New(func(string) []string { return mu })
	if err != nil {
		t.Fatal(err)
	}
	return s
}

// eachCase calls f with random treebanks, of two alphabets and of one, and two μ.
func eachCase(t *testing.T, f func(*testing.T, *spacetest.Case)) {
	for _, mu := range []string{"0.4", "0.9"} {
		space := newSpace(t, mu)
		of := func(t *index.Tree, syms *index.Symbols, lambda float64) map[string]*spacetest.Match {
			return brute(space, t, syms, lambda)
		}
		for _, shape := range []spacetest.Shape{spacetest.Brackets, spacetest.OneAlphabet} {
			spacetest.EachCorpus(t, space, shape, 10, 9, of, f)
		}
	}
}

func TestSpace(t *testing.T) {
	eachCase(t, func(t *testing.T, c *spacetest.Case) {
		c.Additive = true
		c.Run(t)
	})
}
