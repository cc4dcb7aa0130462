package index

import (
	"errors"
	"fmt"
)

// TextNode is a node of a fragment's text.
type TextNode struct {
	Name    string // unescaped
	Text    string // as it is written
	Bracket bool   // `(Name …)`, not a bare name
	Size    int    // nodes in the subtree, this one included
	Depth   int    // 0 at the root
}

// ParseBrackets reads the nodes of a fragment's text, `(NP (DT the) (NN))`, in
// preorder: there is one root, which may be a bare name, and it is an error where
// the text has none or is not well formed.
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
		name, end, err := readName(text, from)
		switch {
		case err != nil:
			return nil, err
		case len(open) == 0 && len(nodes) > 0 && !nodes[0].Bracket:
			return nil, OutsideError(nodes[0].Name)
		case len(open) == 0 && len(nodes) > 0 && bracket:
			return nil, errors.New("a fragment has one root: text after its closing bracket")
		case len(open) == 0 && len(nodes) > 0:
			return nil, OutsideError(name)
		case end == from:
			return nil, errors.New(`a bracket without a label (\e is the empty one)`)
		}
		nodes = append(nodes, TextNode{Name: name, Text: text[from:end], Bracket: bracket, Size: 1, Depth: len(open)})
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

// OutsideError says that this name stands where only brackets may.
type OutsideError string

func (e OutsideError) Error() string {
	return fmt.Sprintf("%q stands outside the brackets: a fragment looks like (NP (DT the) (NN))", string(e))
}

// readName reads an escaped name that starts at i, and returns where it ends.
func readName(text string, i int) (name string, end int, err error) {
	for end = i; end < len(text); end++ {
		switch text[end] {
		case '\\':
			end++
			continue
		case '(', ')', ' ', '\t', '\n', '\r':
		default:
			continue
		}
		break
	}
	end = min(end, len(text))
	b, err := AppendUnescaped(nil, []byte(text[i:end]))
	return string(b), end, err
}
