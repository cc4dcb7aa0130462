package format

import (
	"slices"
	"strings"
)

// PassOn is for a sentence that is left out after it was read: left are its comments, own
// those of the next one. If the sentence left out opens a document or a paragraph, and the
// next one does not, the next one opens it, with the comments that hold for it.
func PassOn(left, own []string) []string { return Insert(Carried(left, false), own) }

// Carried returns the comments of a sentence that hold for those after it too: the
// document's, then the paragraph's. Outside a document, meta:: comments hold for no other
// sentence.
func Carried(lines []string, inDocument bool) (all []string) {
	inDocument = inDocument || LastOpens(lines, "newdoc") >= 0
	for _, want := range [...]Scope{OfDocument, OfParagraph} {
		Scopes(lines, func(line, _ string, of Scope) {
			if of == want && (inDocument || want != OfDocument) {
				all = append(all, line)
			}
		})
	}
	return all
}

// Insert returns a sentence's own comments with those among them that an earlier sentence
// carries, less what the sentence opens anew. Comments above `# sent_id` stay above those
// that are inserted, and so stay the sentence's own.
func Insert(carries, own []string) []string {
	switch {
	case len(carries) == 0 || LastOpens(own, "newdoc") >= 0:
		return own
	case LastOpens(own, "newpar") >= 0:
		if i := LastOpens(carries, "newpar"); i >= 0 {
			carries = carries[:i]
		}
	}
	keys := map[string]bool{}
	for _, line := range own {
		key, _, _ := ParseComment(line)
		keys[key] = true
	}
	carries = slices.DeleteFunc(slices.Clone(carries), func(line string) bool { // the document's later value counts
		key, _, _ := ParseComment(line)
		return strings.HasPrefix(key, "meta::") && keys[key]
	})
	at := slices.IndexFunc(own, func(line string) bool {
		key, _, _ := ParseComment(line)
		return Opens(key, "newpar") || key == "sent_id" || key == "text"
	})
	if at < 0 {
		at = len(own)
	}
	return slices.Concat(own[:at], carries, own[at:])
}

// Scope is what a comment holds for.
type Scope uint8

const (
	OfSentence Scope = iota
	OfParagraph
	OfDocument
)

// Scopes calls f with the comments of a sentence, and says what each holds for (decode/README.md,
// "Labels and documents"). Comments between `# newdoc` and the first `# newpar`, `# sent_id` or `#
// text` hold for the document, and so do meta:: comments wherever they stand. Comments between `#
// newpar` and `# sent_id` or `# text` hold for the paragraph. All others hold for the sentence.
func Scopes(lines []string, f func(line, key string, of Scope)) {
	document := LastOpens(lines, "newdoc")
	at := OfSentence
	for i, line := range lines {
		key, _, _ := ParseComment(line)
		switch {
		case i == document:
			at = OfDocument
		case i > document && Opens(key, "newpar"):
			at = OfParagraph
		case key == "sent_id" || key == "text":
			at = OfSentence
		}
		of := at
		switch {
		case strings.HasPrefix(key, "meta::"):
			of = OfDocument
		case key == "candidate" || key == "score":
			of = OfSentence
		}
		f(line, key, of)
	}
}

// Opens says whether a key opens what, newdoc or newpar: with an id, or without.
func Opens(key, what string) bool { return key == what || key == what+" id" }

// LastOpens returns the last of the lines that opens what, -1 where none does.
func LastOpens(lines []string, what string) int {
	for i := len(lines) - 1; i >= 0; i-- {
		if !strings.Contains(lines[i], what) {
			continue
		}
		if key, _, _ := ParseComment(lines[i]); Opens(key, what) {
			return i
		}
	}
	return -1
}

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
