// Package conllu reads and writes CoNLL-U (universaldependencies.org/format),
// K-best lists in that form included (DESIGN.md §4).
//
// The basic tree is in Tree.Tokens; multiword ranges and empty nodes are kept as
// lines and are no part of it. Several roots are legal. What was read prints back
// byte for byte, except for line ends, and blank lines beyond the one after each
// sentence.
//
// Where to start reading: reader.go has the loop over lines, word.go one line of
// a word, heads.go the checks on a whole tree, comments.go what comments mean.
package conllu

import (
	"bytes"
	"io"
	"path"

	"fstore/decode/format"
	"fstore/index"
)

// Format is the registry's entry.
var Format = format.Format{
	Name:   "conllu",
	Kind:   index.Dependency,
	Sniff:  sniff,
	Open:   func(r io.Reader, o format.Options) index.Source { return Open(r, o) },
	Append: Append,
}

const columns = 10

// sniff looks at the first line that is neither blank nor a comment: an id, and
// ten columns.
func sniff(file string, head []byte) int {
	score := 0
	if path.Ext(file) == ".conllu" {
		score = 40
	}
	for line := range bytes.Lines(head) {
		line = bytes.TrimRight(line, "\r\n")
		if isBlank(line) || line[0] == '#' {
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

func isBlank(line []byte) bool { return len(bytes.TrimLeft(line, " \t")) == 0 }
