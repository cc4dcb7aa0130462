// Package klp reads and writes the lines of KeLP (decode/README.md, "Formats"):
//
//	label … |BS:quest| text |ES| |BV:bow| name:1.0 … |EV| |BT:grct| (root …) |ET|
//
// A line is one sample: the tree of one representation, over one alphabet as in
// svmtk. Several labels are joined by commas. Strings become comments, `# quest =
// text`; vectors, whose features have names, are checked and left out. Blank lines,
// and lines that start with '#', are skipped.
package klp

import (
	"bytes"
	"io"

	"fstore/decode/format"
	"fstore/decode/format/internal/brackets"
	"fstore/index"
)

// Format is the registry's entry.
var Format = format.Format{
	Name:        "klp",
	Kind:        index.Constituency,
	OneAlphabet: true,
	NoLabel:     noLabel,
	Sniff:       sniff,
	Open:        func(r io.Reader, o format.Options) index.Source { return Open(r, o) },
	Append:      Append,
	Losses:      losses,
}

// noLabel is written for no label, and read as none.
const noLabel = "_"

// kind is a kind of representation, by the letter of its marks: |BT:name| … |ET|.
type kind byte

const (
	none   kind = 0
	tree   kind = 'T'
	vector kind = 'V'
	str    kind = 'S'
)

// cutMark reads the mark that text starts with, which begins a representation.
func cutMark(text []byte) (k kind, name, rest []byte) {
	if len(text) < 4 || text[0] != '|' || text[1] != 'B' {
		return none, nil, text
	}
	switch k = kind(text[2]); k {
	case tree, vector, str:
	default:
		return none, nil, text
	}
	if text[3] == '|' {
		return k, nil, text[4:]
	}
	end := bytes.IndexByte(text[3:], '|')
	if text[3] != ':' || end < 0 {
		return none, nil, text
	}
	if name = text[4 : 3+end]; bytes.ContainsAny(name, brackets.Blanks) {
		return none, nil, text
	}
	return k, name, text[4+end:]
}

// findMark returns where the first mark in text begins a representation, or
// len(text).
func findMark(text []byte) int {
	for i := 0; ; i++ {
		n := bytes.Index(text[i:], []byte("|B"))
		if n < 0 {
			return len(text)
		}
		i += n
		if k, _, _ := cutMark(text[i:]); k != none {
			return i
		}
	}
}

// isMark is for names within trees.
func isMark(name []byte) bool {
	switch string(name) {
	case "|ET|", "|EV|", "|ES|":
		return true
	}
	k, _, rest := cutMark(name)
	return k != none && len(rest) == 0
}

// sniff looks for a mark with a name on the first line that is neither blank nor a
// comment.
func sniff(file string, head []byte) int {
	score := format.NameScore(file, ".klp")
	line := brackets.FirstSample(head)
	if at := findMark(line); at < len(line) && line[at+3] == ':' {
		return score + 60
	}
	return score
}
