package conllu

import (
	"errors"

	"fstore/decode/format"
	"fstore/decode/format/internal/conll"
	"fstore/index"
)

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
