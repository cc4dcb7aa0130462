// Package ptb reads and writes Penn brackets (decode/README.md, "Formats"): `( (S (NP …)) )`
// over any number of lines.
//
// A label follows its bracket, words and brackets follow the label in any order.
// `\(` and `\)` are brackets inside a word or a label; any other backslash is
// one. An unlabelled outermost bracket is a wrapper and no node: it holds the
// tree, and notes about it (ID, META, CODE, COMMENT). Further down every bracket
// has a label. Blocks between trees, as CorpusSearch writes them, are passed over.
//
// Where to start reading: reader.go has the loop over brackets, parser.go one bracket,
// shape.go what it becomes, recover.go what happens after an error, buffer.go the text.
package ptb

import (
	"bytes"
	"errors"
	"io"

	"fstore/decode/format"
	"fstore/index"
)

// Format is the registry's entry.
var Format = format.Format{
	Name:   "ptb",
	Kind:   index.Constituency,
	Sniff:  sniff,
	Open:   func(r io.Reader, o format.Options) index.Source { return Open(r, o) },
	Append: Append,
	Losses: losses,
}

// sniff is sure enough of whatever starts with a bracket; a line that does, after
// something else, is a hint.
func sniff(file string, head []byte) int {
	score := format.NameScore(file, ".ptb", ".mrg", ".psd", ".prd", ".bracket", ".brackets")
	if text := bytes.TrimLeft(head, " \t\r\v\f\n"); len(text) > 0 && text[0] == '(' || bytes.HasPrefix(text, []byte("/*")) || bytes.HasPrefix(text, []byte("/~*")) {
		return score + 50
	}
	if bytes.Contains(head, []byte("\n(")) {
		score += 20
	}
	return score
}

// Append appends the tree on one line. A forest gets a node TOP over its trees, as the
// reader gives to several trees in one bracket; a sample without nodes becomes (TOP). Childless nodes of a one-alphabet tree are words, its root
// excepted.
func Append(dst []byte, t *index.Tree, s *index.Symbols) ([]byte, error) {
	if t.Kind != index.Constituency {
		return dst, errors.New("a dependency tree cannot be written as ptb")
	}
	n := len(t.Nodes)
	if n == 0 {
		return append(dst, "(TOP)\n"...), nil
	}
	forest := isForest(t)
	if forest {
		dst = append(dst, "(TOP "...)
	}
	for i := range t.Nodes {
		v := &t.Nodes[i]
		if i > 0 {
			dst = append(dst, ' ')
		}
		if v.Word {
			dst = appendAtom(dst, s.Bytes(index.Words, v.Sym))
		} else if t.OneAlphabet && v.Size == 1 && v.Parent >= 0 {
			dst = appendAtom(dst, s.Bytes(index.Labels, v.Sym))
		} else {
			dst = append(dst, '(')
			dst = appendAtom(dst, s.Bytes(index.Labels, v.Sym))
			if v.Size > 1 {
				continue
			}
			dst = closeAfter(dst)
		}
		for p := v.Parent; p >= 0 && int(p+t.Nodes[p].Size) == i+1; p = t.Nodes[p].Parent {
			dst = closeAfter(dst)
		}
	}
	if forest {
		dst = append(dst, ')')
	}
	return append(dst, '\n'), nil
}

// isForest says whether t has several trees.
func isForest(t *index.Tree) bool { return len(t.Nodes) > 0 && int(t.Nodes[0].Size) < len(t.Nodes) }

// losses counts the nodes TOP that Append adds, the vectors and the comments.
func losses(t *index.Tree, _ *index.Symbols) format.Losses {
	l := format.Losses{Vectors: len(t.Vectors), Comments: len(t.Comments)}
	if len(t.Nodes) == 0 || isForest(t) {
		l.Tops = 1
	}
	return l
}

// appendAtom escapes brackets.
func appendAtom(dst, w []byte) []byte {
	for _, c := range w {
		if c == '(' || c == ')' {
			dst = append(dst, '\\')
		}
		dst = append(dst, c)
	}
	return dst
}

// closeAfter closes a bracket; a backslash before it would escape it.
func closeAfter(dst []byte) []byte {
	if dst[len(dst)-1] == '\\' {
		dst = append(dst, ' ')
	}
	return append(dst, ')')
}
