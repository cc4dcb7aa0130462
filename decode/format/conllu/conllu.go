// Package conllu reads and writes CoNLL-U (universaldependencies.org/format),
// K-best lists in that form included (decode/README.md, "Formats").
//
// The basic tree is in Tree.Tokens; multiword ranges and empty nodes are kept as
// lines and are no part of it. Several roots are legal. What was read prints back
// byte for byte, except for line ends, and blank lines beyond the one after each
// sentence.
//
// CoNLL-U Plus is read as CoNLL-U, see plus.go. Package conll does the reading.
package conllu

import (
	"bytes"
	"errors"
	"io"

	"fstore/decode/format"
	"fstore/decode/format/internal/conll"
	"fstore/index"
)

// Format is the registry's entry.
var Format = format.Format{
	Name:   "conllu",
	Kind:   index.Dependency,
	Sniff:  sniff,
	Open:   func(r io.Reader, o format.Options) index.Source { return Open(r, o) },
	Append: Append,
	Losses: losses,
}

const columns = 10

// layout: the columns that the standard wants filled and parsers leave empty may be
// so; empty is another value than _.
var layout = conll.Layout{
	Columns: []string{"ID", "FORM", "LEMMA", "UPOS", "XPOS", "FEATS", "HEAD", "DEPREL", "DEPS", "MISC"},
	Filled:  []int{0, 1, 3, 6, 7},
	Form:    1,
	Head:    6,
	Special: true,
	Token:   conll.TenColumns,
}

// Open returns a reader of the sentences of r.
func Open(r io.Reader, o format.Options) *conll.Reader {
	l := layout
	l.Plus = plus
	return conll.Open(&l, r, o)
}

// sniff looks at the first line that is neither blank nor a comment: an id, and
// ten columns; or a comment that names the columns.
func sniff(file string, head []byte) int {
	score := format.NameScore(file, ".conllu", ".conllup")
	for line := range bytes.Lines(head) {
		line = bytes.TrimRight(line, "\r\n")
		if conll.IsBlank(line) {
			continue
		}
		if line[0] == '#' {
			if key, _, ok := format.ParseComment(string(line)); ok && key == "global.columns" {
				return score + 60
			}
			continue
		}
		id, rest, found := bytes.Cut(line, []byte{'\t'})
		switch {
		case len(id) == 0 || id[0] < '0' || id[0] > '9':
			return score / 2
		case !found:
			return score + 5
		case bytes.Count(rest, []byte{'\t'}) == columns-2:
			return score + 55
		}
		return score + 10
	}
	return score
}

// Append appends the sentence, a blank line after it.
func Append(dst []byte, t *index.Tree, s *index.Symbols) ([]byte, error) {
	if t.Kind != index.Dependency {
		return dst, errors.New("a constituency tree cannot be written as conllu")
	}
	for _, c := range t.Comments {
		dst = append(append(dst, c...), '\n')
	}
	lines := t.Lines
	for i := range t.Tokens {
		dst, lines = appendLines(dst, lines, i)
		k := &t.Tokens[i]
		misc := s.Bytes(index.Words, k.Misc)
		if conll.IsProjective(misc) {
			misc = conll.None
		}
		dst = conll.AppendToken(dst, i, k, s, s.Bytes(index.Words, k.Deps), misc)
	}
	dst, _ = appendLines(dst, lines, len(t.Tokens))
	return append(dst, '\n'), nil
}

// losses counts the words that have a PHEAD or PDEPREL (package conllx).
func losses(t *index.Tree, s *index.Symbols) (l format.Losses) {
	l.Pheads = conll.Pheads(t, s)
	return l
}

// appendLines appends the lines that come before token i, and returns the others.
func appendLines(dst []byte, lines []index.Line, i int) ([]byte, []index.Line) {
	for len(lines) > 0 && lines[0].Before <= i {
		dst = append(append(dst, lines[0].Text...), '\n')
		lines = lines[1:]
	}
	return dst, lines
}
