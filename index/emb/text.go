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
		if n.kind != word {
			dst = append(dst, '(')
			depth++
		}
		dst = index.AppendEscaped(dst, syms.Bytes(n.kind.class(), n.sym))
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
	inBrackets, bare := label, word
	switch {
	case syms.Len(index.Labels) == 0:
		inBrackets, bare = token, token
	case syms.Len(index.Words) == 0:
		bare = label
	}
	var c index.Code
	for i := range nodes {
		k := inBrackets
		if !nodes[i].Bracket {
			k = bare
		}
		sym := syms.Lookup(k.class(), []byte(nodes[i].Name))
		if sym == 0 {
			return nil, index.ErrAbsent
		}
		c = index.AppendStep(c, index.Step{Off: offOf(nodes[i].Depth, k), Sym: sym})
	}
	return c, nil
}
