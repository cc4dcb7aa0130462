package index

import "fstore/index/glob"

// bracketClasses returns the classes of what a fragment's text has in brackets and
// bare: labels and words, where there are both.
func bracketClasses(s *Symbols) (bracketed, bare Class) {
	switch {
	case s.Len(Labels) == 0: // of dependency trees
		return Words, Words
	case s.Len(Words) == 0: // one alphabet
		return Labels, Labels
	}
	return Labels, Words
}

// ParseBracketPattern reads brackets in which `_` is any word where a word stands and
// any label where a label does, and `...` stands for any further children, so that
// `(NP ...)` is an NP with or without children:
//
//	(NP (DT _) (NN))   (_ ... (PP (IN of) ...))
//
// The label of a node is the class of its symbol and the symbol. It also returns the
// nodes as they stand in the text, for the pattern's prefix, and their symbols, which
// mean nothing for what is not spelt out. An unknown symbol is ErrAbsent.
func ParseBracketPattern(text string, s *Symbols) (*glob.Pattern, []TextNode, []Child, error) {
	nodes, err := ParseBrackets(text)
	if err != nil {
		return nil, nil, nil, err
	}
	bracketed, bare := bracketClasses(s)
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
		class := bare
		if n.Bracket {
			class = bracketed
		}
		sym := uint32(glob.Any)
		if n.IsWild() {
			p.Wild = true
		} else if sym = s.Lookup(class, []byte(n.Name)); sym == 0 {
			return nil, nil, nil, ErrAbsent
		}
		syms[i] = Child{Sym: sym, Word: class == Words}
		node := &glob.Node{Label: []uint32{uint32(class), sym}}
		if above == nil {
			p.Root = node
		} else {
			above.Kids = append(above.Kids, node)
		}
		path = append(path[:n.Depth], node)
	}
	return p, nodes, syms, nil
}

// IsWild says whether n is, in a pattern, any label or word.
func (n *TextNode) IsWild() bool { return n.Text == glob.Wildcard }

// IsRest says whether n stands, in a pattern, for the rest of the children.
func (n *TextNode) IsRest() bool { return !n.Bracket && n.Depth > 0 && n.Text == glob.Rest }
