// Package klp reads and writes the lines of KeLP (decode/README.md, "Formats"):
//
//	label … |BS:quest| text |ES| |BV:bow| name:1.0 … |EV| |BT:grct| (root …) |ET|
//
// A line is one sample: trees, vectors and strings, each with a name. One tree is read; its words and labels
// are one alphabet. Several labels are joined by commas. Strings become comments, `# quest = text`. Vectors
// are checked and left out, because their features have names and not numbers. Blank lines and comments (#)
// are skipped.
package klp

import (
	"bytes"
	"errors"
	"io"
	"slices"
	"strings"

	"fstore/decode/format"
	"fstore/decode/format/internal/brackets"
	"fstore/index"
)

// Format is the entry of klp in read.Formats.
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

// noLabel is written for a sample without a label, and read back as no label.
const noLabel = "_"

// kind is a kind of representation, such as the T (tree) in the marks |BT:name| … |ET|.
type kind byte

const (
	none   kind = 0
	tree   kind = 'T'
	vector kind = 'V'
	str    kind = 'S'
)

// cutMark splits off the mark of a representation, such as |BT|, from the start of text.
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

// findMark returns the offset of the first mark in text that opens a representation, or len(text).
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

// isMark says whether a name is a mark of the format, such as |ET|. A tree cannot contain such a name.
func isMark(name []byte) bool {
	switch string(name) {
	case "|ET|", "|EV|", "|ES|":
		return true
	}
	k, _, rest := cutMark(name)
	return k != none && len(rest) == 0
}

// sniff checks whether the first line that is neither blank nor a comment contains a mark with a name.
func sniff(file string, head []byte) int {
	score := format.NameScore(file, ".klp")
	line := brackets.FirstSample(head)
	if at := findMark(line); at < len(line) && line[at+3] == ':' {
		return score + 60
	}
	return score
}

// Append appends the sample as a line. Its tree gets the name "tree". A sample without a label gets the label
// _. Several trees are an error.
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

// appendLabels appends labels in a form that the reader reads back as labels.
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

// appendString appends a comment `# name = text` as a string of KeLP, if the reader can read it back.
func appendString(dst []byte, comment string) []byte {
	name, text, ok := strings.Cut(strings.TrimPrefix(comment, "# "), " = ")
	mark := "|BS:" + name + "|"
	if k, n, rest := cutMark([]byte(mark)); !ok || k != str || string(n) != name || len(rest) > 0 ||
		strings.Contains(text, "|ES|") || findMark([]byte(text)) < len(text) {
		return dst
	}
	return append(append(append(append(dst, ' '), mark...), ' '), text+" |ES|"...)
}

// losses counts the names, labels, comments and vectors that Append changes or leaves out. Append writes no
// vectors, because their features have numbers and not names.
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
