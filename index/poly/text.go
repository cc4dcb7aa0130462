package poly

import (
	"errors"
	"fmt"
	"slices"
	"strconv"
	"strings"

	"fstore/index"
)

// A set prints as its features in braces, joined by ampersands, in the order of its code. A feature of an arc
// prints as in dep. An entry of the first vector prints as its index, an entry of another vector as
// number:index:
//
//	{VERB >nsubj PRON & VERB >obj NOUN}
//	{h.form=won+m.form=game & h.upos=NOUN+m.upos=DET}
//	{17 & 2:301}
//
// An ampersand within a name is escaped as \x26.
const ampersand = "&"

// AppendText implements index.Space.
func (s *Space) AppendText(dst []byte, c index.Code, syms *index.Symbols) []byte {
	steps, ok := c.Steps(nil)
	if !ok {
		return dst
	}
	dst = append(dst, '{')
	var name []byte
	for i, st := range steps {
		if i > 0 {
			dst = append(dst, " "+ampersand+" "...)
		}
		if e, ok := decode(st.Sym, syms); ok {
			dst = e.appendText(dst)
			continue
		}
		name = s.arcs.AppendText(name[:0], st.Sym, syms)
		// The escapes that dep writes have no ampersand in them.
		dst = append(dst, strings.ReplaceAll(string(name), ampersand, `\x26`)...)
	}
	return append(dst, '}')
}

func (e entry) appendText(dst []byte) []byte {
	if e.vector > 0 {
		dst = append(strconv.AppendUint(dst, uint64(e.vector)+1, 10), ':')
	}
	return strconv.AppendUint(dst, uint64(e.id), 10)
}

const blanks = " \t\r\n"

// ParseText implements index.Space. The order of the features does not matter.
func (s *Space) ParseText(text string, syms *index.Symbols) (index.Code, error) {
	parts, err := s.split(text)
	if err != nil {
		return nil, err
	}
	if err := s.checkSize(len(parts)); err != nil {
		return nil, err
	}
	var steps []index.Step
	absent := false
	for _, part := range parts {
		sym, err := s.parseFeature(part, syms)
		switch {
		case errors.Is(err, index.ErrAbsent):
			absent = true
		case err != nil:
			return nil, err
		default:
			steps = append(steps, index.Step{Sym: sym})
		}
	}
	slices.SortFunc(steps, func(a, b index.Step) int { return int(int64(a.Sym) - int64(b.Sym)) })
	for i := range steps {
		if i > 0 && steps[i] == steps[i-1] {
			return nil, errors.New("a feature twice in the set")
		}
	}
	if absent {
		return nil, index.ErrAbsent
	}
	return index.EncodeSteps(nil, steps), nil
}

// split returns the features in the text of a set. A set without features is an error.
func (s *Space) split(text string) ([]string, error) {
	inner, ok := strings.CutPrefix(strings.Trim(text, blanks), "{")
	if ok {
		inner, ok = strings.CutSuffix(inner, "}")
	}
	if !ok {
		return nil, fmt.Errorf("no braces around a set of features, as in {%s} or {17 & 42}", s.arcs.Example())
	}
	if strings.Trim(inner, blanks) == "" {
		return nil, errEmpty
	}
	parts := strings.Split(inner, ampersand)
	for i := range parts {
		parts[i] = strings.Trim(parts[i], blanks)
	}
	return parts, nil
}

// isEntry says whether a feature is an entry of a vector, whose text has only digits and colons.
func isEntry(text string) bool { return strings.Trim(text, "0123456789:") == "" }

// parseFeature reads the text of a feature: an entry of a vector, or a feature of an arc.
func (s *Space) parseFeature(text string, syms *index.Symbols) (sym uint32, err error) {
	if text == "" {
		return 0, fmt.Errorf("a feature is missing beside %s", ampersand)
	}
	if !isEntry(text) {
		return s.arcs.ParseText(text, syms)
	}
	vector, id, several := strings.Cut(text, ":")
	if !several {
		vector, id = "1", text
	}
	n, err1 := strconv.ParseUint(vector, 10, 32)
	k, err2 := strconv.ParseUint(id, 10, 32)
	if err1 != nil || err2 != nil || n == 0 {
		return 0, fmt.Errorf("%s is no index of a vector, as 17 or, in the second, 2:17", text)
	}
	if sym = (entry{uint32(n - 1), uint32(k)}).find(syms); sym == 0 {
		return 0, index.ErrAbsent
	}
	return sym, nil
}
