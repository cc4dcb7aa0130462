package sstbow

import (
	"fmt"

	"fstore/index"
	"fstore/index/glob"
)

// aloneNode is the first number in the label of a bare word. A word in a tree has its class instead.
const aloneNode = uint32(index.NumClasses)

// Tree implements index.Patterned.
func (s Space) Tree(t *glob.Tree, c index.Code, syms *index.Symbols) error {
	st, ok := word(c)
	if !ok {
		return s.Space.Tree(t, c, syms)
	}
	if _, rest, _ := c.Next(); len(rest) > 0 {
		return fmt.Errorf("code %x: no word", []byte(c))
	}
	t.Reset()
	t.Open(aloneNode, st.Off, st.Sym)
	t.Close()
	return nil
}

// ParsePattern implements index.Patterned. `_` alone is any word.
func (s Space) ParsePattern(text string, syms *index.Symbols) (*glob.Pattern, error) {
	name, st, isTree := bare(text, syms)
	switch {
	case isTree:
		p, err := s.Space.ParsePattern(text, syms)
		return p, wordsAreBare(err)
	case name == glob.Wildcard:
		return &glob.Pattern{
			Root:   &glob.Node{Label: []uint32{aloneNode, st.Off, glob.Any}},
			Wild:   true,
			Prefix: index.AppendOrdered(nil, st.Off),
		}, nil
	}
	c, err := s.ParseText(text, syms)
	if err != nil {
		return nil, err
	}
	return s.Above(c, syms), nil
}

// Above implements index.Patterned. The only fragment above a word is the word.
func (s Space) Above(c index.Code, syms *index.Symbols) *glob.Pattern {
	st, ok := word(c)
	if !ok {
		return s.Space.Above(c, syms)
	}
	return &glob.Pattern{Root: &glob.Node{Label: []uint32{aloneNode, st.Off, st.Sym}}}
}
