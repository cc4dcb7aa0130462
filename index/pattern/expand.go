package pattern

import (
	"fmt"
	"slices"

	"fstore/index"
	"fstore/index/glob"
)

// maxExpansions is how many texts a pattern may stand for in Expand.
const maxExpansions = 64

// Expand returns the patterns of stored fragments (index.Patterned) that p stands for: in each, a
// name is one name or any, and a dependent on one side. conditions says that p has conditions on
// nodes, which these leave out. It returns none where there would be too many.
func (p *Pattern) Expand(syms *index.Symbols) (texts []string, conditions bool) {
	x := &expander{parts{p: p, most: maxExpansions, syms: syms, known: map[*names][]string{}}}
	for _, n := range p.nodes {
		conditions = conditions || len(n.tests) > 1 || len(n.tests) == 1 && n.tests[0].field > Word && n.tests[0].field != UPOS
	}
	if p.kind == index.Dependency {
		texts = x.arcs(p.root)
	} else {
		texts = x.brackets(p.root)
	}
	if len(texts) > maxExpansions {
		return nil, conditions
	}
	return texts, conditions
}

// expander writes the texts of a pattern.
type expander struct{ parts }

// spelled returns the names of a test as patterns of fragments spell them.
func (x *expander) spelled(t test, special string) []string {
	if t.names.any {
		return []string{glob.Wildcard}
	}
	all := x.escaped(t, special)
	for i, name := range all {
		if name == glob.Wildcard || name == glob.Rest { // it is none
			all[i] = fmt.Sprintf(`\x%02X%s`, name[0], name[1:])
		}
	}
	return all
}

func (x *expander) brackets(n *node) []string {
	all := x.spelled(n.name(), "")
	if n.word {
		return all
	}
	all = x.join([]string{"("}, "", all)
	for i := range n.gaps {
		if n.gaps[i] && (n.rest || len(n.kids) > 0) {
			all = x.join(all, " ", []string{glob.Rest})
		}
		if i < len(n.kids) {
			all = x.join(all, " ", x.brackets(n.kids[i]))
		}
	}
	return x.join(all, "", []string{")"})
}

func (x *expander) arcs(n *node) []string {
	all := x.spelled(n.name(), arcSpecial)
	for _, k := range slices.Backward(n.kids) {
		if k.side == left {
			all = x.join(x.dependent(k, true), " ", all)
		}
	}
	for _, k := range n.kids {
		if k.side == right {
			all = x.join(all, " ", x.dependent(k, false))
		}
	}
	for _, k := range n.free {
		all = append(x.join(x.dependent(k, true), " ", all), x.join(all, " ", x.dependent(k, false))...)
	}
	if n.rest {
		all = x.join([]string{glob.Rest}, " ", x.join(all, " ", []string{glob.Rest}))
	}
	return all
}

func (x *expander) dependent(k *node, isLeft bool) []string {
	return x.hang(x.arcs(k), x.spelled(test{Relation, false, k.rel}, arcSpecial), isLeft)
}
