package tag

import (
	"errors"
	"fmt"
	"strings"

	"fstore/index"
)

// A run's text is its states, each a tag with or without a word: `DT/the NN VB`. A slash in a tag is escaped
// as \x2F.

// AppendText implements index.Space.
func (Space) AppendText(dst []byte, c index.Code, syms *index.Symbols) []byte {
	a := alphabetIn(syms)
	from := len(dst)
	for step := range c.All() {
		st, known := a.decode(step.Sym, syms)
		if !known {
			return dst
		}
		if len(dst) > from {
			dst = append(dst, ' ')
		}
		dst = index.AppendEscapedWith(dst, syms.Bytes(a.tags, st.tag), "/")
		if st.word != 0 {
			dst = index.AppendEscaped(append(dst, '/'), syms.Bytes(a.words, st.word))
		}
	}
	return dst
}

// ParseText implements index.Space.
func (Space) ParseText(text string, syms *index.Symbols) (c index.Code, err error) {
	a := alphabetIn(syms)
	states := stateRows{syms: syms}
	fields := splitStates(text)
	if len(fields) == 0 {
		return nil, errNoState
	}
	absent := false
	for _, f := range fields {
		st, err := parseState(f, &a, func(text string, class index.Class) (uint32, error) {
			id, err := parseName(text, class, syms)
			absent = absent || id == 0
			return id, err
		})
		if err != nil {
			return nil, err
		}
		sym := states.symbol(&a, st)
		absent = absent || sym == 0
		c = index.AppendStep(c, index.Step{Sym: sym})
	}
	if absent {
		return nil, index.ErrAbsent
	}
	return c, nil
}

// parseState reads a state: a tag with or without a word.
func parseState(text string, a *alphabet, name func(text string, class index.Class) (uint32, error)) (st state, err error) {
	tag, word, hasWord := strings.Cut(text, "/")
	if st.tag, err = name(tag, a.tags); err != nil {
		return st, fmt.Errorf("the state %s, its tag: %w", text, err)
	}
	if hasWord {
		if st.word, err = name(word, a.words); err != nil {
			return st, fmt.Errorf("the state %s, its word: %w", text, err)
		}
	}
	return st, nil
}

var errNoState = errors.New("no state: a run has at least one, as in DT/the NN")

func splitStates(text string) []string {
	return strings.FieldsFunc(text, func(r rune) bool { return r == ' ' || r == '\t' || r == '\r' || r == '\n' })
}

// parseName returns the id of a tag or a word, or 0 if it is unknown.
func parseName(text string, class index.Class, syms *index.Symbols) (uint32, error) {
	if text == "" {
		return 0, errors.New(`nothing there (\e is the empty one)`)
	}
	if index.IndexUnescaped(text, "()") < len(text) {
		return 0, errors.New(`a bracket is written \( or \)`)
	}
	name, err := index.AppendUnescaped(nil, []byte(text))
	if err != nil {
		return 0, err
	}
	return syms.Lookup(class, name), nil
}
