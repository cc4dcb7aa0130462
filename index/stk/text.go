package stk

import (
	"errors"
	"fmt"

	"fstore/index"
	"fstore/index/glob"
)

// AppendText appends the fragment in brackets: `(NP (DT the) (NN))`. Brackets without children are an
// unexpanded nonterminal. c must be valid.
func (Space) AppendText(dst []byte, c index.Code, s *index.Symbols) []byte {
	u := newUnfolding(c, s)
	if !u.ok {
		return dst
	}
	var mem [8]index.Child
	label, _ := s.Production(u.step.Sym, mem[:0])
	return u.appendNode(dst, label)
}

// appendNode appends the text of the next nonterminal and of all nodes below it. `label` is the label of the
// nonterminal.
func (u *unfolding) appendNode(dst []byte, label uint32) []byte {
	dst = index.AppendEscaped(append(dst, '('), u.s.Bytes(index.Labels, label))
	if prod, ok := u.next(); ok {
		var mem [8]index.Child // most productions are no longer
		_, kids := u.s.Production(prod, mem[:0])
		for _, k := range kids {
			if dst = append(dst, ' '); k.Word {
				dst = index.AppendEscaped(dst, u.s.Bytes(index.Words, k.Sym))
			} else {
				dst = u.appendNode(dst, k.Sym)
			}
		}
	}
	return append(dst, ')')
}

// ErrNoFragment says that a single node is no fragment.
var ErrNoFragment = errors.New("a single node is no fragment: expand it, as in (NP (DT) (NN))")

// checkRoot returns an error if the root has no brackets, or is the only node.
func checkRoot(nodes []index.TextNode) error {
	switch {
	case !nodes[0].Bracket:
		return index.OutsideError(nodes[0].Name)
	case len(nodes) == 1:
		return ErrNoFragment
	}
	return nil
}

// ParseText reads what AppendText writes. With one alphabet, a node without children needs no brackets. If a
// label, a word or a production never occurs, the error is index.ErrAbsent.
func (x Space) ParseText(text string, s *index.Symbols) (index.Code, error) {
	nodes, err := index.ParseBrackets(text)
	if err == nil {
		err = checkRoot(nodes)
	}
	if err != nil {
		return nil, err
	}
	depth := 0 // the number of productions above the deepest node
	for i := range nodes {
		depth = max(depth, nodes[i].Depth)
	}
	if x.MaxDepth > 0 && depth > x.MaxDepth {
		return nil, fmt.Errorf("%s deep: a fragment of %s has at most %d", index.Plural(depth, "production"), x.ID(), x.MaxDepth)
	}
	syms := make([]index.Child, len(nodes))
	for i := range nodes {
		if syms[i], err = nodes[i].Symbol(s); err != nil {
			return nil, err
		}
	}
	if syms[0].Word { // s has the words of dependency trees only
		return nil, index.ErrAbsent
	}
	return codeOf(nodes, syms, s, false)
}

// ParsePattern implements index.Patterned, see index.ParseBracketPattern.
func (Space) ParsePattern(text string, s *index.Symbols) (*glob.Pattern, error) {
	p, nodes, syms, err := index.ParseBracketPattern(text, s)
	if err == nil {
		err = checkRoot(nodes)
	}
	if err != nil {
		return nil, err
	}
	p.Prefix, err = codeOf(nodes, syms, s, true)
	return p, err
}

// codeOf returns the code of a fragment, or of a pattern up to the first production with a wildcard or `...`.
// If a production never occurs, the error is index.ErrAbsent.
func codeOf(nodes []index.TextNode, syms []index.Child, s *index.Symbols, pattern bool) (c index.Code, err error) {
	given := uint32(0)
	open := false // a production had a wildcard, so the next steps have no known Off
	var kids []index.Child
	for i := range nodes {
		n := &nodes[i]
		switch {
		case syms[i].Word || pattern && n.IsRest():
			continue
		case n.Size == 1:
			given++
			continue
		}
		fixed := !n.IsWild()
		kids = kids[:0]
		for k := i + 1; k < i+n.Size; k += nodes[k].Size {
			fixed = fixed && !nodes[k].IsWild() && !nodes[k].IsRest()
			kids = append(kids, syms[k])
		}
		if pattern && !fixed {
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
	return c, nil
}
