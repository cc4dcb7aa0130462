package conllu

import (
	"errors"

	"fstore/decode/format/internal/conll"
	"fstore/index"
)

var errKind = errors.New("a constituency tree cannot be written as conllu")

// Append appends the sentence, a blank line after it.
func Append(dst []byte, t *index.Tree, s *index.Symbols) ([]byte, error) {
	if t.Kind != index.Dependency {
		return dst, errKind
	}
	for _, c := range t.Comments {
		dst = append(append(dst, c...), '\n')
	}
	lines := t.Lines
	for i := range t.Tokens {
		dst, lines = appendLines(dst, lines, i)
		dst = conll.AppendToken(dst, i, &t.Tokens[i], s)
	}
	dst, _ = appendLines(dst, lines, len(t.Tokens))
	return append(dst, '\n'), nil
}

// appendLines appends the lines that come before token i, and returns the others.
func appendLines(dst []byte, lines []index.Line, i int) ([]byte, []index.Line) {
	for len(lines) > 0 && lines[0].Before <= i {
		dst = append(append(dst, lines[0].Text...), '\n')
		lines = lines[1:]
	}
	return dst, lines
}
