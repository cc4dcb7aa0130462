package pattern

import (
	"bytes"
	"fmt"
	"slices"
	"strings"

	"fstore/index"
	"fstore/index/glob"
)

// Part is a list of fragments: every tree with a hit of the pattern has at least one of them. Nodes lists the
// nodes of the pattern that these fragments contain.
type Part struct {
	Texts []string
	Nodes []int // ascending
}

const (
	maxParts   = 256 // the largest number of sets to look at
	partSteps  = 3   // the largest number of building blocks of a part, except of the largest parts
	maxTexts   = 24  // the largest number of texts of a part
	maxExpands = 12  // the largest number of names that a test stands for
)

// Parts returns parts of p (connected sets of its nodes):
//   - with im.Whole, for each node, the largest part with the node at the top
//   - else the largest parts, and those of at most three arcs or productions
func (p *Pattern) Parts(im index.Implied, syms *index.Symbols) []Part {
	g := &parts{p: p, most: maxTexts, im: im, syms: syms, seen: map[string]bool{}, known: map[*names][]string{}}
	g.parent = make([]*node, len(p.nodes))
	for _, n := range p.nodes {
		for _, k := range n.children() {
			g.parent[k.number] = n
		}
	}
	g.eligible = make([]bool, len(p.nodes))
	for i, n := range p.nodes {
		g.eligible[i] = g.named(n)
	}
	for i, n := range p.nodes {
		switch {
		case !g.eligible[i]:
		case im.Whole:
			g.add(g.below(n))
		default:
			if g.parent[i] == nil || !g.joins(n) {
				g.add(g.below(n))
			}
			g.grow([]int{i})
		}
	}
	return g.all
}

// parts makes the parts of a pattern: connected sets of its nodes. With im.Complete, a part also has the
// children of its nodes.
type parts struct {
	p        *Pattern
	most     int  // the largest number of texts to write
	wild     bool // the texts are patterns of fragments (Expand), not fragments
	im       index.Implied
	syms     *index.Symbols
	parent   []*node
	eligible []bool
	seen     map[string]bool
	known    map[*names][]string
	all      []Part
}

func (g *parts) isArcs() bool { return g.p.kind == index.Dependency }

// named says whether n can be in a part. With g.im.Complete, it tests the children of n too.
func (g *parts) named(n *node) bool {
	if g.expand(n.name()) == nil {
		return false
	}
	if g.isArcs() || !g.im.Complete {
		return true
	}
	return len(n.kids) > 0 && !slices.Contains(n.gaps, true) &&
		!slices.ContainsFunc(n.kids, func(k *node) bool { return g.expand(k.name()) == nil })
}

// joins says whether n can be in a part together with its parent.
func (g *parts) joins(n *node) bool {
	up := g.parent[n.number]
	return up != nil && g.eligible[up.number] && g.eligible[n.number] && (n.rel == nil || g.expand(test{Relation, false, n.rel}) != nil)
}

// below returns the largest part of the pattern with n at the top. With Implied.Whole, it returns nil if a
// nonterminal below n must be left out.
func (g *parts) below(n *node) (set []int) {
	set = []int{n.number}
	for _, k := range n.children() {
		switch {
		case g.joins(k):
			more := g.below(k)
			if g.im.Whole && more == nil {
				return nil
			}
			set = append(set, more...)
		case g.im.Whole && !k.word:
			return nil
		}
	}
	slices.Sort(set)
	return set
}

// grow adds a set of nodes, and then each larger set with the same topmost node, set[0].
func (g *parts) grow(set []int) {
	if !g.add(set) {
		return
	}
	size := len(set)
	if g.isArcs() || !g.im.Complete {
		size--
	}
	if size == partSteps {
		return
	}
	for _, i := range set {
		n := g.p.nodes[i]
		for _, k := range n.children() {
			if g.joins(k) && !slices.Contains(set, k.number) {
				more := append(slices.Clone(set), k.number)
				slices.Sort(more[1:])
				g.grow(more)
			}
		}
	}
}

// add makes a set of nodes a part, unless it has no texts or more than maxTexts. It returns false for an
// empty or known set, and after maxParts sets.
func (g *parts) add(set []int) bool {
	sorted := slices.Clone(set)
	slices.Sort(sorted)
	key := fmt.Sprint(sorted)
	if len(set) == 0 || g.seen[key] || len(g.seen) == maxParts {
		return false
	}
	g.seen[key] = true
	if texts := g.texts(sorted); len(texts) > 0 && len(texts) <= maxTexts {
		g.all = append(g.all, Part{texts, sorted})
	}
	return true
}

// name returns the test of n's name.
func (n *node) name() test {
	for _, t := range n.tests {
		if t.field == Label || t.field == Word || t.field == UPOS && !t.items {
			return t
		}
	}
	return test{names: &names{any: true}}
}

// expand returns the names that pass a test, or nil if there are too many.
func (g *parts) expand(t test) []string {
	all, ok := g.known[t.names]
	if !ok {
		all = g.find(t)
		g.known[t.names] = all
	}
	return all
}

func (g *parts) find(t test) (all []string) {
	switch {
	case t.names.any:
		return nil
	case t.names.literals() != nil:
		return t.names.literals()
	}
	c := t.field.Class()
	for id := range uint32(g.syms.Len(c)) {
		if b := g.syms.Bytes(c, id+1); t.names.has(b) {
			if all = append(all, string(bytes.Clone(b))); len(all) > maxExpands {
				return nil
			}
		}
	}
	return all
}

// texts returns the texts of the fragments that a set of nodes stands for, or nil if the space has no such
// fragments.
func (g *parts) texts(set []int) []string {
	top := set[0]
	for _, i := range set {
		if up := g.parent[i]; up == nil || !slices.Contains(set, up.number) {
			top = i
		}
	}
	if g.isArcs() {
		if len(set) == 1 || !g.allows(set) {
			return nil
		}
		return g.arcTexts(g.p.nodes[top], set)
	}
	if len(set) == 1 && !g.im.Complete {
		return nil
	}
	return g.bracketTexts(g.p.nodes[top], set)
}

// allows says whether the space can have a fragment with all nodes of a set.
func (g *parts) allows(set []int) bool {
	count := map[*node]int{}
	free := map[*node]bool{}
	for _, i := range set {
		if up := g.parent[i]; up != nil && slices.Contains(set, up.number) {
			count[up]++
			free[up] = free[up] || g.p.nodes[i].side == anySide
			if count[up] > 1 && (!g.im.Siblings || free[up]) {
				return false
			}
		}
	}
	return true
}

// escaped returns the names of a test, escaped as in the texts of fragments.
func (g *parts) escaped(t test, special string) (all []string) {
	if g.wild && t.names.any {
		return []string{glob.Wildcard}
	}
	for _, s := range g.expand(t) {
		text := string(index.AppendEscapedWith(nil, []byte(s), special))
		if g.wild && (text == glob.Wildcard || text == glob.Rest) { // the name is not a wildcard here
			text = fmt.Sprintf(`\x%02X%s`, text[0], text[1:])
		}
		all = append(all, text)
	}
	return all
}

// join returns x+between+y for every text x of a and every text y of b, but at most g.most+1 texts.
func (g *parts) join(a []string, between string, b []string) (all []string) {
	for _, x := range a {
		for _, y := range b {
			if all = append(all, x+between+y); len(all) > g.most {
				return all
			}
		}
	}
	return all
}

// bracketTexts returns the possible texts of the subtree at n, with only the nodes in `set`. With
// im.Complete, it adds the other children of these nodes.
func (g *parts) bracketTexts(n *node, set []int) []string {
	all := g.escaped(n.name(), "")
	if n.word && len(n.kids) == 0 {
		return all
	}
	for i := range all {
		all[i] = "(" + all[i]
	}
	for _, k := range n.kids {
		in := slices.Contains(set, k.number)
		switch {
		case in:
			all = g.join(all, " ", g.bracketTexts(k, set))
		case !g.im.Complete || !slices.Contains(set, n.number):
		case k.word:
			all = g.join(all, " ", g.escaped(k.name(), ""))
		default:
			all = g.join(all, " (", g.escaped(k.name(), ""))
			all = g.join(all, "", []string{")"})
		}
	}
	return g.join(all, "", []string{")"})
}

const arcSpecial = "<>" // the characters that fragments of arcs escape, beyond those that all fragments escape

// arcTexts returns the texts of n with the dependents in the set, or with all dependents if the set is nil.
func (g *parts) arcTexts(n *node, set []int) []string {
	all := g.escaped(n.name(), arcSpecial)
	var before, after []*node
	for _, k := range n.children() {
		switch {
		case set != nil && !slices.Contains(set, k.number):
		case k.side == left && g.im.Sides:
			before = append(before, k)
		default:
			after = append(after, k)
		}
	}
	for _, k := range slices.Backward(before) {
		all = g.join(g.dependentTexts(k, set, true), " ", all)
	}
	for _, k := range after {
		texts := g.join(all, " ", g.dependentTexts(k, set, false))
		if k.side == anySide && g.im.Sides { // in a part it is the only dependent
			texts = append(texts, g.join(g.dependentTexts(k, set, true), " ", all)...)
		}
		all = texts
	}
	if g.wild && n.rest {
		rest := []string{glob.Rest}
		all = g.join(rest, " ", g.join(all, " ", rest))
	}
	return all
}

// dependentTexts returns the texts of a dependent and its arc, for each relation of the arc.
func (g *parts) dependentTexts(k *node, set []int, isLeft bool) []string {
	texts, rels := g.arcTexts(k, set), g.escaped(test{Relation, false, k.rel}, arcSpecial)
	for i := range texts {
		if strings.Contains(texts[i], " ") {
			texts[i] = "(" + texts[i] + ")"
		}
	}
	if isLeft {
		return g.join(texts, " <", rels)
	}
	return g.join([]string{">"}, "", g.join(rels, " ", texts))
}
