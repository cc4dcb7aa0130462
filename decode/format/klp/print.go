package klp

import (
	"errors"
	"slices"
	"strings"

	"fstore/decode/format"
	"fstore/decode/format/internal/brackets"
	"fstore/index"
)

// Append appends the sample as a line, its tree under the name tree. Without a label
// it is _. Names are written as svmtk does. A sample with several trees cannot be
// written.
func Append(dst []byte, t *index.Tree, s *index.Symbols) ([]byte, error) {
	switch {
	case t.Kind != index.Constituency:
		return dst, errors.New("a dependency tree cannot be written as klp")
	case len(t.Nodes) > 0 && int(t.Nodes[0].Size) < len(t.Nodes):
		return dst, errors.New("several trees cannot be written as klp: it has one a representation")
	}
	dst = appendLabels(dst, t.Label)
	for _, c := range t.Comments {
		dst = appendString(dst, c)
	}
	dst = append(dst, " |BT:tree| "...)
	if len(t.Nodes) > 0 {
		dst = append(brackets.AppendTree(dst, t, 0, s, isMark), ' ')
	}
	return append(dst, "|ET|\n"...), nil
}

// appendLabels writes labels so that they are read back.
func appendLabels(dst []byte, labels string) []byte {
	from := len(dst)
	for label := range strings.SplitSeq(labels, ",") {
		if len(dst) > from {
			dst = append(dst, ' ')
		}
		at := len(dst)
		dst = brackets.AppendName(dst, []byte(label), isMark)
		if dst[at] == '|' || dst[at] == '#' && at == from {
			dst = slices.Insert(dst, at, '_')
		}
	}
	return dst
}

// appendString writes a comment `# name = text` as a string, where that can be read
// back.
func appendString(dst []byte, comment string) []byte {
	name, text, ok := strings.Cut(strings.TrimPrefix(comment, "# "), " = ")
	mark := "|BS:" + name + "|"
	if k, n, rest := cutMark([]byte(mark)); !ok || k != str || string(n) != name || len(rest) > 0 ||
		strings.Contains(text, "|ES|") || findMark([]byte(text)) < len(text) {
		return dst
	}
	return append(append(append(append(dst, ' '), mark...), ' '), text+" |ES|"...)
}

// losses counts the names that Append changes, labels of the sample included, the comments
// that are no strings, and the vectors: their features have numbers, and klp's have names.
func losses(t *index.Tree, s *index.Symbols) format.Losses {
	l := format.Losses{Names: brackets.Changed(t, s, isMark), Vectors: len(t.Vectors)}
	for _, c := range t.Comments {
		if len(appendString(nil, c)) == 0 {
			l.Comments++
		}
	}
	if t.Label == "" {
		return l
	}
	for label := range strings.SplitSeq(t.Label, ",") {
		if string(appendLabels(nil, label)) != label {
			l.Names++
		}
	}
	return l
}
