// Package ptb reads and writes Penn brackets (decode/README.md, "Formats"): `( (S (NP …)) )` over any number
// of lines.
//
// A label follows its bracket. After it come words and brackets in any order. `\(` and `\)` are brackets
// inside a word or a label; any other backslash is an ordinary character. An outermost bracket without a
// label is a wrapper, and no node. It contains the tree, and notes about the tree (ID, META, CODE, COMMENT).
// Inside the tree, every bracket has a label. The blocks that CorpusSearch writes between trees are skipped.
//
// Where to start reading: reader.go has the loop over brackets, parser.go reads one bracket, shape.go makes a
// tree, recover.go decides where to continue after an error, buffer.go has the text.
package ptb

import (
	"bytes"
	"errors"
	"io"

	"fstore/decode/format"
	"fstore/index"
)

// Format is the entry of ptb in read.Formats.
var Format = format.Format{
	Name:   "ptb",
	Kind:   index.Constituency,
	Sniff:  sniff,
	Open:   func(r io.Reader, o format.Options) index.Source { return Open(r, o) },
	Append: Append,
	Losses: losses,
}

// sniff gives the most points to text that starts with a bracket or a block.
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

// Append appends the tree on one line. Several trees get a common root TOP. A sample without nodes becomes
// (TOP). If words and labels are one alphabet, a node without children is written as a word, unless it is the
// root.
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

// isForest says whether t consists of several trees.
func isForest(t *index.Tree) bool { return len(t.Nodes) > 0 && int(t.Nodes[0].Size) < len(t.Nodes) }

// losses counts the nodes TOP that Append adds, and the vectors and comments that it leaves out.
func losses(t *index.Tree, _ *index.Symbols) format.Losses {
	l := format.Losses{Vectors: len(t.Vectors), Comments: len(t.Comments)}
	if len(t.Nodes) == 0 || isForest(t) {
		l.Tops = 1
	}
	return l
}

// appendAtom appends a word or label, with brackets escaped.
func appendAtom(dst, w []byte) []byte {
	for _, c := range w {
		if c == '(' || c == ')' {
			dst = append(dst, '\\')
		}
		dst = append(dst, c)
	}
	return dst
}

// closeAfter appends a closing bracket. It puts a space after a backslash, which would escape the bracket.
func closeAfter(dst []byte) []byte {
	if dst[len(dst)-1] == '\\' {
		dst = append(dst, ' ')
	}
	return append(dst, ')')
}
