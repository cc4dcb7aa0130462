package query

import (
	"fmt"
	"slices"
	"strings"

	"fstore/index"
	"fstore/index/glob"
	"fstore/index/pattern"
)

// AbsentError says that no stored fragment has this text or fits this pattern. `Why` says which fragments are
// stored.
type AbsentError struct {
	Text, Why string
	Trees     bool // whether all trees were read too, without a hit
}

func (e *AbsentError) Error() string {
	if e.Trees {
		return e.Text + " has no hit in any tree, stored or not: " + e.Why
	}
	return e.Text + " is not stored: " + e.Why
}

// Absent returns the error for a well-formed text that fits no stored fragment. The error says which
// fragments are stored, and suggests similar names.
func (t *Table) Absent(text string) *AbsentError {
	return &AbsentError{Text: text, Why: t.Stored() + t.Hint(text)}
}

// absentCode returns the error for a code that is not stored, for example because its order is too large.
func (t *Table) absentCode(c index.Code) *AbsentError {
	text := string(t.Text(nil, c))
	if n := c.Len(); t.Info.MaxOrder > 0 && n > t.Info.MaxOrder {
		return &AbsentError{Text: text, Why: fmt.Sprintf("its order is %d; %s", n, t.Stored())}
	}
	return t.Absent(text)
}

// Stored says which fragments the table has, for example "space stk, support ≥ 2, order ≤ 5".
func (t *Table) Stored() string {
	i := t.Info
	text := "space " + i.ID
	if i.Closed {
		text += ", closed"
	}
	text += fmt.Sprintf(", support ≥ %d", i.MinSupport)
	if i.MaxOrder > 0 {
		text += fmt.Sprintf(", order ≤ %d", i.MaxOrder)
	} else {
		text += ", any order"
	}
	if option := t.ActiveSpan(); option != "" {
		text += fmt.Sprintf(", %s felt at %s", option, index.Plural(i.WideHeads, "head"))
	}
	return text
}

// ActiveSpan returns the option that leaves out dependents that lie far apart, such as max-span=20. It
// returns "" if no option leaves out dependents in this store.
func (t *Table) ActiveSpan() string {
	spanned, ok := t.Space.(index.Spanned)
	if !ok || t.Info.WideHeads == 0 {
		return ""
	}
	option, _ := spanned.Span()
	return option
}

// WhyNot says why a fragment with this support in the trees is not stored, for example "its order is 6". It
// returns "" if the limits of the space do not explain it.
func (t *Table) WhyNot(c index.Code, support uint32) string {
	i := t.Info
	switch order := c.Len(); {
	case i.MaxOrder > 0 && order > i.MaxOrder:
		return fmt.Sprintf("its order is %d", order)
	case support < i.MinSupport:
		return fmt.Sprintf("its support is %d", support)
	case i.Closed:
		return "it is not closed"
	case t.ActiveSpan() != "":
		return t.ActiveSpan() + " leaves out dependents that lie further apart"
	}
	return ""
}

// hintSamples is how many samples are read to collect names of tokens. Reading more would take too long.
const hintSamples = 10_000

// maxNames is the largest number of names that a hint lists if no name is similar.
const maxNames = 20

// Hint returns hints for the author of a well-formed text that fits no fragment, such as similar names. The
// result begins with a semicolon, or is "" without hints.
func (t *Table) Hint(text string) string {
	h := &hints{t: t}
	var err error
	space, labelled := t.Space.(index.Labelled)
	nodes, notBrackets := index.ParseBrackets(text)
	switch {
	case labelled && len(space.LabelFields()) > 0:
		err = h.arcs(text, space.LabelFields())
	case notBrackets == nil && nodes[0].Bracket:
		err = h.brackets(nodes)
	default:
		h.names(text)
	}
	if err != nil { // an error while making a hint is ignored
		return ""
	}
	var all []string
	if len(h.meant) > 0 {
		all = append(all, "did you mean "+strings.Join(h.meant, ", ")+"?")
	}
	all = append(all, h.unknown...)
	if h.anyNode {
		all = append(all, pattern.AnyWordHint)
	}
	if other := t.otherSides(text); other != "" {
		all = append(all, other)
	}
	if len(all) == 0 {
		return index.MayBeOther(text)
	}
	return "; " + strings.Join(all, "; ")
}

type hints struct {
	t       *Table
	meant   []string // the names that the author perhaps meant
	unknown []string // names that exist and could stand in place of an unknown name
	anyNode bool     // whether the author wrote `_` and perhaps meant `(_)`
}

// name adds a hint for an unknown name, which suggests known names of the same kind.
func (h *hints) name(kind, name string, known []string) {
	if form := index.OtherForm(name, known); form != "" {
		h.unknown = add(h.unknown, fmt.Sprintf("%s is there as %+q, and not as %+q", name, form, name))
		return
	}
	if quotes := index.QuoteHint(name); quotes != "" {
		h.unknown = add(h.unknown, "there is no "+name+quotes)
	}
	few := nearest(name, known)
	if len(few) > 0 && strings.EqualFold(few[0], name) {
		few = slices.DeleteFunc(few, func(near string) bool { return !strings.EqualFold(near, name) })
	}
	switch {
	case len(few) > 0:
		h.meant = add(h.meant, strings.Join(few, " or ")+" for "+name)
	case kind != "" && len(known) > 0 && len(known) <= maxNames:
		h.unknown = add(h.unknown, fmt.Sprintf("%s is no %s: there are %s", name, kind, strings.Join(slices.Sorted(slices.Values(known)), ", ")))
	}
}

// add appends text if list does not have it yet.
func add(list []string, text string) []string {
	if slices.Contains(list, text) {
		return list
	}
	return append(list, text)
}

// arcs adds hints for a dependency fragment whose nodes are named by these fields of tokens.
func (h *hints) arcs(text string, fields []string) error {
	known := make([]knownNames, len(fields)+1) // by field; the last element has the relations
	err := h.t.samples(func(tree *index.Tree) {
		for i := range tree.Tokens {
			known[len(fields)].add(h.t.syms, tree.Tokens[i].Rel)
		}
		ids := h.t.Space.(index.Labelled).AppendTokens(nil, tree)
		for i, id := range ids {
			known[i%len(fields)].add(h.t.syms, id)
		}
	})
	arc := false
	for _, name := range splitNames(text, " ()") {
		if arc && name == glob.Rest {
			h.unknown = add(h.unknown, "behind an arc stands a node, and any node is _")
		}
		if arc = strings.HasPrefix(name, ">") || strings.HasPrefix(name, "<"); arc {
			known[len(fields)].check(h, "relation", name[1:])
			continue
		}
		if name == "*" {
			h.unknown = add(h.unknown, "any label is _")
		}
		for i, value := range splitNames(name, "/") {
			if i < len(fields) {
				known[i].check(h, fields[i], value)
			}
		}
	}
	return err
}

// knownNames has the known names of one kind, in the order in which they were found.
type knownNames struct {
	has  map[uint32]bool
	list []string
}

func (n *knownNames) add(syms *index.Symbols, id uint32) {
	if n.has == nil {
		n.has = map[uint32]bool{}
	}
	if !n.has[id] {
		n.has[id] = true
		if name := string(syms.Bytes(index.Words, id)); name != "_" { // _ means no value
			n.list = append(n.list, name)
		}
	}
}

// check adds a hint to h if n does not know a name. Wildcards get no hint. The name can have escapes.
func (n *knownNames) check(h *hints, kind, name string) {
	plain, err := index.AppendUnescaped(nil, []byte(name))
	if err != nil || isWild(name) || n.has[h.t.syms.Lookup(index.Words, plain)] {
		return
	}
	h.name(kind, string(plain), n.list)
}

func isWild(name string) bool {
	return name == "" || name == "*" || name == glob.Wildcard || name == glob.Rest
}

// brackets adds hints for a fragment or a pattern in brackets.
func (h *hints) brackets(nodes []index.TextNode) error {
	var path []int
	above := map[string]bool{} // the labels of nodes whose only child is `_`
	for i := range nodes {
		n := &nodes[i]
		path = append(path[:n.Depth], i)
		switch {
		case n.IsWild() && !n.Bracket && n.Depth > 0:
			if parent := &nodes[path[n.Depth-1]]; parent.Size > 2 {
				h.anyNode = true
			} else {
				above[parent.Text] = true
			}
		case !isWild(n.Text):
			h.symbol(n.Name, n.Bracket)
		}
	}
	delete(above, glob.Wildcard)
	if len(above) == 0 || h.anyNode {
		return nil
	}
	err := h.t.samples(func(tree *index.Tree) {
		for i := range tree.Nodes {
			if p := tree.Nodes[i].Parent; tree.IsWord(i) && p >= 0 && !tree.IsWord(int(p)) {
				delete(above, string(h.t.syms.Bytes(index.Labels, tree.Nodes[p].Sym)))
			}
		}
	})
	h.anyNode = len(above) > 0
	return err
}

// names adds hints for a fragment that has neither arcs nor brackets.
func (h *hints) names(text string) {
	for _, name := range splitNames(text, " ()[]{}&") {
		plain, err := index.AppendUnescaped(nil, []byte(strings.TrimLeft(name, "<>")))
		if err == nil && h.isSymbol(plain) {
			continue
		}
		for _, part := range splitNames(name, "/<>") {
			if plain, err := index.AppendUnescaped(nil, []byte(part)); err == nil && !isWild(part) && !h.isSymbol(plain) {
				h.name("", string(plain), append(h.all(index.Labels), h.all(index.Words)...))
			}
		}
	}
}

func (h *hints) isSymbol(name []byte) bool {
	return h.t.syms.Lookup(index.Labels, name) != 0 || h.t.syms.Lookup(index.Words, name) != 0
}

// symbol adds a hint if a name is unknown. `label` says whether the name is meant as a label or as a word.
func (h *hints) symbol(name string, label bool) {
	class, kind := index.Words, ""
	if syms := h.t.syms; syms.Len(index.Words) == 0 || label && syms.Len(index.Labels) > 0 {
		class, kind = index.Labels, "label"
	}
	if h.t.syms.Lookup(class, []byte(name)) != 0 {
		return
	}
	switch {
	case !label && h.t.syms.Lookup(index.Labels, []byte(name)) != 0:
		h.unknown = add(h.unknown, fmt.Sprintf("%s is a label, which has brackets: (%s)", name, name))
		return
	case label && h.t.syms.Lookup(index.Words, []byte(name)) != 0:
		h.unknown = add(h.unknown, fmt.Sprintf("%s is a word, which has no brackets of its own", name))
		return
	}
	h.name(kind, name, h.all(class))
}

// all returns the names of all symbols of a class.
func (h *hints) all(class index.Class) []string {
	names := make([]string, h.t.syms.Len(class))
	for i := range names {
		names[i] = string(h.t.syms.Bytes(class, uint32(i+1)))
	}
	return names
}

// samples calls f for the first hintSamples samples.
func (t *Table) samples(f func(*index.Tree)) error {
	return t.s.Samples(0, min(t.s.Meta().Samples, hintSamples), func(_ uint32, tree *index.Tree) error {
		f(tree)
		return nil
	})
}

// splitNames returns the parts of text between separators that are not escaped.
func splitNames(text, separators string) (all []string) {
	from := 0
	for i := 0; i <= len(text); i++ {
		switch {
		case i == len(text) || strings.IndexByte(separators, text[i]) >= 0:
			if i > from {
				all = append(all, text[from:i])
			}
			from = i + 1
		case text[i] == '\\':
			i++
		}
	}
	return all
}
