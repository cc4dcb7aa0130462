package format

import "strings"

// Held tells which comments hold for samples that are read in order, those of a document or a
// paragraph being written in its first only, as a store has them.
type Held struct {
	inDocument          bool
	document, paragraph map[string][]string
	own                 map[string][]string
}

// Begin starts with a new input.
func (h *Held) Begin() { *h = Held{} }

// Next takes the comments of the next sample.
func (h *Held) Next(lines []string) {
	if LastOpens(lines, "newdoc") >= 0 {
		*h = Held{inDocument: true}
	}
	h.own = nil
	var document, paragraph map[string][]string
	Scopes(lines, func(line, key string, of Scope) {
		_, value, ok := ParseComment(line)
		switch {
		case of == OfParagraph:
			if Opens(key, "newpar") {
				h.paragraph, paragraph = nil, nil
			}
			paragraph = with(paragraph, key, value, ok)
		case of == OfDocument && h.inDocument:
			document = with(document, key, value, ok)
		default:
			h.own = with(h.own, key, value, ok)
		}
	})
	h.document, h.paragraph = over(h.document, document), over(h.paragraph, paragraph)
}

// with adds a value.
func with(m map[string][]string, key, value string, ok bool) map[string][]string {
	if !ok {
		return m
	}
	if m == nil {
		m = map[string][]string{}
	}
	m[strings.Clone(key)] = append(m[key], strings.Clone(value))
	return m
}

// over puts the keys of a sample in the place of those that hold.
func over(held, own map[string][]string) map[string][]string {
	if held == nil {
		return own
	}
	for key, values := range own {
		held[key] = values
	}
	return held
}

// Comment returns the values of a key that hold: the sentence's own, or else its paragraph's, or
// else its document's.
func (h *Held) Comment(key string) []string {
	for _, m := range []map[string][]string{h.own, h.paragraph, h.document} {
		if values := m[key]; len(values) > 0 {
			return values
		}
	}
	return nil
}
