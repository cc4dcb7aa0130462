package index

import (
	"errors"
	"fmt"

	"fstore/index/glob"
)

// In emb and ptk, a fragment is a tree of labelled nodes. Its code lists the nodes in preorder: a step is the
// depth of a node and its symbol, a packed Child. Its text has brackets, as in `(NP (DT the) (NN))`. Words
// stand without brackets in it, if words and labels are symbols of two classes.

// Preorder has the methods that these spaces share. They embed it.
type Preorder struct{}

// AppendText implements Space: `(S (NP) (VP (V)))`, `(S (DT the) dog)`. c must be valid.
func (Preorder) AppendText(dst []byte, c Code, s *Symbols) []byte {
	bracketed, _ := bracketClasses(s)
	open := uint32(0) // brackets
	for st := range c.All() {
		for ; open > st.Off; open-- {
			dst = append(dst, ')')
		}
		if st.Off > 0 {
			dst = append(dst, ' ')
		}
		sym := UnpackChild(st.Sym)
		if sym.Class() == bracketed {
			dst = append(dst, '(')
			open++
		}
		dst = AppendEscaped(dst, s.Bytes(sym.Class(), sym.Sym))
	}
	for ; open > 0; open-- {
		dst = append(dst, ')')
	}
	return dst
}

// ParseText implements Space. It reads what AppendText writes. If words and labels have one alphabet, a node
// without children can also stand without brackets.
func (Preorder) ParseText(text string, s *Symbols) (Code, error) {
	nodes, err := ParseBrackets(text)
	if err != nil {
		return nil, err
	}
	var c Code
	for i := range nodes {
		sym, err := nodes[i].Symbol(s)
		if err != nil {
			return nil, err
		}
		c = AppendStep(c, Step{Off: uint32(nodes[i].Depth), Sym: sym.Packed()})
	}
	return c, nil
}

// Check implements Space. The steps of a code must make one tree, and s must have their symbols.
func (Preorder) Check(c Code, s *Symbols) error {
	if len(c) == 0 {
		return errors.New("an empty code")
	}
	bracketed, _ := bracketClasses(s)
	deepest := uint32(0) // the largest depth that the next node may have
	for rest := c; len(rest) > 0; {
		st, next, ok := rest.Next()
		if !ok || st.Off > deepest || (st.Off == 0) != (len(rest) == len(c)) {
			return fmt.Errorf("code %x: not the nodes of a tree", []byte(c))
		}
		rest = next
		sym := UnpackChild(st.Sym)
		if !s.Has(sym) {
			return fmt.Errorf("code %x: no %s %d", []byte(c), sym.Class(), sym.Sym)
		}
		if deepest = st.Off; sym.Class() == bracketed {
			deepest++
		}
	}
	return nil
}

// ParsePattern implements Patterned, see ParseBracketPattern. The children in the pattern are the children
// in the fragment. The sample can have nodes in between.
func (Preorder) ParsePattern(text string, s *Symbols) (*glob.Pattern, error) {
	p, nodes, syms, err := ParseBracketPattern(text, s)
	for i := range nodes {
		if nodes[i].IsWild() || nodes[i].IsRest() {
			break
		}
		p.Prefix = AppendStep(p.Prefix, Step{Off: uint32(nodes[i].Depth), Sym: syms[i].Packed()})
	}
	return p, err
}

// Implied implements Implying. Same is false, because in emb a child can match any descendant.
func (Preorder) Implied() (Implied, bool) { return Implied{}, true }

// Tree implements Patterned. The label of a node is two numbers: the class of its symbol, and the symbol.
func (Preorder) Tree(t *glob.Tree, c Code, _ *Symbols) error {
	t.Reset()
	for rest := c; len(rest) > 0; {
		st, next, ok := rest.Next()
		if !ok || uint64(st.Off) > uint64(t.Depth()) || (st.Off == 0) != (len(rest) == len(c)) {
			return fmt.Errorf("code %x: not the nodes of a tree", []byte(c))
		}
		rest = next
		for t.Depth() > int(st.Off) {
			t.Close()
		}
		sym := UnpackChild(st.Sym)
		t.Open(uint32(sym.Class()), sym.Sym)
	}
	if t.Depth() == 0 {
		return errors.New("an empty code")
	}
	for t.Depth() > 0 {
		t.Close()
	}
	return nil
}

// PatternOf returns a valid code as a pattern. If rest is set, any other nodes may stand between the
// children of a node.
func (Preorder) PatternOf(c Code, rest bool) *glob.Node {
	var path []*glob.Node // by depth
	for st := range c.All() {
		sym := UnpackChild(st.Sym)
		node := &glob.Node{Label: []uint32{uint32(sym.Class()), sym.Sym}}
		if path = append(path[:st.Off], node); st.Off > 0 {
			above := path[st.Off-1]
			above.Kids = append(above.Kids, node)
			if rest {
				above.Kids = append(above.Kids, nil)
			}
		}
		if rest {
			node.Kids = append(node.Kids, nil)
		}
	}
	return path[0]
}

// PreorderNode is a node of a fragment, see Preorder.Unfold.
type PreorderNode struct {
	Sym    uint32 // packed
	Depth  int
	Parent int // -1 for the root
	Size   int // nodes in the subtree, this one included
}

// Unfold returns the nodes of a code in preorder. ok is false if the code is not the code of a tree.
func (Preorder) Unfold(c Code) (nodes []PreorderNode, ok bool) {
	var path []int
	for len(c) > 0 {
		st, rest, ok := c.Next()
		n := PreorderNode{Sym: st.Sym, Depth: int(st.Off), Parent: -1, Size: 1}
		if !ok || n.Depth > len(path) || (n.Depth == 0) != (len(nodes) == 0) {
			return nil, false
		}
		if n.Depth > 0 {
			n.Parent = path[n.Depth-1]
		}
		path = append(path[:n.Depth], len(nodes))
		nodes, c = append(nodes, n), rest
	}
	for i := len(nodes) - 1; i > 0; i-- {
		nodes[nodes[i].Parent].Size += nodes[i].Size
	}
	return nodes, len(nodes) > 0
}
