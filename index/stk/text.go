package stk

import (
	"errors"
	"fmt"

	"fstore/index"
)

// AppendText appends the fragment in brackets: `(NP (DT the) (NN))`, a childless
// bracket being a nonterminal that is not expanded. c must be valid.
func (Space) AppendText(dst []byte, c index.Code, s *index.Symbols) []byte {
	// stack holds what is still to be printed, the next last: children, and closing
	// brackets. Both start in memory of this call: listings print millions.
	type item struct {
		index.Child
		close bool
	}
	var stackMem [64]item
	var kidsMem [32]index.Child
	stack, kids := stackMem[:0], kidsMem[:0]
	st, rest, ok := c.Next()
	given := uint32(0)
	if !ok {
		return dst
	}
	label, _ := s.Production(st.Sym, kids)
	stack = append(stack, item{Child: index.Child{Sym: label}})
	for len(stack) > 0 {
		x := stack[len(stack)-1]
		stack = stack[:len(stack)-1]
		if x.close {
			dst = append(dst, ')')
			continue
		}
		if n := len(dst); n > 0 && dst[n-1] != ' ' && len(stack) > 0 {
			dst = append(dst, ' ')
		}
		if x.Word {
			dst = index.AppendEscaped(dst, s.Bytes(index.Words, x.Sym))
			continue
		}
		dst = append(dst, '(')
		dst = index.AppendEscaped(dst, s.Bytes(index.Labels, x.Sym))
		if !ok || given < st.Off {
			given++
			dst = append(dst, ')')
			continue
		}
		_, kids = s.Production(st.Sym, kids[:0])
		stack = append(stack, item{close: true})
		for k := len(kids) - 1; k >= 0; k-- {
			stack = append(stack, item{Child: kids[k]})
		}
		given = 0
		st, rest, ok = rest.Next()
	}
	return dst
}

// ErrNoFragment says that a single node is no fragment.
var ErrNoFragment = errors.New("a single node is no fragment: expand it, as in (NP (DT) (NN))")

// ParseText reads what AppendText writes, and a bare word for a childless
// bracket where the symbols hold no words (one alphabet). A label or word that
// is unknown, or a production that never occurs, is index.ErrAbsent. A fragment that is deeper than
// those of the space is an error.
func (x Space) ParseText(text string, s *index.Symbols) (index.Code, error) {
	nodes, err := index.ParseBrackets(text)
	switch {
	case err != nil:
		return nil, err
	case !nodes[0].Bracket:
		return nil, index.OutsideError(nodes[0].Name)
	case len(nodes) == 1:
		return nil, ErrNoFragment
	}
	if depth := depthOf(nodes); x.MaxDepth > 0 && depth > x.MaxDepth {
		return nil, fmt.Errorf("%s deep: a fragment of %s has at most %d", index.Plural(depth, "production"), x.ID(), x.MaxDepth)
	}
	oneAlphabet := s.Len(index.Words) == 0
	syms := make([]index.Child, len(nodes))
	for i := range nodes {
		word := !nodes[i].Bracket && !oneAlphabet
		class := index.Labels
		if word {
			class = index.Words
		}
		if syms[i] = (index.Child{Sym: s.Lookup(class, []byte(nodes[i].Name)), Word: word}); syms[i].Sym == 0 {
			return nil, index.ErrAbsent
		}
	}
	return codeOf(nodes, syms, s)
}

// depthOf is the number of productions on the longest way down.
func depthOf(nodes []index.TextNode) (most int) {
	var ends []int // of the nodes with children that are open
	for i := range nodes {
		for len(ends) > 0 && ends[len(ends)-1] <= i {
			ends = ends[:len(ends)-1]
		}
		if nodes[i].Size > 1 {
			ends = append(ends, i+nodes[i].Size)
			most = max(most, len(ends))
		}
	}
	return most
}

// codeOf returns the code of a fragment's nodes, whose symbols stand beside them.
func codeOf(nodes []index.TextNode, syms []index.Child, s *index.Symbols) (index.Code, error) {
	var c index.Code
	var kids []index.Child
	given := uint32(0)
	for i := range nodes {
		n := &nodes[i]
		switch {
		case syms[i].Word:
			continue
		case n.Size == 1:
			given++
			continue
		}
		kids = kids[:0]
		for k := i + 1; k < i+n.Size; k += nodes[k].Size {
			kids = append(kids, syms[k])
		}
		prod := s.LookupProduction(syms[i].Sym, kids)
		if prod == 0 {
			return nil, index.ErrAbsent
		}
		c = index.AppendStep(c, index.Step{Off: given, Sym: prod})
		given = 0
	}
	return c, nil
}
