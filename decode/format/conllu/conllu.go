// Package conllu reads and writes CoNLL-U (universaldependencies.org/format), and K-best lists in that form
// (decode/README.md, "Formats").
//
// Tree.Tokens has the basic tree. Multiword ranges and empty nodes are kept as lines. Several roots are
// legal. A sentence prints back byte for byte, except for line ends and extra blank lines after it.
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

// Format is the entry of conllu in read.Formats.
var Format = format.Format{
	Name:   "conllu",
	Kind:   index.Dependency,
	Sniff:  sniff,
	Open:   func(r io.Reader, o format.Options) index.Source { return Open(r, o) },
	Append: Append,
	Losses: losses,
}

const columns = 10

// layout allows empty columns where parsers leave them empty, against the standard.
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
	l.Plus = plusLayout
	return conll.Open(&l, r, o)
}

// sniff looks for a first line of data with an id and ten columns, or for a comment `# global.columns`.
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

// Append appends the sentence and a blank line.
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

// losses counts the words that have a PHEAD or PDEPREL (package conllx). Append leaves these values out.
func losses(t *index.Tree, s *index.Symbols) (l format.Losses) {
	l.Pheads = conll.Pheads(t, s)
	return l
}

// appendLines appends the lines that come before token i, and returns the lines after them.
func appendLines(dst []byte, lines []index.Line, i int) ([]byte, []index.Line) {
	for len(lines) > 0 && lines[0].Before <= i {
		dst = append(append(dst, lines[0].Text...), '\n')
		lines = lines[1:]
	}
	return dst, lines
}
