package dep

import (
	"encoding/binary"
	"errors"
	"fmt"
	"math"
	"slices"
	"strings"

	"fstore/index"
	"fstore/index/glob"
	"fstore/index/internal/option"
)

// With words=form or words=lemma, a node of a fragment can carry its word:
//
//	VERB[give] >iobj PRON >obj NOUN
//
// A word is one more building block: one more step of the code, and one more λ. Its step stands behind the
// step of the arc that leads to its node. The word of the root is the second step, as the first step is
// always an arc. An extension by a word keeps the occurrences whose node has this word, and changes no
// occurrence. So growth prunes by support: the fragment with the word has at most the support of the
// fragment without it.
//
// With words, Off numbers the kinds of steps at each depth: first the word of the node, then the arcs from
// it.

// wordUnits are the columns that can be the word of a node.
var wordUnits = map[string]index.Column{"form": index.Form, "lemma": index.Lemma}

// setWords reads the option words. It also sets s.kinds, for which s.rule must be set.
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

// wordOf returns the word of a token, an id of index.Words, or 0 for the artificial root (token -1).
func (s *Space) wordOf(t *index.Tree, token int) uint32 {
	if token < 0 {
		return 0
	}
	return s.word.fields[0].col.Of(&t.Tokens[token])
}

// which says what a step adds: an arc, or the word of the head or of the modifier of an arc.
type which uint8

const (
	anArc        which = iota // the step is an arc
	headWord                  // the step is the head's word
	modifierWord              // the step is the modifier's word
)

// which says what a step with this Off adds, seen from the arc before it.
func (s *Space) which(off uint32) which {
	switch {
	case !s.isWord(off):
		return anArc
	case off == 0:
		return headWord
	}
	return modifierWord
}

// isWord says whether a step with this Off is a word.
func (s *Space) isWord(off uint32) bool { return s.word != nil && off%s.kinds == 0 }

// wordStep returns the step of the word of the node at a depth.
func (s *Space) wordStep(depth int, sym uint32) index.Step {
	return index.Step{Off: uint32(depth) * s.kinds, Sym: sym}
}

// pathAfter returns how many arcs the rightmost path has after a step with this Off.
func (s *Space) pathAfter(off uint32) int {
	depth := int(s.depthOf(off))
	if s.isWord(off) {
		return max(depth, 1)
	}
	return depth + 1
}

// wordsAfter says which words can follow n steps, the last of which has this Off: the root's word (result
// head), or the word of the last arc's modifier (result modifier).
func (s *Space) wordsAfter(n int, off uint32) (head, modifier bool) {
	if s.word == nil {
		return false, false
	}
	return n == 1, !s.isWord(off) || n == 2 && off == 0
}

// wordKey returns the key of a token's word among the features, or nil if the token has no word or the
// symbols do not know it.
func (k *keyer) wordKey(t *index.Tree, token int) []byte {
	word := k.s.wordOf(t, token)
	if word == 0 || k.wordID == 0 {
		return nil
	}
	k.buf = binary.AppendUvarint(k.buf[:0], uint64(k.wordID))
	k.buf = binary.AppendUvarint(k.buf, uint64(word))
	return k.buf
}

// words are the words of the head and of the modifier of an arc.
type words [2]uint32

// wordsOf returns the words of the arc from token h to token m, or 0 for a word that find does not know. It
// looks up the word of the modifier first.
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

// findWords looks up the words of the planned arcs.
func (p *planter) findWords(t *index.Tree, find func(key []byte) uint32) {
	p.words = p.words[:0]
	if p.keys.s.word == nil {
		return
	}
	for _, m := range p.order {
		p.words = append(p.words, p.keys.wordsOf(t, int(t.Tokens[m].Head)-1, int(m), find))
	}
}

// number replaces the symbols of words by numbers, and 0 by noNumber.
func (w *words) number(of func(sym uint32) uint32) {
	for i, sym := range w {
		if w[i] = noNumber; sym != 0 {
			w[i] = of(sym)
		}
	}
}

// only returns a list with a single element, the number of one of the two words. The list is empty if there
// is no such word.
func (w *words) only(which which) []uint32 {
	if w[which-headWord] == noNumber {
		return nil
	}
	return w[which-headWord : which]
}

// symbolsOf returns the numbers of an arc's features, or the number of one of its words.
func (f *forest) symbolsOf(a int32, which which) []uint32 {
	if which != anArc {
		return f.words[a].only(which)
	}
	return f.feats[f.arcs[a].feat:f.arcs[a+1].feat]
}

// symbolsOf does the same as forest.symbolsOf.
func (v *packView) symbolsOf(arc uint32, which which) []uint32 {
	if which != anArc {
		return v.arcs[arc].words.only(which)
	}
	return v.featsOf(arc)
}

// reachWords returns how many words may still follow a step within its arc, see reaches. The parameter after
// is what the step has added, and first says whether the step is the first of the code.
func (s *Space) reachWords(after which, first bool) int {
	switch {
	case s.word == nil || after == modifierWord:
		return 0
	case first:
		return 2
	}
	return 1
}

// wordWorth returns the largest factor by which a node's word can multiply a value: at least 1, because the
// word can be left out.
func (s *Space) wordWorth(lambda float64) float64 {
	if s.word == nil {
		return 1
	}
	return max(1, math.Sqrt(lambda))
}

// steps returns the steps of f from arc i and its siblings on. It leaves out the arc with index skip. The
// parameter word is the root's word, or 0.
func (s *Space) steps(f *fragment, i int, word uint32, skip int) []index.Step {
	steps := s.appendSteps(nil, f, i, 0, skip)
	if word != 0 {
		steps = slices.Insert(steps, 1, s.wordStep(0, word))
	}
	return steps
}

// setWord adds a word to f, which has n steps. The parameter depth is the depth of the word's step, and path
// is the length of the rightmost path; ok is false if no word is allowed there.
func (f *fragment) setWord(n int, depth uint32, path int, sym uint32) (ok bool) {
	word := &f.word
	switch {
	case depth == 0 && n != 1, depth > 0 && int(depth) != path:
		return false
	case depth > 0:
		word = &f.arcs[len(f.arcs)-1].word
	}
	if *word != 0 || sym == 0 {
		return false
	}
	*word = sym
	return true
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

// wordSpecial has the characters that names and words escape in a space with words, in addition to <, >
// and /.
const wordSpecial = "[]"

// appendWord appends the word of a node in brackets, or nothing if the word is 0.
func (s *Space) appendWord(dst []byte, word uint32, syms *index.Symbols) []byte {
	if word == 0 {
		return dst
	}
	dst = s.word.fields[0].appendValue(append(dst, '['), word, "<>"+wordSpecial, syms)
	return append(dst, ']')
}

// cutWord splits a node's name into its label and its word; ok is false if the name has no word.
func (s *Space) cutWord(name string) (label, word string, ok bool) {
	if s.word == nil {
		return name, "", false
	}
	return strings.Cut(name, "[")
}

// word reads the word in a node's name. It returns the word's symbol and its value for glob, both 0 if
// there is no word.
func (r *reader) word(name string) (sym, value uint32, err error) {
	_, text, ok := r.s.cutWord(name)
	if !ok {
		return 0, 0, nil
	}
	text, closed := strings.CutSuffix(text, "]")
	switch {
	case !closed || strings.ContainsAny(text, wordSpecial):
		return 0, 0, fmt.Errorf("%s: a word stands in brackets at the end of a node, as in VERB[give]; a [ in a name is \\x5B, a ] is \\x5D", name)
	case r.pattern && text == glob.Wildcard:
		r.wild = true
		return 0, glob.Some, nil
	case text == outsideText:
		return 0, 0, errors.New("the word ^: a node has a word; the word that is spelt so is \\x5E")
	}
	if value, err = r.value(r.s.word.fields[0], text); err != nil || value == 0 {
		return 0, 0, err // r.absent is set where the word is unknown
	}
	return r.find(r.s.word, []uint32{value}), value, nil
}
