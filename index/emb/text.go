package emb

import "fstore/index"

// AppendText appends the fragment in brackets, `(S (NP) (VP (V)))`; the words of
// constituency trees with an alphabet of their own stand without: `(S (DT the) dog)`.
// c must be valid.
func (s *Space) AppendText(dst []byte, c index.Code, syms *index.Symbols) []byte {
	f, ok := unfold(c)
	if !ok {
		return dst
	}
	depth := 0 // of the brackets that are open
	for i := range f {
		n := &f[i]
		for ; depth > n.depth; depth-- {
			dst = append(dst, ')')
		}
		if i > 0 {
			dst = append(dst, ' ')
		}
		if mayBranch(n.label, syms) {
			dst = append(dst, '(')
			depth++
		}
		dst = index.AppendEscaped(dst, syms.Bytes(n.label.Class(), n.label.Sym))
	}
	for ; depth > 0; depth-- {
		dst = append(dst, ')')
	}
	return dst
}

// ParseText reads what AppendText writes, and a name without brackets for a node without
// children where there is one alphabet.
func (s *Space) ParseText(text string, syms *index.Symbols) (index.Code, error) {
	nodes, err := index.ParseBrackets(text)
	if err != nil {
		return nil, err
	}
	tokens, oneAlphabet := syms.Len(index.Labels) == 0, syms.Len(index.Words) == 0
	var c index.Code
	for i := range nodes {
		n := &nodes[i]
		sym := index.Child{Word: tokens || !n.Bracket && !oneAlphabet}
		if sym.Sym = syms.Lookup(sym.Class(), []byte(n.Name)); sym.Sym == 0 {
			return nil, index.ErrAbsent
		}
		c = index.AppendStep(c, index.Step{Off: uint32(n.Depth), Sym: sym.Packed()})
	}
	return c, nil
}
