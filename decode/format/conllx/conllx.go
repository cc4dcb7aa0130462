// Package conllx reads and writes the ten columns of the CoNLL-X shared task (2006): ID FORM LEMMA CPOSTAG
// POSTAG FEATS HEAD DEPREL PHEAD PDEPREL.
//
// CPOSTAG becomes UPOS, POSTAG becomes XPOS. PHEAD and PDEPREL become Misc, with a tab between them, which no
// MISC of CoNLL-U contains. There are no ranges and no empty nodes. Comments are read as in CoNLL-U, but not
// printed.
//
// Package conll does the reading.
package conllx

import (
	"bytes"
	"errors"
	"io"
	"slices"
	"strconv"

	"fstore/decode/format"
	"fstore/decode/format/internal/conll"
	"fstore/index"
)

// Format is the entry of conllx in read.Formats.
var Format = format.Format{
	Name:   "conllx",
	Kind:   index.Dependency,
	Sniff:  sniff,
	Open:   func(r io.Reader, o format.Options) index.Source { return conll.Open(&layout, r, o) },
	Append: Append,
	Losses: losses,

	NoSpaces: true,
}

var layout = conll.Layout{
	Columns: []string{"ID", "FORM", "LEMMA", "CPOSTAG", "POSTAG", "FEATS", "HEAD", "DEPREL", "PHEAD", "PDEPREL"},
	Filled:  []int{0, 1, 3, 6, 7},
	Form:    1,
	Head:    6,
	Token:   token,
}

func token(r *conll.Row) index.Token {
	misc := conll.Projective(r.Column[8], r.Column[9])
	r.Column[8], r.Column[9] = conll.None, conll.None
	if misc != nil {
		r.Column[9] = misc
	}
	return conll.TenColumns(r)
}

// universal are the tags that CoNLL-U allows in UPOS.
var universal = []string{
	"ADJ", "ADP", "ADV", "AUX", "CCONJ", "DET", "INTJ", "NOUN", "NUM", "PART", "PRON",
	"PROPN", "PUNCT", "SCONJ", "SYM", "VERB", "X", "_",
}

// sniff tells CoNLL-X from CoNLL-U. A doubtful file is taken for CoNLL-U, which reads the same trees.
func sniff(file string, head []byte) int {
	score := max(format.NameScore(file, ".conllx"), format.NameScore(file, ".conll")/2)
	line, ok := conll.FirstRow(head)
	if !ok && score < 40 {
		return 0
	}
	c := bytes.Split(line, []byte{'\t'})
	if len(c) != len(layout.Columns) || string(c[0]) != "1" {
		return score / 2
	}
	score += 50
	if _, err := strconv.Atoi(string(c[8])); err == nil || !slices.Contains(universal, string(c[3])) {
		score += 10
	}
	return score
}

// Append appends the sentence and a blank line.
func Append(dst []byte, t *index.Tree, s *index.Symbols) ([]byte, error) {
	if t.Kind != index.Dependency {
		return dst, errors.New("a constituency tree cannot be written as conllx")
	}
	for i := range t.Tokens {
		head, rel := conll.None, conll.None
		if misc := s.Bytes(index.Words, t.Tokens[i].Misc); conll.IsProjective(misc) {
			head, rel, _ = bytes.Cut(misc, []byte{'\t'})
		}
		dst = conll.AppendToken(dst, i, &t.Tokens[i], s, head, rel)
	}
	return append(dst, '\n'), nil
}

// losses counts the parts of a CoNLL-U sentence for which these columns have no place.
func losses(t *index.Tree, s *index.Symbols) format.Losses {
	l := format.LossesOf(t)
	for i := range t.Tokens {
		deps, misc := s.Bytes(index.Words, t.Tokens[i].Deps), s.Bytes(index.Words, t.Tokens[i].Misc)
		if conll.HasValue(deps) {
			l.Deps++
		}
		if conll.HasValue(misc) && !conll.IsProjective(misc) {
			l.Misc++
		}
	}
	return l
}
