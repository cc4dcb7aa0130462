package format

import (
	"slices"
	"strings"
)

// PassOn returns the comments of a sentence (`own`), and those of the left-out sentence before it that still
// hold.
func PassOn(left, own []string) []string { return Insert(Carried(left, false), own) }

// Carried returns the comments that also hold for later sentences: first those of the document, then those of
// the paragraph. Outside a document, a meta:: comment holds for its own sentence only.
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

// Insert adds the comments of earlier sentences (`carries`) to those of a sentence, in front of `# newpar`,
// `# sent_id` and `# text`. It leaves out comments of a document or paragraph that has ended.
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
	carries = slices.DeleteFunc(slices.Clone(carries), func(line string) bool { // the later value counts
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

// Scope says whether a comment holds for a sentence, a paragraph or a document.
type Scope uint8

const (
	OfSentence Scope = iota
	OfParagraph
	OfDocument
)

// Scopes calls f with each comment of a sentence and its scope (decode/README.md, "Labels and documents"):
//   - OfDocument: from `# newdoc` on, and every key that begins with meta::
//   - OfParagraph: from `# newpar` on
//   - OfSentence: from `# sent_id` or `# text` on, every `# candidate` and `# score`, and all others
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

// Opens says whether a comment key is the opener "newdoc" or "newpar", with or without " id".
func Opens(key, opener string) bool { return key == opener || key == opener+" id" }

// LastOpens returns the index of the last line with this opener (see Opens), or -1.
func LastOpens(lines []string, opener string) int {
	for i := len(lines) - 1; i >= 0; i-- {
		if strings.Contains(lines[i], opener) && Opens(keyOf(lines[i]), opener) {
			return i
		}
	}
	return -1
}

// Held keeps the comments that hold for the sample read last. Samples must come in input order, because a
// document's comments are in its first sample. The zero value is the start of an input.
type Held struct {
	InDocument          bool     // a `# newdoc` has been read
	Document, Paragraph []string // comments that hold for the sample read last
	own                 []string
}

// Next updates h with the comment lines of the next sample.
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

// hold appends the comments of a new sentence. They replace the held comments with the same keys.
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

// Comment returns the values of a key in the sentence, else in its paragraph, else in its document.
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
