package pattern

import (
	"fstore/index"
	"fstore/index/glob"
)

// maxExpansions is how many texts a pattern may stand for in Expand.
const maxExpansions = 64

// Expand returns the patterns of stored fragments (index.Patterned) that p stands for: in each, a
// name is one name or any, and a dependent on one side. conditions says that p has conditions on
// nodes, which these leave out. It returns none where there would be too many.
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

// wildBrackets writes n with all that is below it in the pattern.
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
