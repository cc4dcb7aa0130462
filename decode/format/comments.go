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
	keys := keysOf(own)
	carries = slices.DeleteFunc(slices.Clone(carries), func(line string) bool { // the document's later value counts
		key := keyOf(line)
		return strings.HasPrefix(key, "meta::") && keys[key]
	})
	at := slices.IndexFunc(own, func(line string) bool {
		key := keyOf(line)
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
		key := keyOf(line)
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
		if strings.Contains(lines[i], what) && Opens(keyOf(lines[i]), what) {
			return i
		}
	}
	return -1
}

// Held tells which comments hold for samples that are read in order, those of a document or a
// paragraph being written in its first only. The zero value is the start of an input.
type Held struct {
	InDocument          bool     // there was a `# newdoc`
	Document, Paragraph []string // comments that hold
	own                 []string
}

// Next takes the comments of the next sample.
func (h *Held) Next(lines []string) {
	if LastOpens(lines, "newdoc") >= 0 {
		h.InDocument, h.Document, h.Paragraph = true, h.Document[:0], h.Paragraph[:0]
	}
	h.own = h.own[:0]
	var document, paragraph []string
	Scopes(lines, func(line, key string, of Scope) {
		switch {
		case of == OfParagraph:
			if Opens(key, "newpar") {
				h.Paragraph, paragraph = h.Paragraph[:0], paragraph[:0]
			}
			paragraph = append(paragraph, strings.Clone(line))
		case of == OfDocument && h.InDocument:
			document = append(document, strings.Clone(line))
		default:
			h.own = append(h.own, line)
		}
	})
	h.Document, h.Paragraph = hold(h.Document, document), hold(h.Paragraph, paragraph)
}

// hold adds the comments of a sentence to those that hold. They take the place of those that
// earlier sentences have of their keys.
func hold(held, own []string) []string {
	if len(held) > 0 && len(own) > 0 {
		keys := keysOf(own)
		held = slices.DeleteFunc(held, func(line string) bool { return keys[keyOf(line)] })
	}
	return append(held, own...)
}

func keyOf(line string) string {
	key, _, _ := ParseComment(line)
	return key
}

func keysOf(lines []string) map[string]bool {
	keys := map[string]bool{}
	for _, line := range lines {
		keys[keyOf(line)] = true
	}
	return keys
}

// Comment returns the values of a key that hold: the sentence's own, or else its paragraph's, or
// else its document's, see Commenter.
func (h *Held) Comment(key string) (values []string) {
	for _, lines := range [...][]string{h.own, h.Paragraph, h.Document} {
		for _, line := range lines {
			if k, v, ok := ParseComment(line); ok && k == key {
				values = append(values, v)
			}
		}
		if len(values) > 0 {
			break
		}
	}
	return values
}
