package dep

import (
	"errors"
	"fmt"
	"slices"
	"strings"

	"fstore/index"
	"fstore/index/glob"
)

// example returns words that show what a fragment looks like.
func (s *Space) example() string {
	switch {
	case s.labels == nil:
		return "as in * >" + s.templates[0].exampleFeature() + " *"
	case s.labels.rel < 0:
		return "as in A > (B > C)"
	}
	return "as in A >obj (B >det C)"
}

func (t *template) exampleFeature() string {
	var all []string
	for _, f := range t.fields {
		value := "x"
		switch f.kind {
		case direction:
			value = directionNames[0]
		case distance:
			value = bucketNames[0]
		}
		all = append(all, f.String()+"="+value)
	}
	return strings.Join(all, "+")
}

// reader reads a fragment's text, token by token.
type reader struct {
	s      *Space
	syms   *index.Symbols
	text   string
	absent bool // a word or a feature of the text is unknown
	depth  int  // the depth of brackets

	pattern bool // the text may have wildcards and glob.Rest
	wild    bool // the text has a wildcard or glob.Rest
}

// maxDepth is how deep brackets may be nested.
const maxDepth = 10_000

// textNode is a node of a fragment's text.
type textNode struct {
	name  string
	group bool // the node stood in brackets
	kids  []textArc
}

type textArc struct {
	name string
	left bool
	node *textNode // nil: glob.Rest
}

// fragment reads the whole text as a fragment or a pattern.
func (r *reader) fragment() (*textNode, error) {
	n, err := r.node()
	if err != nil {
		return nil, err
	}
	if t := r.next(); t != "" {
		return nil, fmt.Errorf("%q after the end of the fragment", t)
	}
	if len(n.kids) == 0 {
		return nil, errors.New("a single node is no fragment: give it a dependent, " + r.s.example())
	}
	return n, r.checkSides(n)
}

// peek returns the next token of the text: a bracket, an arc, or a name. At the end it returns "".
func (r *reader) peek() string {
	r.text = strings.TrimLeft(r.text, " \t\r\n")
	if r.text == "" || r.text[0] == '(' || r.text[0] == ')' {
		return r.text[:min(1, len(r.text))]
	}
	end := 0
	for end < len(r.text) && !strings.ContainsRune("() \t\r\n", rune(r.text[end])) {
		if r.text[end] == '\\' {
			end++
		}
		end++
	}
	return r.text[:min(end, len(r.text))]
}

func (r *reader) next() string {
	t := r.peek()
	r.text = r.text[len(t):]
	return t
}

// node reads a node with all nodes below it, up to a closing bracket or the end.
func (r *reader) node() (*textNode, error) {
	n := &textNode{}
	for {
		if r.skipRest() {
			n.kids = append(n.kids, textArc{left: true})
			continue
		}
		x, err := r.operand()
		if err != nil {
			return nil, err
		}
		if t := r.peek(); t != "" && t[0] == '<' {
			r.next()
			n.kids = append(n.kids, textArc{t[1:], true, x})
			continue
		}
		if x.group && len(x.kids) > 0 {
			if t := r.peek(); len(n.kids) == 0 && (t == "" || t == ")") {
				return x, nil // brackets around the whole
			}
			return nil, errors.New("a group in brackets is a dependent: an arc < or > must lead to it")
		}
		n.name = x.name
		break
	}
	for {
		if r.skipRest() {
			n.kids = append(n.kids, textArc{})
			continue
		}
		t := r.peek()
		if t == "" || t == ")" {
			return n, nil
		}
		if t[0] != '>' {
			return nil, fmt.Errorf("%q where an arc is expected, %s", t, r.s.example())
		}
		r.next()
		x, err := r.operand()
		if err != nil {
			return nil, err
		}
		n.kids = append(n.kids, textArc{t[1:], false, x})
	}
}

// skipRest returns true if glob.Rest comes next in a pattern, and then skips it.
func (r *reader) skipRest() bool {
	if !r.pattern || r.peek() != glob.Rest {
		return false
	}
	r.next()
	r.wild = true
	return true
}

// operand reads a name or a group in brackets.
func (r *reader) operand() (*textNode, error) {
	switch t := r.next(); {
	case t == "":
		return nil, errors.New("a node is missing at the end, " + r.s.example())
	case t == "(":
		if r.depth++; r.depth > maxDepth {
			return nil, errors.New("its brackets are too deep")
		}
		n, err := r.node()
		if err != nil {
			return nil, err
		}
		r.depth--
		if r.next() != ")" {
			return nil, errors.New("a closing bracket is missing")
		}
		n.group = true
		return n, nil
	case t == ")":
		return nil, errors.New("a closing bracket where a node is expected")
	case t[0] == '<' || t[0] == '>':
		return nil, fmt.Errorf("%q where a node is expected, %s", t, r.s.example())
	default:
		return &textNode{name: t}, nil
	}
}

// checkSides refuses dependents on the left if the space does not distinguish left and right.
func (r *reader) checkSides(n *textNode) error {
	if r.s.Sides() || !n.hasLeft() {
		return nil
	}
	n.turnRight(r.s.labels != nil)
	return fmt.Errorf("this space does not tell the sides of a head apart: > leads to each dependent, on either side, as in %s", n)
}

// turnRight makes every arc below n lead to the right. If nodes have labels, the name * becomes a wildcard,
// because the user may have meant any label.
func (n *textNode) turnRight(labels bool) {
	if labels && n.name == star {
		n.name = glob.Wildcard
	}
	for i := range n.kids {
		if n.kids[i].left = false; n.kids[i].node != nil {
			n.kids[i].node.turnRight(labels)
		}
	}
}

func (n *textNode) hasLeft() bool {
	return slices.ContainsFunc(n.kids, func(a textArc) bool {
		return a.left || a.node != nil && a.node.hasLeft()
	})
}

// label reads the label of a node, without the node's word, and returns the symbols of its columns.
func (r *reader) label(name string) ([]uint32, error) {
	name, _, _ = r.s.cutWord(name)
	l := r.s.labels
	if l == nil {
		switch {
		case name == star:
		case name == glob.Wildcard && r.pattern:
			r.wild = true
		default:
			return nil, fmt.Errorf("%q where a node is expected: nodes have no labels here, write %s", name, star)
		}
		return nil, nil
	}
	columns := []string{name}
	switch {
	case len(l.cols) == 1:
	case name == glob.Wildcard && r.pattern:
		columns = slices.Repeat(columns, len(l.cols))
	default:
		columns = strings.Split(name, "/")
	}
	if len(columns) != len(l.cols) {
		return nil, fmt.Errorf("the label %s: expected %s", name, strings.Join(l.columns(), "/"))
	}
	label := make([]uint32, len(columns))
	for i, c := range columns {
		var err error
		if label[i], err = r.value(l.cols[i], c); err != nil {
			return nil, err
		}
	}
	return label, nil
}

// cutWord splits a node's name into its label and its word; ok is false if the name has no word.
func (s *Space) cutWord(name string) (label, word string, ok bool) {
	if s.word == nil {
		return name, "", false
	}
	return strings.Cut(name, "[")
}

// word returns the symbol of the word in a node's name, and the value that stands for the word in a pattern
// (package glob). Both are 0 if there is no word.
func (r *reader) word(name string) (sym, value uint32, err error) {
	_, text, ok := r.s.cutWord(name)
	if !ok {
		return 0, 0, nil
	}
	text, closed := strings.CutSuffix(text, "]")
	switch {
	case !closed || strings.ContainsAny(text, wordSpecial):
		return 0, 0, fmt.Errorf("%s: a word stands in brackets at the end of a node, as in VERB[give]; a [ in a name is \\x5B, a ] is \\x5D", name)
	case r.pattern && text == glob.Wildcard:
		r.wild = true
		return 0, glob.Some, nil
	case text == outsideText:
		return 0, 0, errors.New("the word ^: a node has a word; the word that is spelt so is \\x5E")
	}
	if value, err = r.value(r.s.word.fields[0], text); err != nil || value == 0 {
		return 0, 0, err // r.absent is set where the word is unknown
	}
	return r.find(r.s.word, []uint32{value}), value, nil
}

// find returns the symbol of a feature. If the feature is unknown, it sets r.absent.
func (r *reader) find(t *template, values []uint32) uint32 {
	sym := t.find(values, r.syms)
	r.absent = r.absent || sym == 0
	return sym
}

func (r *reader) values(a textArc, head []uint32) (*template, []uint32, error) {
	l := r.s.labels
	if l == nil {
		return r.spelled(a.name)
	}
	t := &r.s.templates[0]
	values := make([]uint32, len(t.fields))
	mod, err := r.label(a.node.name)
	if err != nil {
		return nil, nil, err
	}
	for i := range head {
		values[l.head[i]], values[l.mod[i]] = head[i], mod[i]
	}
	if l.dir >= 0 && !a.left {
		values[l.dir] = 1
	}
	switch {
	case l.rel >= 0:
		if a.name == "" {
			return nil, nil, errors.New("an arc without its relation, as in >obj")
		}
		if values[l.rel], err = r.value(relation, a.name); err != nil {
			return nil, nil, err
		}
	case a.name != "":
		return nil, nil, fmt.Errorf("the relation %s: the space %s has none", a.name, r.s.id)
	}
	return t, values, nil
}

// value reads a value. If its word is unknown, it sets r.absent.
func (r *reader) value(f field, text string) (uint32, error) {
	if r.pattern && text == glob.Wildcard {
		r.wild = true
		return glob.Any, nil
	}
	v, err := f.parseValue(text, r.syms)
	if errors.Is(err, index.ErrAbsent) {
		r.absent = true
		return 0, nil
	}
	return v, err
}

// spelled reads a whole feature, `field=value+field=value`.
func (r *reader) spelled(text string) (*template, []uint32, error) {
	type entry struct {
		f field
		v uint32
	}
	var all []entry
	for rest, more := text, true; more; {
		name, value, ok := strings.Cut(rest, "=")
		if !ok {
			return nil, nil, fmt.Errorf("the arc %s: expected its feature, %s", text, r.s.example())
		}
		f, err := parseField(name)
		if err != nil {
			return nil, nil, err
		}
		value, rest, more = strings.Cut(value, "+")
		v, err := r.value(f, value)
		if err != nil {
			return nil, nil, err
		}
		all = append(all, entry{f, v})
	}
	slices.SortFunc(all, func(a, b entry) int { return a.f.compare(b.f) })
	var names []string
	var values []uint32
	for _, e := range all {
		names, values = append(names, e.f.String()), append(values, e.v)
	}
	t := r.s.template([]byte(strings.Join(names, "+")))
	if t == nil {
		return nil, nil, fmt.Errorf("the arc %s: the space has no template %s", text, strings.Join(names, "+"))
	}
	return t, values, nil
}
