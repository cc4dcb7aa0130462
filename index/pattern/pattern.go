// Package pattern is the language of constructions. A pattern is the text of a fragment with gaps. A
// [Matcher] finds it in trees, whatever spaces a store has. Of the project, it imports index and index/glob.
// Start at [Parse].
//
// A pattern of constituency trees has brackets, and a pattern of dependency trees has arcs:
//
//	(VP (VBD|VBN _) ... (NP*) ...)
//	PRON <nsubj VERB[lemma=give] >obj NOUN[feats~Number=Plur] <>obl _
//
// A hit assigns the pattern's nodes to different nodes of a tree:
//   - Children in brackets follow one another as they are written. `...` is any further children.
//   - A node without children in the pattern can have any children in the tree.
//   - A dependent is left (<) or right (>) of its head. The dependents of a head are in text order.
//   - A dependent on either side (<>) can be anywhere.
//   - A head can always have further dependents.
package pattern

import (
	"fmt"
	"slices"
	"strings"
	"unicode/utf8"

	"fstore/index"
	"fstore/index/glob"
)

// Options say which trees a pattern is for, and how to read its text. The zero value is for bracketed
// constituency trees.
type Options struct {
	Kind        index.Kind
	OneAlphabet bool
	// Literal says that the text is a fragment, without wildcards: each name stands for itself only.
	Literal bool
	// Words is the field that a condition such as [give] tests. If Words is "", such a condition is an error.
	Words string
}

// Pattern is a construction. It is read-only, so goroutines can share it.
type Pattern struct {
	Text string

	kind        index.Kind
	oneAlphabet bool
	root        *node
	nodes       []*node // in the order of the text
}

type node struct {
	number int    // in the order of the text, from 0
	text   string // its name as it is written, without its dependents or children
	word   bool   // a bare name in brackets
	tests  []test // of the node itself: all must hold
	rel    *names // the relation to its head; nil for the root, and in brackets
	side   side   // on which side of its head it stands

	kids []*node // in the order of the tree
	gaps []bool  // whether other nodes may stand before each of kids, and after the last
	free []*node // dependents on either side
	rest bool    // ... is written among its children or dependents
}

// children returns the children of n in the pattern. Those that can be on either side (n.free) come last.
func (n *node) children() []*node { return slices.Concat(n.kids, n.free) }

// side says on which side of its head a dependent is.
type side uint8

const (
	anySide side = iota // a child in brackets, or a dependent on either side
	left
	right
)

// test is a condition on one field of a node.
type test struct {
	field Field
	items bool // the value is a list with bars: one item is enough
	names *names
}

// Field is a field of a node, which a pattern can test.
type Field uint8

const (
	Label Field = iota // the label of a nonterminal
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

// Class is the class of the field's symbols.
func (f Field) Class() index.Class {
	if f == Label {
		return index.Labels
	}
	return index.Words
}

// columns has the column of each field that tokens have.
var columns = [...]index.Column{
	Form: index.Form, Lemma: index.Lemma, UPOS: index.UPOS, XPOS: index.XPOS,
	Feats: index.Feats, Misc: index.Misc, Relation: index.Rel,
}

// Of returns the field's value in a token.
func (f Field) Of(t *index.Token) uint32 { return columns[f].Of(t) }

// Error says what is wrong in the text of a pattern, and where.
type Error struct {
	Text string
	At   int // where in Text, in bytes
	Msg  string
}

func (e *Error) Error() string {
	return fmt.Sprintf("pattern %s: character %d: %s", e.Text, utf8.RuneCountInString(e.Text[:e.At])+1, e.Msg)
}

func (e *Error) Is(target error) bool { return target == index.ErrUsage }

// Limits of patterns.
const (
	maxDepth = 10_000 // the largest depth of brackets
	maxFree  = 8      // <> dependents of one head: all their orders are tried
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

// Nodes returns the names of the pattern's nodes as they are written, in the order of the text. The nodes of
// a hit have the same order.
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
	Text   string // in small letters if Fold is set
	Prefix bool   // Text is the beginning of a name
	Fold   bool   // upper and lower case are the same
	Item   bool   // the value is a list with bars: one item is enough
}

// Is says whether a value of the field fits the name.
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

// AnyWordHint is a hint for a pattern that finds nothing and has a bare _ in brackets, see HasAnyWord.
const AnyWordHint = "_ alone is any word, a node of any label is (_)"

// HasAnyWord says whether p has a bare _ in brackets, which stands for any word.
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

// upTo returns the index of the next byte, from r.at on, that is one of endChars and not escaped. If there is
// none, it returns the length of the text.
func (r *reader) upTo(endChars string) int {
	return r.at + index.IndexUnescaped(r.text[r.at:], endChars)
}

// add adds a node to the pattern. The node's text is text[from:r.at].
func (r *reader) add(from int) *node {
	n := &node{number: len(r.p.nodes), text: r.text[from:r.at]}
	r.p.nodes = append(r.p.nodes, n)
	return n
}

// test adds the condition that a field has one of these names.
func (n *node) test(f Field, items bool, names *names) {
	if !names.any {
		n.tests = append(n.tests, test{f, items, names})
	}
}

// Slots returns the indexes (see Nodes) of the nodes that are written as _, with or without conditions.
func (p *Pattern) Slots() (all []int) {
	for i, n := range p.nodes {
		if name, _, _ := strings.Cut(n.text, "["); name == glob.Wildcard {
			all = append(all, i)
		}
	}
	return all
}

// Alone returns the node with this number (see Nodes) as a pattern, and the index of the node in a hit. For a
// word in brackets, the pattern also has the label above the word.
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
