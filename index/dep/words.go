package dep

import (
	"encoding/binary"
	"fmt"
	"math"

	"fstore/index"
	"fstore/index/internal/option"
)

// With words=form or words=lemma, a node of a fragment can carry its word:
//
//	VERB[give] >iobj PRON >obj NOUN
//
// A word is one more step of the code, and one more λ. Its step comes after the step of the arc that leads to
// its node. The word of the root is the second step, because the first step is always an arc. Every
// occurrence with a word is also one without the word, so growth can prune by support.
//
// At each depth, the offset (Step.Off) of the node's word comes before the offsets of its arcs.

// wordUnits are the columns that words=COLUMN can name.
var wordUnits = map[string]index.Column{"form": index.Form, "lemma": index.Lemma}

// setWords reads the option `words` and sets s.kinds. The field s.rule must be set before.
func (s *Space) setWords(values option.Values) error {
	s.kinds = 1
	if s.rule == side {
		s.kinds = 2
	}
	unit, ok, err := values.One("words")
	if !ok || err != nil {
		return err
	}
	col, known := wordUnits[unit]
	if !known {
		return fmt.Errorf("option words=%s: there are form, lemma", unit)
	}
	s.kinds++
	s.word = &template{
		fields: []field{{kind: ofModifier, col: col}}, names: []string{unit},
		text: "word." + unit, between: -1, number: uint32(len(s.templates)),
	}
	return nil
}

// wordOf returns the word of a token as an id of index.Words. The artificial root (token -1) has 0.
func (s *Space) wordOf(t *index.Tree, token int) uint32 {
	if token < 0 {
		return 0
	}
	return s.word.fields[0].col.Of(&t.Tokens[token])
}

// stepKind says what a step adds: an arc, or the word of the head or of the modifier of an arc.
type stepKind uint8

const (
	anArc        stepKind = iota // the step is an arc
	headWord                     // the step is the head's word
	modifierWord                 // the step is the modifier's word
)

// kindOf says what a step with this Off adds.
func (s *Space) kindOf(off uint32) stepKind {
	switch {
	case !s.isWord(off):
		return anArc
	case off == 0:
		return headWord
	}
	return modifierWord
}

// wordKey returns the key of a token's word in index.Features, or nil if there is none.
func (k *keyer) wordKey(t *index.Tree, token int) []byte {
	word := k.s.wordOf(t, token)
	if word == 0 || k.wordID == 0 {
		return nil
	}
	k.buf = binary.AppendUvarint(k.buf[:0], uint64(k.wordID))
	k.buf = binary.AppendUvarint(k.buf, uint64(word))
	return k.buf
}

// words identifies the word of an arc's head and the word of its modifier.
type words [2]uint32

// wordsOf returns the words of the arc from token h to token m; 0 stands for an unknown word. It looks up the
// word of the modifier first.
func (k *keyer) wordsOf(t *index.Tree, h, m int, find func(key []byte) uint32) (w words) {
	if k.s.word == nil {
		return w
	}
	for i, token := range [2]int{m, h} {
		if key := k.wordKey(t, token); key != nil {
			w[1-i] = find(key)
		}
	}
	return w
}

// Prepare interns the features of the arcs of t and, in a space with words, the words of its nodes.
func (s *Space) Prepare(t *index.Tree, syms *index.Symbols) {
	var k keyer
	k.know(s, syms, true)
	intern := func(key []byte) uint32 { return syms.Intern(index.Features, key) }
	k.eachArc(t, func(_ int, key []byte) { intern(key) })
	for m := range t.Tokens {
		if h := int(t.Tokens[m].Head) - 1; h >= 0 || s.rootArcs {
			k.wordsOf(t, h, m, intern)
		}
	}
}

const noNumber = math.MaxUint32

// number replaces the symbols in w by their numbers. The symbol 0 stands for no word and becomes noNumber.
func (w *words) number(numberOf func(sym uint32) uint32) {
	for i, sym := range w {
		if w[i] = noNumber; sym != 0 {
			w[i] = numberOf(sym)
		}
	}
}

// list returns a slice with the number of the head's or modifier's word, or nil if there is no word.
func (w *words) list(which stepKind) []uint32 {
	if w[which-headWord] == noNumber {
		return nil
	}
	return w[which-headWord : which]
}

// reachWords returns how many words an arc can still get after a step of this kind.
func (s *Space) reachWords(kind stepKind, first bool) int {
	switch {
	case s.word == nil || kind == modifierWord:
		return 0
	case first:
		return 2
	}
	return 1
}

// wordWorth returns the largest factor by which a node's word can multiply a value. The factor is at least 1,
// because the word can be left out.
func (s *Space) wordWorth(lambda float64) float64 {
	if s.word == nil {
		return 1
	}
	return max(1, math.Sqrt(lambda))
}

// decodeWord returns the word of a symbol; ok is false if the symbol is not a word.
func (s *Space) decodeWord(sym uint32, syms *index.Symbols) (word uint32, ok bool) {
	var mem [1]uint32
	t, values := s.decode(sym, syms, mem[:0])
	if t == nil || t != s.word || values[0] == outside {
		return 0, false
	}
	return values[0], true
}

// wordSpecial has the characters that a space with words escapes in names and words, besides <, > and /.
const wordSpecial = "[]"

// appendWord appends the word of a node in brackets, or nothing if the word is 0.
func (s *Space) appendWord(dst []byte, word uint32, syms *index.Symbols) []byte {
	if word == 0 {
		return dst
	}
	dst = s.word.fields[0].appendValue(append(dst, '['), word, "<>"+wordSpecial, syms)
	return append(dst, ']')
}
