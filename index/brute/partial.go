package brute

import (
	"math"
	"slices"

	"fstore/index"
)

// partialTree is one match of a pattern in a tree.
type partialTree struct {
	text   string
	nodes  index.Occurrence
	order  int
	leaves int // nodes of the pattern without children
	passed int // children skipped
}

// PartialTrees lists the matches of the space `ptk`: every subsequence of the children of every node.
func PartialTrees(mu float64, t *index.Tree, s *index.Symbols, lambda float64) map[string]*Match {
	all := matches{}
	for i := range t.Nodes {
		for _, m := range partialTrees(t, s, i) {
			slices.Sort(m.nodes)
			value := math.Pow(mu, float64(m.order)/2) * math.Pow(lambda, float64(m.leaves+m.passed))
			all.addAt(int32(i), m.text, m.order, value, m.nodes)
		}
	}
	return all
}

// partialTrees lists the matches with the root at node i.
func partialTrees(t *index.Tree, s *index.Symbols, i int) []partialTree {
	n := &t.Nodes[i]
	alone := partialTree{nodes: index.Occurrence{int32(i)}, order: 1, leaves: 1}
	if n.Word {
		alone.text = string(index.AppendEscaped(nil, s.Bytes(index.Words, n.Sym)))
		return []partialTree{alone}
	}
	label := string(index.AppendEscaped(nil, s.Bytes(index.Labels, n.Sym)))
	alone.text = "(" + label + ")"
	all := []partialTree{alone}
	var kids []int
	for k := i + 1; k < i+int(n.Size); k += int(t.Nodes[k].Size) {
		kids = append(kids, k)
	}
	for chosen := 1; chosen < 1<<len(kids); chosen++ {
		some := []partialTree{{text: "(" + label, nodes: index.Occurrence{int32(i)}, order: 1}}
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
			var next []partialTree
			for _, m := range some {
				for _, below := range partialTrees(t, s, k) {
					next = append(next, partialTree{
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
