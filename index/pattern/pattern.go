// Package pattern is the language of constructions: a pattern is the text of a fragment with
// gaps, and [Matcher] finds it in trees, whatever spaces a store has. It imports package index
// only. Start at [Parse].
//
// Patterns of constituency trees are brackets, those of dependency trees arcs:
//
//	(VP (VBD|VBN _) ... (NP*) ...)
//	PRON <nsubj VERB[lemma=give] >obj NOUN[feats~Number=Plur] <>obl _
//
// A hit is an assignment of the pattern's nodes to different nodes of a tree. A child in brackets
// stands where it is written among the children, and `...` is any further ones; what has no
// children in the pattern may have any in the tree. A dependent stands left (<) or right (>) of
// its head, those of one head in the order of the text; one on either side (<>) stands anywhere;
// further dependents are always allowed.
package pattern

import (
	"fmt"
	"slices"
	"strings"
	"unicode/utf8"

	"fstore/index"
	"fstore/index/glob"
)

// Options say what trees a pattern is for, and how it is read. The zero value is for bracketed
// constituency trees.
type Options struct {
	Kind        index.Kind
	OneAlphabet bool
	// Literal patterns are the text of a fragment: a name stands for itself alone.
	Literal bool
	// Words is the field of a condition that names none, as of [give]; "" is an error.
	Words string
}

// Pattern is a construction. It is read-only, and shared by goroutines.
type Pattern struct {
	Text string

	kind        index.Kind
	oneAlphabet bool
	root        *node
	nodes       []*node // in the order of the text
}

// node is a node of a pattern.
type node struct {
	number int    // in the order of the text, from 0
	text   string // its name as it is written, without what hangs on it
	word   bool   // a bare name in brackets
	tests  []test // of the node itself: all must hold
	rel    *names // the relation to its head; nil for the root, and in brackets
	side   side   // of its head

	kids []*node // in the order of the tree
	gaps []bool  // whether others may stand before each of kids, and after the last
	free []*node // dependents on either side
	rest bool    // ... is written among its children or dependents
}

// children returns those of n in the pattern, those on either side last.
func (n *node) children() []*node { return slices.Concat(n.kids, n.free) }

// side is where a dependent stands.
type side uint8

const (
	anySide side = iota // a child in brackets, or a dependent on either side
	left
	right
)

// test is a condition on one field of a node.
type test struct {
	field Field
	items bool // of a list with bars: one item is enough
	names *names
}

// Field is what of a node a name names.
type Field uint8

const (
	Label Field = iota // of a nonterminal
	Word               // a terminal
	Form
	Lemma
	UPOS
	XPOS
	Feats
	Misc
	Relation
)

var fieldNames = [...]string{"label", "word", "form", "lemma", "upos", "xpos", "feats", "misc", "relation"}

func (f Field) String() string { return fieldNames[f] }

// Class is the class of the symbols of a field.
func (f Field) Class() index.Class {
	if f == Label {
		return index.Labels
	}
	return index.Words
}

// columns are those of the fields that tokens have.
var columns = [...]index.Column{
	Form: index.Form, Lemma: index.Lemma, UPOS: index.UPOS, XPOS: index.XPOS,
	Feats: index.Feats, Misc: index.Misc, Relation: index.Rel,
}

// Of returns a field of a token.
func (f Field) Of(t *index.Token) uint32 { return columns[f].Of(t) }

// Error says what is wrong with the text of a pattern, and where.
type Error struct {
	Text string
	At   int // in bytes
	Msg  string
}

func (e *Error) Error() string {
	return fmt.Sprintf("pattern %s: character %d: %s", e.Text, utf8.RuneCountInString(e.Text[:e.At])+1, e.Msg)
}

func (e *Error) Is(target error) bool { return target == index.ErrUsage }

// Limits on what a pattern may be.
const (
	maxDepth = 10_000 // of brackets
	maxFree  = 8      // <> dependents of one head: their orders are all tried
)

// Parse reads a pattern. Errors are [*Error].
func Parse(text string, o Options) (*Pattern, error) {
	r := &reader{text: text, o: o, p: &Pattern{Text: text, kind: o.Kind, oneAlphabet: o.OneAlphabet}}
	read := r.brackets
	if o.Kind == index.Dependency {
		read = r.arcs
	}
	if err := read(); err != nil {
		return nil, err
	}
	return r.p, nil
}

// Nodes are the names of the pattern's nodes as they are written, in the order of the text: that
// of a hit.
func (p *Pattern) Nodes() []string {
	all := make([]string, len(p.nodes))
	for i, n := range p.nodes {
		all[i] = n.text
	}
	return all
}

// Name is a name that a pattern spells out.
type Name struct {
	Field  Field
	Text   string // in small letters where Fold is set
	Prefix bool   // the beginning of names
	Fold   bool   // in any case
	Item   bool   // of a list with bars: one item is so
}

// Is says whether a value of the field is what is named.
func (n Name) Is(value string) bool {
	one := names{fold: n.Fold, list: []name{{n.Text, n.Prefix}}}
	if n.Item {
		return one.hasItem([]byte(value))
	}
	return one.has([]byte(value))
}

// EachName calls f for every name that p spells out.
func (p *Pattern) EachName(f func(Name)) {
	each := func(t test) {
		for _, a := range t.names.list {
			f(Name{t.field, a.text, a.prefix, t.names.fold, t.items})
		}
	}
	for _, n := range p.nodes {
		for _, t := range n.tests {
			each(t)
		}
		if n.rel != nil {
			each(test{Relation, false, n.rel})
		}
	}
}

// AnyWordHint is what to say of a bare _ in brackets that finds nothing, see HasAnyWord.
const AnyWordHint = "_ alone is any word, a node of any label is (_)"

// HasAnyWord says whether p asks for any word below a node.
func (p *Pattern) HasAnyWord() bool {
	return slices.ContainsFunc(p.nodes, func(n *node) bool { return n.word && n.name().names.any })
}

// reader reads the text of a pattern.
type reader struct {
	text  string
	at    int
	depth int
	o     Options
	p     *Pattern
}

func (r *reader) errorf(at int, format string, args ...any) error {
	return &Error{r.text, min(at, len(r.text)), fmt.Sprintf(format, args...)}
}

const spaces = " \t\r\n"

func (r *reader) skipSpaces() {
	r.at = len(r.text) - len(strings.TrimLeft(r.text[r.at:], spaces))
}

// upTo returns where the text from r.at first has one of these bytes without a backslash.
func (r *reader) upTo(ends string) int {
	return r.at + index.IndexUnescaped(r.text[r.at:], ends)
}

// add makes a node of the text from some place up to r.at.
func (r *reader) add(from int) *node {
	n := &node{number: len(r.p.nodes), text: r.text[from:r.at]}
	r.p.nodes = append(r.p.nodes, n)
	return n
}

// test adds a test, unless it holds of everything.
func (n *node) test(f Field, items bool, names *names) {
	if !names.any {
		n.tests = append(n.tests, test{f, items, names})
	}
}

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
