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
	// stack holds the children to come, the next last, and ends of nodes. Both start in
	// memory of this call: a scan lays out millions.
	type item struct {
		index.Child
		end bool
	}
	var stackMem [64]item
	var kidsMem [32]index.Child
	stack, kids := stackMem[:0], kidsMem[:0]
	st, rest, ok := c.Next()
	if !ok || st.Off != 0 || !isProduction(st.Sym, s) {
		return fmt.Errorf("code %x: no root", []byte(c))
	}
	root, _ := s.Production(st.Sym, kids)
	stack = append(stack, item{Child: index.Child{Sym: root}})
	given := uint32(0)
	for len(stack) > 0 {
		x := stack[len(stack)-1]
		stack = stack[:len(stack)-1]
		switch {
		case x.end:
			t.Close()
			continue
		case x.Word:
			t.Open(uint32(index.Words), x.Sym)
			t.Close()
			continue
		}
		t.Open(uint32(index.Labels), x.Sym)
		if !ok || given < st.Off {
			given++
			t.Close()
			continue
		}
		if !isProduction(st.Sym, s) {
			return fmt.Errorf("code %x: no production %d", []byte(c), st.Sym)
		}
		label, all := s.Production(st.Sym, kids[:0])
		if kids = all; label != x.Sym {
			return fmt.Errorf("code %x: production %d does not fit its place", []byte(c), st.Sym)
		}
		stack = append(stack, item{end: true})
		for k := len(kids) - 1; k >= 0; k-- {
			stack = append(stack, item{Child: kids[k]})
		}
		given = 0
		st, rest, ok = rest.Next()
	}
	if ok || len(rest) > 0 {
		return fmt.Errorf("code %x: no place for its steps", []byte(c))
	}
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
	p.Prefix, err = prefix(nodes, syms, s)
	return p, err
}

// prefix returns the code of the productions that are spelt out, up to the first that
// is not.
func prefix(nodes []index.TextNode, syms []index.Child, s *index.Symbols) (c index.Code, err error) {
	given := uint32(0)
	open := false // a production was not spelt out: what follows has no fixed place
	for i := range nodes {
		switch {
		case syms[i].Word || nodes[i].IsRest():
		case nodes[i].Size == 1:
			given++
		default:
			kids, fixed := children(nodes, syms, i)
			if !fixed {
				open = true
				continue
			}
			prod := s.LookupProduction(syms[i].Sym, kids)
			if prod == 0 {
				return nil, index.ErrAbsent
			}
			if !open {
				c = index.AppendStep(c, index.Step{Off: given, Sym: prod})
			}
			given = 0
		}
	}
	return c, nil
}

// children returns those of node i; fixed says whether it and each of them is spelt
// out.
func children(nodes []index.TextNode, syms []index.Child, i int) (kids []index.Child, fixed bool) {
	fixed = !nodes[i].IsWild()
	for k := i + 1; k < i+nodes[i].Size; k += nodes[k].Size {
		fixed = fixed && !nodes[k].IsWild() && !nodes[k].IsRest()
		kids = append(kids, syms[k])
	}
	return kids, fixed
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
