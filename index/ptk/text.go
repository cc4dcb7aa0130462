package ptk

import "fstore/index"

// AppendText implements index.Space: the nodes in brackets, as in `(NP (DT the) (NN))`,
// and words bare. c must be valid.
func (*Space) AppendText(dst []byte, c index.Code, syms *index.Symbols) []byte {
	return index.AppendPreorder(dst, c, syms)
}

// ParseText implements index.Space. Where the symbols hold no words (one alphabet), a
// bare name is a node without children.
func (*Space) ParseText(text string, syms *index.Symbols) (index.Code, error) {
	return index.ParsePreorder(text, syms)
}

// Check implements index.Space.
func (*Space) Check(c index.Code, syms *index.Symbols) error { return index.CheckPreorder(c, syms) }
