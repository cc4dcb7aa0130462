package index

import (
	"errors"
	"fmt"
	"strings"

	"fstore/index/glob"
)

// TextNode is a node of a fragment's text.
type TextNode struct {
	Name    string // unescaped
	Text    string // as it is written
	Bracket bool   // `(Name …)`, not a bare name
	Size    int    // nodes in the subtree, this one included
	Depth   int    // 0 at the root
}

// ParseBrackets reads the nodes of a fragment's text, such as `(NP (DT the) (NN))`, in preorder. The text
// must have one root, which can be a bare name.
func ParseBrackets(text string) ([]TextNode, error) {
	var nodes []TextNode
	var open []int
	for i := 0; i < len(text); {
		switch ch := text[i]; {
		case ch == ' ' || ch == '\t' || ch == '\n' || ch == '\r':
			i++
			continue
		case ch == ')':
			if len(open) == 0 {
				return nil, errors.New("a closing bracket too many")
			}
			n := open[len(open)-1]
			nodes[n].Size = len(nodes) - n
			open = open[:len(open)-1]
			i++
			continue
		}
		bracket := text[i] == '('
		from := i
		if bracket {
			from++
		}
		end := from + IndexUnescaped(text[from:], "() \t\r\n")
		name, err := AppendUnescaped(nil, []byte(text[from:end]))
		switch {
		case err != nil:
			return nil, err
		case len(open) == 0 && len(nodes) > 0 && !nodes[0].Bracket:
			return nil, OutsideError(nodes[0].Name)
		case len(open) == 0 && len(nodes) > 0 && bracket:
			return nil, errors.New("a fragment has one root: text after its closing bracket")
		case len(open) == 0 && len(nodes) > 0:
			return nil, OutsideError(string(name))
		case end == from:
			return nil, errors.New(`a bracket without a label (\e is the empty one)`)
		}
		nodes = append(nodes, TextNode{Name: string(name), Text: text[from:end], Bracket: bracket, Size: 1, Depth: len(open)})
		if bracket {
			open = append(open, len(nodes)-1)
		}
		i = end
	}
	if len(open) > 0 {
		return nil, errors.New("a closing bracket is missing")
	}
	if len(nodes) == 0 {
		return nil, errors.New("no fragment: it looks like (NP (DT the) (NN))")
	}
	return nodes, nil
}

// OutsideError is the error for a name outside the brackets of a fragment's text. Its value is the name.
type OutsideError string

func (e OutsideError) Error() string {
	return fmt.Sprintf("%q stands outside the brackets%s: a fragment looks like (NP (DT the) (NN))", string(e), QuoteHint(string(e)))
}

// QuoteHint returns a hint for an error message if a name has typographic quotes, or else "".
func QuoteHint(name string) string {
	if strings.ContainsAny(name, "“”„‟«»‘’‚‛") {
		return " (typographic quotes are letters like others)"
	}
	return ""
}

// bracketClasses returns the class of the names in brackets, and the class of the names without brackets.
func bracketClasses(s *Symbols) (bracketed, bare Class) {
	switch {
	case s.Len(Labels) == 0: // dependency trees
		return Words, Words
	case s.Len(Words) == 0: // one alphabet
		return Labels, Labels
	}
	return Labels, Words
}

func (n *TextNode) class(s *Symbols) Class {
	bracketed, bare := bracketClasses(s)
	if n.Bracket {
		return bracketed
	}
	return bare
}

// Symbol returns the symbol with the node's name, or ErrAbsent if s does not have it.
func (n *TextNode) Symbol(s *Symbols) (Child, error) {
	class := n.class(s)
	c := Child{Sym: s.Lookup(class, []byte(n.Name)), Word: class == Words}
	if c.Sym == 0 {
		return c, ErrAbsent
	}
	return c, nil
}

// ParseBracketPattern reads a pattern in brackets. `_` stands for any label or word, and `...` for any number
// of further children:
//
//	(NP (DT _) (NN))   (_ ... (PP (IN of) ...))
//
// A label of the pattern is the class and the id of a symbol. The third result has the symbol of each node of
// the text, but ignore it for `_` and `...`. If a symbol is unknown, the error is ErrAbsent.
func ParseBracketPattern(text string, s *Symbols) (*glob.Pattern, []TextNode, []Child, error) {
	nodes, err := ParseBrackets(text)
	if err != nil {
		return nil, nil, nil, err
	}
	p := &glob.Pattern{}
	syms := make([]Child, len(nodes))
	var path []*glob.Node // by depth
	for i := range nodes {
		n := &nodes[i]
		var above *glob.Node
		if n.Depth > 0 {
			above = path[n.Depth-1]
			if n.IsRest() {
				above.Kids = append(above.Kids, nil)
				p.Wild = true
				continue
			}
		}
		if n.IsWild() {
			p.Wild, syms[i] = true, Child{Sym: glob.Any, Word: n.class(s) == Words}
		} else if syms[i], err = n.Symbol(s); err != nil {
			return nil, nil, nil, err
		}
		node := &glob.Node{Label: []uint32{uint32(syms[i].Class()), syms[i].Sym}}
		if above == nil {
			p.Root = node
		} else {
			above.Kids = append(above.Kids, node)
		}
		path = append(path[:n.Depth], node)
	}
	return p, nodes, syms, nil
}

// IsWild says whether n is the wildcard `_` of a pattern, which stands for any label or word.
func (n *TextNode) IsWild() bool { return n.Text == glob.Wildcard }

// IsRest says whether n is the `...` of a pattern, which stands for any further children.
func (n *TextNode) IsRest() bool { return !n.Bracket && n.Depth > 0 && n.Text == glob.Rest }
