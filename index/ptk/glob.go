package ptk

import (
	"errors"
	"fmt"

	"fstore/index"
	"fstore/index/glob"
)

// Tree implements index.Patterned.
func (s *Space) Tree(t *glob.Tree, c index.Code, _ *index.Symbols) error {
	t.Reset()
	if len(c) == 0 {
		return errors.New("an empty code")
	}
	for rest := c; len(rest) > 0; {
		st, next, ok := rest.Next()
		first := len(rest) == len(c)
		if !ok || uint64(st.Off) > uint64(t.Depth()) || first != (st.Off == 0) {
			return fmt.Errorf("code %x: no list of nodes", []byte(c))
		}
		rest = next
		for t.Depth() > int(st.Off) {
			t.Close()
		}
		t.Open(globLabel(st.Sym)...)
	}
	for t.Depth() > 0 {
		t.Close()
	}
	return nil
}

// globLabel is a label in a glob.Tree.
func globLabel(label uint32) []uint32 {
	kind := uint32(index.LabelNode)
	if isWord(label) {
		kind = index.WordNode
	}
	return []uint32{kind, label >> 1}
}

// ParsePattern implements index.Patterned, see index.ParseBracketPattern.
func (s *Space) ParsePattern(text string, syms *index.Symbols) (*glob.Pattern, error) {
	p, nodes, labels, err := index.ParseBracketPattern(text, syms)
	if err != nil {
		return nil, err
	}
	var prefix index.Code
	for i := range nodes {
		if nodes[i].IsWild() || nodes[i].IsRest() {
			break
		}
		prefix = index.AppendStep(prefix, index.Step{Off: uint32(nodes[i].Depth), Sym: packLabel(labels[i].Sym, labels[i].Word)})
	}
	p.Prefix = prefix
	return p, nil
}

// Above implements index.Patterned: c with any children between its own.
func (s *Space) Above(c index.Code, _ *index.Symbols) *glob.Pattern {
	var path []*glob.Node // by depth
	for len(c) > 0 {
		st, rest, ok := c.Next()
		if !ok || uint64(st.Off) > uint64(len(path)) {
			break
		}
		c = rest
		node := &glob.Node{Label: globLabel(st.Sym), Kids: []*glob.Node{nil}}
		if st.Off > 0 {
			above := path[st.Off-1]
			above.Kids = append(above.Kids, node, nil)
		}
		path = append(path[:st.Off], node)
	}
	return &glob.Pattern{Root: path[0]}
}
