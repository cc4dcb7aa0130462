package index

import "fstore/index/glob"

// The first number of the label of a node that text has in brackets, or bare as a
// word, in glob.Trees of spaces that print so. The second is the symbol.
const (
	LabelNode = iota
	WordNode
)

// ParseBracketPattern reads brackets in which `_` is any word where a word stands and
// any label where a label does, and `...` stands for any further children, so that
// `(NP ...)` is an NP with or without children:
//
//	(NP (DT _) (NN))   (_ ... (PP (IN of) ...))
//
// It also returns the nodes as they stand in the text, for the pattern's prefix, and
// their symbols, glob.Any for the first and 0 for the second of them. Where there is
// one alphabet, a bare name is a label. An unknown symbol is ErrAbsent.
func ParseBracketPattern(text string, s *Symbols) (*glob.Pattern, []TextNode, []Child, error) {
	nodes, err := ParseBrackets(text)
	if err != nil {
		return nil, nil, nil, err
	}
	oneAlphabet := s.Len(Words) == 0
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
		kind, class := uint32(LabelNode), Labels
		if !n.Bracket && !oneAlphabet {
			kind, class = WordNode, Words
		}
		sym := uint32(glob.Any)
		if n.IsWild() {
			p.Wild = true
		} else if sym = s.Lookup(class, []byte(n.Name)); sym == 0 {
			return nil, nil, nil, ErrAbsent
		}
		syms[i] = Child{Sym: sym, Word: kind == WordNode}
		node := &glob.Node{Label: []uint32{kind, sym}}
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
