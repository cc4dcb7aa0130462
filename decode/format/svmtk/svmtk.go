// Package svmtk reads and writes lines of SVM-Light-TK (decode/README.md, "Formats"):
//
//	label |BT| tree |BT| tree |ET| 1:0.5 3:1 |BV| 2:1 |EV| # comment
//
// A line is one sample. Its trees form one forest with one alphabet: a word is a node without children, and
// `(N w)` means `(N (w))`. Brackets and white space end a name. There are no escapes. Trees and vectors are
// optional: |BT| |ET| means that there is no tree. |EV| can be missing at the end of the line. A qid:N after
// the label, or before the first vector, is the document. Only documents that are whole numbers are written.
// Blank lines, and lines that start with '#', are skipped.
package svmtk

import (
	"bytes"
	"errors"
	"io"
	"strconv"

	"fstore/decode/format"
	"fstore/decode/format/internal/brackets"
	"fstore/index"
)

// Format is the entry of svmtk in read.Formats.
var Format = format.Format{
	Name:         "svmtk",
	Kind:         index.Constituency,
	OneAlphabet:  true,
	NumericLabel: func(label string) bool { return isLabel([]byte(label)) },
	NoLabel:      noLabel,
	Sniff:        sniff,
	Open:         func(r io.Reader, o format.Options) index.Source { return Open(r, o) },
	Append:       Append,
	Losses:       losses,
}

// noLabel is written for a sample without a label. The reader reads it as an ordinary label.
const noLabel = "0"

// sniff checks the first sample for a numeric label, and then |BT| or index:value.
func sniff(file string, head []byte) int {
	score := format.NameScore(file, ".svmtk", ".svmlight", ".libsvm")
	line := brackets.FirstSample(head)
	if len(line) == 0 {
		return score
	}
	if bytes.HasPrefix(line, []byte(modelStart)) {
		return score + 60
	}
	label, rest := cutLabel(line)
	if !isLabel(label) {
		if bytes.Contains(line, []byte("|BT|")) || bytes.Contains(line, []byte("|ET|")) {
			score += 30
		}
		return score
	}
	rest = bytes.TrimSpace(rest)
	switch {
	case bytes.HasPrefix(rest, []byte("|BT|")), bytes.HasPrefix(rest, []byte("|BV|")):
		return score + 60
	case len(rest) == 0:
		return score
	}
	id, value, found := bytes.Cut(bytes.Fields(rest)[0], []byte(":"))
	if string(id) == "qid" && IsQuery(value) {
		return score + 50
	}
	if _, err := strconv.ParseUint(string(id), 10, 32); found && err == nil {
		return score + 50
	}
	return score
}

// Append appends the sample as a line. A sample without a label gets the label 0. A label that is not a
// number is written too, although the reader would refuse it. AppendName says how names are changed.
func Append(dst []byte, t *index.Tree, s *index.Symbols) ([]byte, error) {
	if t.Kind != index.Constituency {
		return dst, errors.New("a dependency tree cannot be written as svmtk")
	}
	if t.Label == "" {
		dst = append(dst, noLabel...)
	} else {
		dst = AppendName(dst, []byte(t.Label))
	}
	if IsQuery([]byte(t.Document)) {
		dst = append(append(dst, " qid:"...), t.Document...)
	}
	for i := 0; i < len(t.Nodes); i += int(t.Nodes[i].Size) {
		dst = append(dst, " |BT| "...)
		dst = brackets.AppendTree(dst, t, i, s, isMark)
	}
	switch {
	case len(t.Nodes) > 0:
		dst = append(dst, " |ET|"...)
	case len(t.Vectors) == 0:
		dst = append(dst, " |BT| |ET|"...)
	}
	for i, v := range t.Vectors {
		if i > 0 || len(v) == 0 {
			dst = append(dst, " |BV|"...)
		}
		for _, f := range v {
			dst = append(dst, ' ')
			dst = strconv.AppendUint(dst, uint64(f.ID), 10)
			dst = append(dst, ':')
			dst = strconv.AppendFloat(dst, f.Value, 'g', -1, 64)
		}
	}
	if len(t.Vectors) > 1 || len(t.Vectors) > 0 && len(t.Nodes) > 0 {
		dst = append(dst, " |EV|"...)
	}
	if len(t.Comments) > 0 && t.OneAlphabet {
		dst = append(append(dst, ' '), t.Comments[0]...)
	}
	return append(dst, '\n'), nil
}

// AppendName appends a label or word in a form that a tree can contain. Brackets become -LRB- and -RRB-, and
// white space becomes '_'. An empty name becomes '_', and so does a mark such as |BT|.
func AppendName(dst, name []byte) []byte { return brackets.AppendName(dst, name, isMark) }

// losses counts the names that Append changes, and the comments after the first, which Append leaves out.
func losses(t *index.Tree, s *index.Symbols) format.Losses {
	return format.Losses{Names: brackets.Changed(t, s, isMark), Comments: max(0, len(t.Comments)-1)}
}
