package pattern

import (
	"slices"
	"strings"

	"fstore/index"
	"fstore/index/glob"
)

const arcExample = "as in VERB >obj NOUN"

// arcs reads a pattern of dependency trees.
func (r *reader) arcs() error {
	var err error
	r.p.root, err = r.arcNode()
	if err == nil && r.at < len(r.text) { // only a bracket ends a node
		err = r.errorf(r.at, "a closing bracket too many")
	}
	return err
}

// arcNode reads a node and its dependents, up to a closing bracket or the end.
func (r *reader) arcNode() (n *node, err error) {
	var lefts []*node
	rest := false
	for n == nil {
		if r.takeRest() {
			rest = true
			continue
		}
		from := r.at
		x, group, err := r.operand()
		if err != nil {
			return nil, err
		}
		switch a, at, err := r.arc(); {
		case err != nil:
			return nil, err
		case a != nil && a.side == left:
			if err := r.hang(x, a); err != nil {
				return nil, err
			}
			lefts = append(lefts, x)
			continue
		case a != nil:
			r.at = at
		}
		if group && (len(x.kids) > 0 || len(x.free) > 0) {
			if len(lefts) == 0 && (r.at == len(r.text) || r.text[r.at] == ')') {
				return x, nil
			}
			return nil, r.errorf(from, "a group in brackets is a dependent: an arc must lead to it, as in VERB >obj (NOUN >det DET)")
		}
		n = x
	}
	n.kids, n.rest = append(lefts, n.kids...), rest
	if err := r.rightArcs(n); err != nil {
		return nil, err
	}
	n.gaps = slices.Repeat([]bool{true}, len(n.kids)+1)
	return n, nil
}

// rightArcs reads the arcs of n to the dependents that follow n in the text.
func (r *reader) rightArcs(n *node) error {
	for {
		if r.takeRest() {
			n.rest = true
			continue
		}
		if r.at == len(r.text) || r.text[r.at] == ')' {
			return nil
		}
		a, at, err := r.arc()
		switch {
		case err != nil:
			return err
		case a == nil:
			end := r.upTo("()<>" + spaces)
			return r.errorf(r.at, "%s where an arc is expected, %s", r.text[r.at:max(end, r.at+1)], arcExample)
		case a.side == left:
			return r.errorf(at, "a dependent on the left stands before its head, as in PRON <nsubj VERB; <>nsubj is either side")
		}
		x, _, err := r.operand()
		if err != nil {
			return err
		}
		if err := r.hang(x, a); err != nil {
			return err
		}
		if x.side == right {
			n.kids = append(n.kids, x)
		} else if n.free = append(n.free, x); len(n.free) > maxFree {
			return r.errorf(at, "at most %d dependents of one head on either side: write > or <", maxFree)
		}
	}
}

// hang sets the side and the relation of n, from the arc that leads to n.
func (r *reader) hang(n *node, a *arc) (err error) {
	n.side = a.side
	n.rel, err = r.names(a.from, a.to)
	return err
}

// takeRest reads `...` if it comes next, and says whether it did.
func (r *reader) takeRest() bool {
	r.skipSpaces()
	if r.o.Literal || r.text[r.at:r.upTo("()<>"+spaces)] != glob.Rest {
		return false
	}
	r.at += len(glob.Rest)
	return true
}

// arc is an arc as it is written in the text. Its relation is text[from:to].
type arc struct {
	side     side
	from, to int
}

// arc reads an arc if an arc comes next, and returns the place where the arc begins.
func (r *reader) arc() (a *arc, at int, err error) {
	r.skipSpaces()
	at = r.at
	sign := "<>"
	switch rest := r.text[at:]; {
	case strings.HasPrefix(rest, "<>"):
		a = &arc{side: anySide}
	case strings.HasPrefix(rest, "<"):
		a, sign = &arc{side: left}, "<"
	case strings.HasPrefix(rest, ">"):
		a, sign = &arc{side: right}, ">"
	default:
		return nil, at, nil
	}
	r.at += len(sign)
	a.from = r.at
	r.at = r.upTo("()<>[" + spaces)
	a.to = r.at
	switch name := r.text[a.from:a.to]; {
	case r.at < len(r.text) && r.text[r.at] == '[':
		return nil, at, r.errorf(r.at, `conditions are on nodes, %s; a [ in a name is \x5B`, "as in VERB[lemma=give] >obj NOUN")
	case name == "" && r.at < len(r.text) && (r.text[r.at] == '<' || r.text[r.at] == '>'):
		return nil, at, r.errorf(at, "an arc is <, > or <> and its relation, %s", arcExample)
	case name == "":
		return nil, at, r.errorf(at, "an arc without its relation: write %sobj, or %s_ for any", sign, sign)
	case name == string(star):
		return nil, at, r.errorf(a.from, "write %s_ for any relation", sign)
	case name == glob.Rest:
		return nil, at, r.errorf(a.from, "... stands for further dependents, and has no arc: write %s_ for any relation", sign)
	}
	return a, at, nil
}

// operand reads a single node, or a group in brackets.
func (r *reader) operand() (n *node, group bool, err error) {
	r.skipSpaces()
	from := r.at
	switch {
	case r.at == len(r.text) && len(r.p.nodes) == 0:
		return nil, false, r.errorf(r.at, "no pattern: it looks like VERB >obj NOUN")
	case r.at == len(r.text):
		return nil, false, r.errorf(r.at, "a node is missing at the end, %s", arcExample)
	case r.text[r.at] == ')':
		return nil, false, r.errorf(r.at, "a closing bracket where a node is expected, %s", arcExample)
	case r.text[r.at] == '<' || r.text[r.at] == '>':
		return nil, false, r.errorf(r.at, "an arc where a node is expected, %s: _ is any node", arcExample)
	case r.text[r.at] != '(':
		n, err = r.token()
		return n, false, err
	}
	if r.depth++; r.depth > maxDepth {
		return nil, false, r.errorf(r.at, "its brackets are too deep")
	}
	r.at++
	if n, err = r.arcNode(); err != nil {
		return nil, false, err
	}
	if r.depth--; r.at == len(r.text) {
		return nil, false, r.errorf(from, "this bracket is not closed: a ) is missing")
	}
	r.at++
	return n, true, nil
}

// token reads the name of a node and its conditions.
func (r *reader) token() (*node, error) {
	from := r.at
	r.at = r.upTo("()<>[" + spaces)
	if r.o.Literal {
		r.at = r.upTo("()<>" + spaces)
	}
	end := r.at
	switch name := r.text[from:end]; {
	case name == "":
		return nil, r.errorf(from, `a condition stands after a name: write _[lemma=give] for any node; a [ in a name is \x5B`)
	case name == string(star) && !r.o.Literal:
		return nil, r.errorf(from, "write _ for any node")
	}
	upos, err := r.names(from, end)
	if err != nil {
		return nil, err
	}
	n := r.add(from)
	n.gaps = []bool{true}
	n.test(UPOS, false, upos)
	for r.at < len(r.text) && r.text[r.at] == '[' {
		if err := r.condition(n); err != nil {
			return nil, err
		}
	}
	if r.at < len(r.text) && strings.IndexByte("()<>"+spaces, r.text[r.at]) < 0 {
		return nil, r.errorf(r.at, "text after a condition: a space is missing, %s", "as in VERB[lemma=give] >obj NOUN")
	}
	n.text = r.text[from:r.at]
	return n, nil
}

// condition reads a condition on n, as in [lemma=give].
func (r *reader) condition(n *node) error {
	open := r.at
	end := r.upTo("]")
	if space := r.upTo(spaces); space < end {
		return r.errorf(space, `a space within a condition: write [lemma=give]; a space in a value is \s`)
	}
	if end == len(r.text) {
		return r.errorf(open, "this condition is not closed: a ] is missing, as in [lemma=give]")
	}
	if bracket := r.upTo("()"); bracket < end {
		return r.errorf(bracket, `a bracket in a value is \( or \)`)
	}
	r.at = open + 1
	text := r.text[r.at:end]
	op := strings.IndexAny(text, "=~")
	name, from := "", r.at
	switch {
	case text == "":
		return r.errorf(open, "an empty condition: write [lemma=give]")
	case op < 0 && r.o.Words == "":
		return r.errorf(r.at, "a condition is a field and its value: write [lemma=%s] or [form=%s]", text, text)
	case op < 0:
		name, op = r.o.Words, -1
	default:
		name = text[:op]
	}
	field, err := r.field(name, r.at)
	if err != nil {
		return err
	}
	from += op + 1
	items := op >= 0 && text[op] == '~'
	if err := r.checkValue(field, items, from, end); err != nil {
		return err
	}
	all, err := r.names(from, end)
	if err != nil {
		return err
	}
	n.test(field, items, all)
	r.at = end + 1
	return nil
}

// field returns the field with this name. The name stands at the index nameAt of the text.
func (r *reader) field(name string, nameAt int) (Field, error) {
	fields := fieldNames[Form : Misc+1]
	if i := slices.Index(fields, name); i >= 0 {
		return Form + Field(i), nil
	}
	list := strings.Join(fields, ", ")
	if strings.HasSuffix(name, "!") {
		return 0, r.errorf(nameAt+len(name)-1, "a condition says what a value is, with = or ~: there is no !=")
	}
	if near := index.Nearest(name, fields); len(near) > 0 {
		return 0, r.errorf(nameAt, "no field %s: did you mean %s? (fields: %s)", name, near[0], list)
	}
	return 0, r.errorf(nameAt, "no field %s: there are %s", name, list)
}

// checkValue returns an error for a value that the field cannot have.
func (r *reader) checkValue(f Field, items bool, from, to int) error {
	value := r.text[from:to]
	quoted := len(value) > 2 && strings.IndexByte(`"'`, value[0]) >= 0 && value[0] == value[len(value)-1]
	switch {
	case value == "":
		return r.errorf(from, `a value is missing, as in [%s=x]: _ is any, \e the empty one`, f)
	case items && f != Feats && f != Misc:
		return r.errorf(from-1, "~ looks for an item of feats or misc: write [%s=%s]", f, value)
	case len(value) > 1 && value[0] == '=':
		return r.errorf(from, `one = is enough: write [%s=%s]; a value that begins with = is written \x3D`, f, value[1:])
	case quoted:
		return r.errorf(from, `a value has no quotes: write [%s=%s]; a quote itself is \x22 or \x27`, f, value[1:len(value)-1])
	case strings.TrimPrefix(value, foldMark) == "":
		return r.errorf(to, "a value is missing after %s", foldMark)
	}
	if !items || f != Feats {
		return nil
	}
	for item := range strings.SplitSeq(strings.TrimPrefix(value, foldMark), "|") {
		if item != glob.Wildcard && !strings.ContainsAny(item, "=*") && !strings.Contains(item, `\x3D`) {
			return r.errorf(from+strings.Index(value, item), "an item of feats is a name and its value: write [feats~%s=*] for any", item)
		}
	}
	return nil
}
