package poly

import (
	"fmt"

	"fstore/index"
	"fstore/index/glob"
)

// Tree implements index.Patterned. The features become the children of a root without a label.
func (s *Space) Tree(t *glob.Tree, c index.Code, syms *index.Symbols) error {
	t.Reset()
	if len(c) == 0 {
		return errEmpty
	}
	var mem [16]uint32
	t.Open()
	for rest := c; len(rest) > 0; {
		st, more, ok := rest.Next()
		label, known := s.label(mem[:0], st.Sym, syms)
		if !ok || !known {
			return fmt.Errorf("code %x: not a set of features", []byte(c))
		}
		rest = more
		t.Open(label...)
		t.Close()
	}
	t.Close()
	return nil
}

// ParsePattern implements index.Patterned. `_` is any feature, and `...` is any number of further features.
// Within the feature of an arc, `_` means the same as in dep.
func (s *Space) ParsePattern(text string, syms *index.Symbols) (*glob.Pattern, error) {
	parts, err := s.split(text)
	if err != nil {
		return nil, err
	}
	root := &glob.Node{}
	p := &glob.Pattern{Root: root, Unordered: true}
	named := 0
	for _, part := range parts {
		if part == glob.Rest {
			root.Kids, p.Wild = append(root.Kids, nil), true
			continue
		}
		named++
		node, wild, err := s.featurePattern(part, syms)
		if err != nil {
			return nil, err
		}
		root.Kids, p.Wild = append(root.Kids, node), p.Wild || wild
	}
	if named > 0 {
		err = s.checkSize(named)
	}
	return p, err
}

// featurePattern reads one feature of a pattern.
func (s *Space) featurePattern(text string, syms *index.Symbols) (node *glob.Node, wild bool, err error) {
	if text == glob.Wildcard {
		return &glob.Node{More: true}, true, nil
	}
	if text != "" && !isEntry(text) {
		values, wild, err := s.arcs.ParsePattern(text, syms)
		return &glob.Node{Label: append([]uint32{arcFeature}, values...)}, wild, err
	}
	sym, err := s.parseFeature(text, syms)
	if err != nil {
		return nil, false, err
	}
	label, _ := s.label(nil, sym, syms)
	return &glob.Node{Label: label}, false, nil
}

// Above implements index.Patterned. The pattern is c with any number of further features.
func (s *Space) Above(c index.Code, syms *index.Symbols) *glob.Pattern {
	root := &glob.Node{}
	steps, _ := c.Steps(nil)
	for _, st := range steps {
		label, _ := s.label(nil, st.Sym, syms)
		root.Kids = append(root.Kids, &glob.Node{Label: label})
	}
	root.Kids = append(root.Kids, nil)
	return &glob.Pattern{Root: root, Unordered: true}
}
