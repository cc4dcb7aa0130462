package stk

import (
	"fmt"

	"fstore/index"
	"fstore/index/glob"
)

// Tree implements index.Patterned: a nonterminal without children is one that is not
// expanded.
func (Space) Tree(t *glob.Tree, c index.Code, s *index.Symbols) error {
	t.Reset()
	u := newUnfolding(c, s)
	if !u.ok || u.step.Off != 0 || !isProduction(u.step.Sym, s) {
		return fmt.Errorf("code %x: no root", []byte(c))
	}
	var mem [8]index.Child
	root, _ := s.Production(u.step.Sym, mem[:0])
	if err := u.open(t, root); err != nil {
		return fmt.Errorf("code %x: %w", []byte(c), err)
	}
	if u.ok || len(u.rest) > 0 {
		return fmt.Errorf("code %x: no place for its steps", []byte(c))
	}
	return nil
}

// open adds the next nonterminal, which has this label, to t, with all below it.
func (u *unfolding) open(t *glob.Tree, label uint32) error {
	t.Open(uint32(index.Labels), label)
	if prod, ok := u.next(); ok {
		if !isProduction(prod, u.s) {
			return fmt.Errorf("no production %d", prod)
		}
		var mem [8]index.Child // a scan lays out millions
		lhs, kids := u.s.Production(prod, mem[:0])
		if lhs != label {
			return fmt.Errorf("production %d does not fit its place", prod)
		}
		for _, k := range kids {
			if k.Word {
				t.Open(uint32(index.Words), k.Sym)
				t.Close()
			} else if err := u.open(t, k.Sym); err != nil {
				return err
			}
		}
	}
	t.Close()
	return nil
}

func isProduction(sym uint32, s *index.Symbols) bool {
	return sym != 0 && uint64(sym) <= uint64(s.Len(index.Productions))
}

// ParsePattern implements index.Patterned, see index.ParseBracketPattern.
func (Space) ParsePattern(text string, s *index.Symbols) (*glob.Pattern, error) {
	p, nodes, syms, err := index.ParseBracketPattern(text, s)
	switch {
	case err != nil:
		return nil, err
	case !nodes[0].Bracket:
		return nil, index.OutsideError(nodes[0].Name)
	case len(nodes) == 1:
		return nil, ErrNoFragment
	}
	p.Prefix, err = codeOf(nodes, syms, s, true)
	return p, err
}

// Above implements index.Patterned: c with whatever stands below what it leaves
// unexpanded.
func (Space) Above(c index.Code, s *index.Symbols) *glob.Pattern {
	return &glob.Pattern{Root: PatternNode(c, s, true)}
}

// PatternNode is a valid code as the root of a pattern; open says that what it leaves
// unexpanded may be expanded.
func PatternNode(c index.Code, s *index.Symbols, open bool) *glob.Node {
	f := Unfold(c, s)
	nodes := make([]*glob.Node, len(f.Nodes))
	for i := len(f.Nodes) - 1; i >= 0; i-- { // children have larger numbers
		label, kids := s.Production(f.Nodes[i].Prod, nil)
		nodes[i] = &glob.Node{Label: []uint32{uint32(index.Labels), label}}
		slot := 0
		for _, k := range kids {
			if k.Word {
				nodes[i].Kids = append(nodes[i].Kids, &glob.Node{Label: []uint32{uint32(index.Words), k.Sym}})
				continue
			}
			kid := &glob.Node{Label: []uint32{uint32(index.Labels), k.Sym}}
			switch at := f.Nodes[i].Kids[slot]; {
			case at >= 0:
				kid = nodes[at]
			case open:
				kid.Kids = []*glob.Node{nil}
			}
			nodes[i].Kids = append(nodes[i].Kids, kid)
			slot++
		}
	}
	return nodes[0]
}
