package pattern

import (
	"slices"
	"strings"

	"fstore/index/glob"
)

// Slots are the nodes that are written _, with conditions or without, by their place in the text
// from 0.
func (p *Pattern) Slots() (all []int) {
	for i, n := range p.nodes {
		if name, _, _ := strings.Cut(n.text, "["); name == glob.Wildcard {
			all = append(all, i)
		}
	}
	return all
}

// Alone is the pattern of one node wherever it stands, with the conditions that are its own: not its
// arc, nor what hangs on it. With a word in brackets goes the label above it, as a word is what its
// label has. at is the node's place in a hit.
func (p *Pattern) Alone(number int) (alone *Pattern, at int) {
	n := p.nodes[number]
	own := &node{text: n.text, word: n.word, tests: n.tests, gaps: []bool{true}}
	alone = &Pattern{Text: n.text, kind: p.kind, oneAlphabet: p.oneAlphabet, root: own, nodes: []*node{own}}
	i := slices.IndexFunc(p.nodes, func(m *node) bool { return slices.Contains(m.kids, n) })
	if !n.word || i < 0 {
		return alone, 0
	}
	above := &node{text: p.nodes[i].text, tests: p.nodes[i].tests, kids: []*node{own}, gaps: []bool{true, true}}
	own.number = 1
	alone.Text = "(" + above.text + " ... " + n.text + " ...)"
	alone.root, alone.nodes = above, []*node{above, own}
	return alone, 1
}
