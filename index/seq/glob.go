package seq

import (
	"errors"
	"fmt"

	"fstore/index"
	"fstore/index/glob"
)

// Tree implements index.Patterned. The symbols are the children of a root without a label.
func (*Space) Tree(t *glob.Tree, c index.Code, _ *index.Symbols) error {
	t.Reset()
	if len(c) == 0 {
		return errors.New("an empty code")
	}
	t.Open()
	for rest := c; len(rest) > 0; {
		st, next, ok := rest.Next()
		if !ok {
			return fmt.Errorf("code %x: no sequence of symbols", []byte(c))
		}
		rest = next
		t.Open(st.Sym)
		t.Close()
	}
	t.Close()
	return nil
}

// ParsePattern implements index.Patterned. `_` is any symbol, and `...` is any number of symbols.
func (s *Space) ParsePattern(text string, syms *index.Symbols) (*glob.Pattern, error) {
	all, err := names(text)
	if err != nil {
		return nil, err
	}
	root := &glob.Node{}
	p := &glob.Pattern{Root: root}
	words := s.wordsIn(syms)
	for _, name := range all {
		switch name {
		case glob.Rest:
			root.Kids, p.Wild = append(root.Kids, nil), true
			continue
		case glob.Wildcard:
			root.Kids, p.Wild = append(root.Kids, &glob.Node{Label: []uint32{glob.Any}}), true
			continue
		}
		sym, err := lookup(name, words, syms)
		switch {
		case err != nil:
			return nil, err
		case sym.Sym == 0:
			return nil, index.ErrAbsent
		}
		root.Kids = append(root.Kids, &glob.Node{Label: []uint32{sym.Packed()}})
		if !p.Wild {
			p.Prefix = index.AppendStep(p.Prefix, step(sym.Packed()))
		}
	}
	return p, nil
}

// Above implements index.Patterned. The pattern is c with more symbols on both sides. If gaps have no limit,
// more symbols can also come in between.
func (s *Space) Above(c index.Code, _ *index.Symbols) *glob.Pattern {
	kids := []*glob.Node{nil}
	for st := range c.All() {
		kids = append(kids, &glob.Node{Label: []uint32{st.Sym}})
		if s.maxGap == noMaxGap {
			kids = append(kids, nil)
		}
	}
	return &glob.Pattern{Root: &glob.Node{Kids: append(kids, nil)}}
}
