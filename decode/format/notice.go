package format

import "bytes"

// Notice is a kind of oddity in a legal sample. Each kind is reported once for an input, with its count.
type Notice uint8

const (
	// Attached says that there is no space between a word and the bracket before or after it.
	Attached Notice = iota
	// Wordless says that a tree has no words.
	Wordless
	// Unread says that a part of a sample was not read.
	Unread
	// TwoForms says that a word occurs in two forms of Unicode, with different code points.
	TwoForms
	// OddSpace says that a label contains a space that does not end the label, such as U+00A0.
	OddSpace
	// Loose says that there are comments without a sentence after them.
	Loose
	NumNotices
)

// Noun names the thing that is odd: a sample, or a place between two samples.
func (n Notice) Noun() string {
	if n == Loose {
		return "place"
	}
	return "sample"
}

// AttachedWord returns a message if the word text[from:to] touches a "(" after it or a ")" before it, else
// "".
func AttachedWord(text []byte, from, to int) string {
	switch {
	case to < len(text) && text[to] == '(':
		return string(text[from:to]) + " does not stand apart from " + string(upToClosing(text[to:]))
	case from > 0 && text[from-1] == ')':
		return string(text[from:to]) + ` does not stand apart from the ")" before it`
	}
	return ""
}

// upToClosing cuts text for a message: after a closing bracket, before white space, or at 20 bytes.
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
