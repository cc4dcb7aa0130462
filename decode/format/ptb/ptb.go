// Package ptb reads and writes Penn brackets (decode/README.md, "Formats"): `( (S (NP …)) )`
// over any number of lines.
//
// A label follows its bracket, words and brackets follow the label in any order.
// `\(` and `\)` are brackets inside a word or a label; any other backslash is
// one. An unlabelled outermost bracket is a wrapper and no node: it holds the
// tree, and notes about it (ID, META, CODE, COMMENT). Further down every bracket
// has a label. Blocks between trees, as CorpusSearch writes them, are passed over.
//
// Where to start reading: reader.go has the loop over brackets, shape.go what a
// bracket becomes, recover.go what happens after an error, buffer.go the text.
package ptb

import (
	"bytes"
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
