package format

import "bytes"

// Notice is what is odd about samples that are legal all the same: each is said once an
// input, with its number.
type Notice uint8

const (
	// Attached says that a word does not stand apart from a bracket beside it.
	Attached Notice = iota
	// Wordless says that a tree has no word.
	Wordless
	// Unread says that part of a sample is not read.
	Unread
	// TwoForms says that a word is spelled with other code points elsewhere.
	TwoForms
	// OddSpace says that a label has a space in it that parts nothing, such as U+00A0.
	OddSpace
	// Loose says that comments belong to no sentence.
	Loose
	NumNotices
)

// Noun is what is odd: a sample, or a place between two.
func (n Notice) Noun() string {
	if n == Loose {
		return "place"
	}
	return "sample"
}

// AttachedWord says that a word, text[from:to], does not stand apart from a bracket beside
// it: "" where it does.
func AttachedWord(text []byte, from, to int) string {
	switch {
	case to < len(text) && text[to] == '(':
		return string(text[from:to]) + " does not stand apart from " + string(upToClosing(text[to:]))
	case from > 0 && text[from-1] == ')':
		return string(text[from:to]) + ` does not stand apart from the ")" before it`
	}
	return ""
}

// upToClosing returns the start of a bracket, up to a bracket that closes, or some way.
func upToClosing(text []byte) []byte {
	const most = 20
	text = text[:min(len(text), most)]
	if i := bytes.IndexAny(text, ") \t\r\n\v\f\x00"); i >= 0 {
		if text[i] == ')' {
			i++
		}
		text = text[:i]
	}
	for len(text) > 0 && PartialRune(text) > 0 {
		text = text[:len(text)-1]
	}
	return text
}
