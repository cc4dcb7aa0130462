package pcfg

import (
	"maps"
	"slices"
)

// longestChain is how many unary rules may follow one another.
const longestChain = 3

// item is what is found over a span: a label, or the beginning of a right side. Edges lead to what
// it is made of.
type item struct {
	edges []edge
	label int // -1 of a beginning
	kbest
}

// edge is a way to make an item of others.
type edge struct {
	tails [2]*item
	n     int // of tails
	log   float64
	word  string // of a tag
}

// span is the items of a span: labels after every chain of unary rules, and beginnings.
type span struct {
	tops   map[int]*item // by label
	begins map[int]*item // by node of the trie
}

// chart finds the items of a sentence, and returns the goal; nil where the grammar has no tree of
// it.
func (g *Grammar) chart(words []string) *item {
	n := len(words)
	spans := make([][]span, n) // by beginning, and length less 1
	for from := range spans {
		spans[from] = make([]span, n-from)
	}
	for length := 1; length <= n; length++ {
		for from := 0; from+length <= n; from++ {
			s := &spans[from][length-1]
			s.begins = map[int]*item{}
			base := map[int]*item{}
			if length == 1 {
				for _, tag := range g.tags(words[from], from == 0) {
					base[tag.label] = &item{label: tag.label, edges: []edge{{log: tag.log, word: words[from]}}}
				}
			}
			for k := 1; k < length; k++ {
				g.join(s, &spans[from][k-1], &spans[from+k][length-k-1])
			}
			for _, at := range slices.Sorted(maps.Keys(s.begins)) {
				for _, end := range g.trie[at].ends {
					if base[end.label] == nil {
						base[end.label] = &item{label: end.label}
					}
					b := base[end.label]
					b.edges = append(b.edges, edge{tails: [2]*item{s.begins[at]}, n: 1, log: end.log})
				}
			}
			s.tops = g.chains(base)
		}
	}
	goal := &item{label: -1}
	tops := spans[0][n-1].tops
	for _, label := range slices.Sorted(maps.Keys(tops)) {
		if log, ok := g.root[label]; ok {
			goal.edges = append(goal.edges, edge{tails: [2]*item{tops[label]}, n: 1, log: log})
		}
	}
	if len(goal.edges) == 0 {
		return nil
	}
	return goal
}

// join makes the beginnings of s that end with a label over the second of two spans.
func (g *Grammar) join(s, first, second *span) {
	if len(second.tops) == 0 {
		return
	}
	labels := slices.Sorted(maps.Keys(second.tops))
	extend := func(at int, left *item) {
		for _, label := range labels {
			to, ok := g.trie[at].next[label]
			if !ok {
				continue
			}
			if s.begins[to] == nil {
				s.begins[to] = &item{label: -1}
			}
			b := s.begins[to]
			b.edges = append(b.edges, edge{tails: [2]*item{left, second.tops[label]}, n: 2})
		}
	}
	for _, label := range slices.Sorted(maps.Keys(first.tops)) {
		if at, ok := g.trie[0].next[label]; ok {
			extend(at, first.tops[label])
		}
	}
	for _, at := range slices.Sorted(maps.Keys(first.begins)) {
		extend(at, first.begins[at])
	}
}

// chains puts unary rules above what is found over a span, a level each, and returns what a label
// is over any of them: each tree is made in one way only.
func (g *Grammar) chains(base map[int]*item) map[int]*item {
	tops := map[int]*item{}
	for level := 0; len(base) > 0; level++ {
		next := map[int]*item{}
		for _, label := range slices.Sorted(maps.Keys(base)) {
			if tops[label] == nil {
				tops[label] = &item{label: -1}
			}
			tops[label].edges = append(tops[label].edges, edge{tails: [2]*item{base[label]}, n: 1})
			for _, u := range g.unaries[label] {
				if next[u.from] == nil {
					next[u.from] = &item{label: u.from}
				}
				next[u.from].edges = append(next[u.from].edges, edge{tails: [2]*item{base[label]}, n: 1, log: u.log})
			}
		}
		if base = next; level == longestChain {
			break
		}
	}
	return tops
}
