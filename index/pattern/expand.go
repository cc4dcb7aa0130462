package pattern

import (
	"fstore/index"
	"fstore/index/glob"
)

// maxExpansions is the largest number of texts that Expand returns.
const maxExpansions = 64

// Expand returns patterns of stored fragments (index.Patterned) that together stand for p, or none if there
// would be too many. The texts leave out conditions on nodes. The second result says whether p has
// conditions.
func (p *Pattern) Expand(syms *index.Symbols) (texts []string, conditions bool) {
	g := &parts{p: p, most: maxExpansions, wild: true, im: index.Implied{Sides: true}, syms: syms, known: map[*names][]string{}}
	for _, n := range p.nodes {
		conditions = conditions || len(n.tests) > 1 || len(n.tests) == 1 && n.tests[0].field > Word && n.tests[0].field != UPOS
	}
	if p.kind == index.Dependency {
		texts = g.arcTexts(p.root, nil)
	} else {
		texts = g.wildBrackets(p.root)
	}
	if len(texts) > maxExpansions {
		return nil, conditions
	}
	return texts, conditions
}

// wildBrackets returns the texts of the subtree of node n, one for each choice of names.
func (g *parts) wildBrackets(n *node) []string {
	all := g.escaped(n.name(), "")
	if n.word {
		return all
	}
	all = g.join([]string{"("}, "", all)
	for i := range n.gaps {
		if n.gaps[i] && (n.rest || len(n.kids) > 0) {
			all = g.join(all, " ", []string{glob.Rest})
		}
		if i < len(n.kids) {
			all = g.join(all, " ", g.wildBrackets(n.kids[i]))
		}
	}
	return g.join(all, "", []string{")"})
}
