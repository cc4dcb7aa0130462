package seq

import (
	"errors"
	"fmt"
	"strings"

	"fstore/index"
)

// AppendText appends a fragment's symbols in square brackets: `[the dog]`. c must be valid. The symbols
// themselves can contain square brackets.
func (*Space) AppendText(dst []byte, c index.Code, syms *index.Symbols) []byte {
	dst = append(dst, '[')
	from := len(dst)
	for st := range c.All() {
		if len(dst) > from {
			dst = append(dst, ' ')
		}
		sym := index.UnpackChild(st.Sym)
		dst = index.AppendEscaped(dst, syms.Bytes(sym.Class(), sym.Sym))
	}
	return append(dst, ']')
}

// ParseText reads what AppendText writes.
func (s *Space) ParseText(text string, syms *index.Symbols) (index.Code, error) {
	all, err := names(text)
	if err != nil {
		return nil, err
	}
	if s.maxLength > 0 && len(all) > s.maxLength {
		return nil, fmt.Errorf("%d symbols: a fragment of %s has at most %d", len(all), s.id, s.maxLength)
	}
	var c index.Code
	absent := false
	words := s.wordsIn(syms)
	for _, name := range all {
		sym, err := lookup(name, words, syms)
		if err != nil {
			return nil, err
		}
		absent = absent || sym.Sym == 0
		c = index.AppendStep(c, step(sym.Packed()))
	}
	if absent {
		return nil, index.ErrAbsent
	}
	return c, nil
}

// names returns the escaped symbols of a fragment's text. A text without symbols is an error.
func names(text string) ([]string, error) {
	text = strings.TrimSpace(text)
	if len(text) < 2 || text[0] != '[' || text[len(text)-1] != ']' {
		return nil, errors.New("a sequence stands in square brackets, as in [the dog]")
	}
	all := strings.FieldsFunc(text[1:len(text)-1], func(r rune) bool { return strings.ContainsRune(" \t\r\n", r) })
	if len(all) == 0 {
		return nil, errors.New("a sequence without symbols: it looks like [the dog]")
	}
	return all, nil
}

// lookup returns the symbol of an escaped name, or 0 if the name is unknown.
func lookup(name string, word bool, syms *index.Symbols) (index.Child, error) {
	b, err := index.AppendUnescaped(nil, []byte(name))
	sym := index.Child{Word: word}
	sym.Sym = syms.Lookup(sym.Class(), b)
	return sym, err
}

// wordsIn says whether the symbols of fragments are words, and not labels. All samples must be of one kind.
func (s *Space) wordsIn(syms *index.Symbols) bool {
	if s.unit == index.Form {
		return syms.Len(index.Words) > 0 // else there is one alphabet
	}
	return syms.Len(index.Labels) == 0
}
