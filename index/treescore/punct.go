package treescore

import (
	"unicode"
	"unicode/utf8"
)

// Punct says which words of the gold tree are punctuation. These words are not counted.
type Punct string

const (
	// PunctUPOS leaves out words with the universal tag PUNCT.
	PunctUPOS Punct = "upos"
	// PunctUnicode leaves out words in which all characters have the Unicode category P, as the scorer of
	// CoNLL-X does.
	PunctUnicode Punct = "unicode"
	// PunctPTB leaves out words with the Penn Treebank tags `` '' . , and : as evalb does. A word without
	// XPOS is tested by its universal tag.
	PunctPTB Punct = "ptb"
	// PunctKeep counts all words, as the CoNLL 2018 shared task does.
	PunctKeep Punct = "keep"
)

// word has the fields that tell whether a word is punctuation.
type word struct{ form, upos, xpos []byte }

func (p Punct) leavesOut(w word) bool {
	switch p {
	case PunctUPOS:
		return string(w.upos) == "PUNCT"
	case PunctUnicode:
		return isPunctuation(w.form)
	case PunctPTB:
		tag := w.xpos
		if string(tag) == "_" {
			tag = w.upos
		}
		switch string(tag) {
		case "``", "''", ",", ":", ".":
			return true
		}
	}
	return false
}

// isPunctuation says whether a form has at least one character, and all its characters have category P.
func isPunctuation(form []byte) bool {
	for rest := form; len(rest) > 0; {
		r, n := utf8.DecodeRune(rest)
		if !unicode.IsPunct(r) {
			return false
		}
		rest = rest[n:]
	}
	return len(form) > 0
}
