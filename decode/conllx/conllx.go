// Package conllx reads and writes the ten columns of the CoNLL-X shared task
// (2006): ID FORM LEMMA CPOSTAG POSTAG FEATS HEAD DEPREL PHEAD PDEPREL. They stand
// in the fields of a token that CoNLL-U's stand in, CPOSTAG in UPOS, POSTAG in XPOS,
// PHEAD and PDEPREL in Deps and Misc. There are no ranges and no empty nodes; comments,
// which some tools write, are read as those of CoNLL-U, and not printed.
//
// Package conll does the reading.
package conllx

import (
	"bytes"
	"errors"
	"io"
	"path"
	"slices"
	"strconv"

	"fstore/decode/format"
	"fstore/decode/internal/conll"
	"fstore/index"
)

// Format is the registry's entry.
var Format = format.Format{
	Name:   "conllx",
	Kind:   index.Dependency,
	Sniff:  sniff,
	Open:   func(r io.Reader, o format.Options) index.Source { return conll.Open(&layout, r, o) },
	Append: Append,
}

var layout = conll.Layout{
	Columns: []string{"ID", "FORM", "LEMMA", "CPOSTAG", "POSTAG", "FEATS", "HEAD", "DEPREL", "PHEAD", "PDEPREL"},
	Filled:  []int{0, 1, 3, 6, 7},
	Form:    1,
	Head:    6,
	Token:   conll.TenColumns,
}

// universal are the tags of CoNLL-U's UPOS.
var universal = []string{
	"ADJ", "ADP", "ADV", "AUX", "CCONJ", "DET", "INTJ", "NOUN", "NUM", "PART", "PRON",
	"PROPN", "PUNCT", "SCONJ", "SYM", "VERB", "X", "_",
}

// sniff knows ten columns from CoNLL-U's by the name, or by what CoNLL-U cannot have:
// a first line that is no comment, and either a tag that is not universal or a number
// for PHEAD. Where neither tells, CoNLL-U reads the same trees.
func sniff(file string, head []byte) int {
	score := 0
	switch path.Ext(file) {
	case ".conllx":
		score = 40
	case ".conll":
		score = 20
	}
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

// Append appends the sentence, a blank line after it.
func Append(dst []byte, t *index.Tree, s *index.Symbols) ([]byte, error) {
	if t.Kind != index.Dependency {
		return dst, errors.New("a constituency tree cannot be written as conllx")
	}
	for i := range t.Tokens {
		dst = conll.AppendToken(dst, i, &t.Tokens[i], s)
	}
	return append(dst, '\n'), nil
}
