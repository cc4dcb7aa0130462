package treescore

import (
	"unicode"
	"unicode/utf8"
)

// Punct says which words are punctuation, which is not counted: it is the gold tree's words
// that are looked at.
type Punct string

const (
	// PunctUPOS leaves out words with the universal tag PUNCT.
	PunctUPOS Punct = "upos"
	// PunctUnicode leaves out words that are nothing but characters of the Unicode category
	// P, as the scorer of CoNLL-X does.
	PunctUnicode Punct = "unicode"
	// PunctPTB leaves out words with one of the five tags of the Penn Treebank that evalb
	// leaves out too: `` '' , : and the full stop. Where there is no such tag, the universal
	// one is looked at.
	PunctPTB Punct = "ptb"
	// PunctKeep counts all words, as the CoNLL 2018 shared task does.
	PunctKeep Punct = "keep"
)

// word is what tells whether it is punctuation.
type word struct{ form, upos, xpos []byte }

// leavesOut says whether w is punctuation.
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

// isPunctuation says whether a form has characters of category P only, and one at least.
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
