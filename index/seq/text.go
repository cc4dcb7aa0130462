package seq

import (
	"errors"
	"fmt"
	"strings"

	"fstore/index"
	"fstore/index/internal/option"
)

// AppendText appends a fragment's symbols in square brackets: `[the dog]`. c must be
// valid. Symbols may have square brackets of their own: only the first byte and the last
// of a fragment's text are brackets.
func (*Space) AppendText(dst []byte, c index.Code, syms *index.Symbols) []byte {
	dst = append(dst, '[')
	for sep := false; len(c) > 0; sep = true {
		st, rest, ok := c.Next()
		if !ok {
			break
		}
		if sep {
			dst = append(dst, ' ')
		}
		dst = index.AppendEscaped(dst, syms.Bytes(classOf(st.Off), st.Sym))
		c = rest
	}
	return append(dst, ']')
}

// ParseText reads what AppendText writes.
func (s *Space) ParseText(text string, syms *index.Symbols) (index.Code, error) {
	text = strings.TrimSpace(text)
	if len(text) < 2 || text[0] != '[' || text[len(text)-1] != ']' {
		return nil, errors.New("a sequence stands in square brackets, as in [the dog]")
	}
	names := strings.FieldsFunc(text[1:len(text)-1], func(r rune) bool { return strings.ContainsRune(" \t\r\n", r) })
	if len(names) == 0 {
		return nil, errors.New("a sequence without symbols: it looks like [the dog]")
	}
	if s.maxLength > 0 && len(names) > s.maxLength {
		return nil, fmt.Errorf("%d symbols: a fragment of %s has at most %d", len(names), s.id, s.maxLength)
	}
	var c index.Code
	absent := false
	off := s.offOf(syms)
	for _, name := range names {
		b, err := index.AppendUnescaped(nil, []byte(name))
		if err != nil {
			return nil, err
		}
		sym := syms.Lookup(classOf(off), b)
		absent = absent || sym == 0
		c = index.AppendStep(c, index.Step{Off: off, Sym: sym})
	}
	if absent {
		return nil, index.ErrAbsent
	}
	return c, nil
}

// offOf is the Off of the codes over syms, which are those of samples of one kind.
func (s *Space) offOf(syms *index.Symbols) uint32 {
	switch {
	case syms.Len(index.Words) == 0:
		return offLabel // one alphabet
	case s.unit != option.Form && syms.Len(index.Labels) > 0:
		return offLabel
	}
	return offWord
}
