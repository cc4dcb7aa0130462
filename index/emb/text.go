package emb

import "fstore/index"

// AppendText appends the fragment in brackets, `(S (NP) (VP (V)))`; the words of
// constituency trees with an alphabet of their own stand without: `(S (DT the) dog)`.
// c must be valid.
func (*Space) AppendText(dst []byte, c index.Code, syms *index.Symbols) []byte {
	return index.AppendPreorder(dst, c, syms)
}

// ParseText reads what AppendText writes, and a name without brackets for a node without
// children where there is one alphabet.
func (*Space) ParseText(text string, syms *index.Symbols) (index.Code, error) {
	return index.ParsePreorder(text, syms)
}

// Check implements index.Space.
func (*Space) Check(c index.Code, syms *index.Symbols) error { return index.CheckPreorder(c, syms) }
