package pattern

import (
	"regexp"

	"fstore/index/glob"
)

const bracketExample = "as in (NP (DT the) (NN))"

// brackets reads a pattern of constituency trees.
func (r *reader) brackets() error {
	r.skipSpaces()
	root, err := r.bracketNode()
	if err != nil {
		return err
	}
	r.p.root = root
	switch r.skipSpaces(); {
	case r.at == len(r.text):
		return nil
	case r.text[r.at] == ')':
		return r.errorf(r.at, "a closing bracket too many")
	case root.word:
		return r.errorf(r.at, "%s is a word, and a pattern has one root: a node with children is written in brackets, %s", root.text, bracketExample)
	}
	return r.errorf(r.at, "a pattern has one root: text after its closing bracket")
}

// bracketNode reads a node, which is in brackets or bare.
func (r *reader) bracketNode() (*node, error) {
	from := r.at
	switch {
	case r.at == len(r.text):
		return nil, r.errorf(r.at, "no pattern: it looks like (NP (DT the) (NN))")
	case r.text[r.at] == ')':
		return nil, r.errorf(r.at, "a closing bracket where a node is expected, %s", bracketExample)
	case r.text[r.at] != '(':
		return r.bracketName(from, true)
	}
	if r.depth++; r.depth > maxDepth {
		return nil, r.errorf(from, "its brackets are too deep")
	}
	r.at++
	n, err := r.bracketName(r.at, false)
	if err != nil {
		return nil, err
	}
	gap := false
	for {
		switch r.skipSpaces(); {
		case r.at == len(r.text):
			return nil, r.errorf(from, "this bracket is not closed: a ) is missing")
		case r.text[r.at] == ')':
			r.at++
			r.depth--
			n.gaps = append(n.gaps, gap || len(n.kids) == 0)
			return n, nil
		case r.atRest():
			r.at += len(glob.Rest)
			gap, n.rest = true, true
			continue
		}
		kid, err := r.bracketNode()
		if err != nil {
			return nil, err
		}
		n.kids, n.gaps = append(n.kids, kid), append(n.gaps, gap)
		gap = false
	}
}

// atRest says whether `...` comes next.
func (r *reader) atRest() bool {
	return !r.o.Literal && r.text[r.at:r.upTo("()"+spaces)] == glob.Rest
}

// bracketName reads the name of a node. A bare node has no brackets.
func (r *reader) bracketName(from int, bare bool) (*node, error) {
	rest := r.atRest()
	r.at = r.upTo("()" + spaces)
	switch {
	case r.at == from && r.at < len(r.text) && r.text[r.at] == '(':
		return nil, r.errorf(r.at, `a bracket begins with its label, %s: (_ …) is any, \e the empty one`, bracketExample)
	case r.at == from:
		return nil, r.errorf(r.at, `a label is missing after the bracket, %s: (_) is any, \e the empty one`, bracketExample)
	case rest:
		return nil, r.errorf(from, "... stands among the children of a node, as in (NP ... (NN))")
	}
	n := r.add(from)
	n.word = bare
	if at := condition.FindStringIndex(n.text); at != nil && !r.o.Literal {
		return nil, r.errorf(from+at[0], "conditions are for dependency trees: here a word is a child, as in (VB give)")
	}
	all, err := r.names(from, r.at)
	if err != nil {
		return nil, err
	}
	field := Label
	if bare && !r.o.OneAlphabet {
		field = Word
	}
	n.test(field, false, all)
	if bare {
		n.gaps = []bool{true}
	}
	return n, nil
}

// condition is a regular expression for text that looks like a condition on a token.
var condition = regexp.MustCompile(`\[(form|lemma|upos|xpos|feats|misc)[=~]`)
