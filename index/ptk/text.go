package ptk

import (
	"errors"
	"fmt"

	"fstore/index"
)

// AppendText implements index.Space: the nodes in brackets, as in `(NP (DT the) (NN))`,
// and words bare. c must be valid.
func (s *Space) AppendText(dst []byte, c index.Code, syms *index.Symbols) []byte {
	open := uint32(0)
	first := true
	for len(c) > 0 {
		st, rest, ok := c.Next()
		if !ok {
			break
		}
		c = rest
		for ; open > st.Off; open-- {
			dst = append(dst, ')')
		}
		if !first {
			dst = append(dst, ' ')
		}
		first = false
		class, id := symbolOf(st.Sym)
		if class == index.Words {
			dst = index.AppendEscaped(dst, syms.Bytes(class, id))
			continue
		}
		dst = index.AppendEscaped(append(dst, '('), syms.Bytes(class, id))
		open++
	}
	for ; open > 0; open-- {
		dst = append(dst, ')')
	}
	return dst
}

// ParseText implements index.Space. Where the symbols hold no words (one alphabet), a
// bare name is a node without children.
func (s *Space) ParseText(text string, syms *index.Symbols) (index.Code, error) {
	nodes, err := index.ParseBrackets(text)
	if err != nil {
		return nil, err
	}
	oneAlphabet := syms.Len(index.Words) == 0
	var c index.Code
	for i := range nodes {
		word := !nodes[i].Bracket && !oneAlphabet
		class := index.Labels
		if word {
			class = index.Words
		}
		id := syms.Lookup(class, []byte(nodes[i].Name))
		if id == 0 {
			return nil, index.ErrAbsent
		}
		c = index.AppendStep(c, index.Step{Off: uint32(nodes[i].Depth), Sym: packLabel(id, word)})
	}
	return c, nil
}

// Check implements index.Space.
func (s *Space) Check(c index.Code, syms *index.Symbols) error {
	if len(c) == 0 {
		return errors.New("an empty code")
	}
	deepest := uint32(0) // depth that the next node may have
	for rest := c; len(rest) > 0; {
		st, r, ok := rest.Next()
		if !ok {
			return fmt.Errorf("code %x: not a list of steps", []byte(c))
		}
		first := len(rest) == len(c)
		rest = r
		if st.Off > deepest || !first && st.Off == 0 {
			return fmt.Errorf("code %x: no place for a node at depth %d", []byte(c), st.Off)
		}
		class, id := symbolOf(st.Sym)
		if id == 0 || uint64(id) > uint64(syms.Len(class)) {
			return fmt.Errorf("code %x: no %s %d", []byte(c), class, id)
		}
		deepest = st.Off + 1
		if isWord(st.Sym) {
			deepest = st.Off // a word has no children
		}
	}
	return nil
}
