package svmtk

import (
	"errors"
	"strconv"

	"fstore/decode/format"
	"fstore/decode/format/internal/brackets"
	"fstore/index"
)

// Append appends the sample as a line. Without a label it is 0; a label that is no
// number is written as it is, which this reader would refuse. The format has no
// escapes: a bracket inside a name becomes -LRB- or -RRB-, white space '_', and a
// name that is one of the four marks, or empty, '_' as well.
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

// AppendName appends a label or word as it can stand in a tree, see Append.
func AppendName(dst, name []byte) []byte { return brackets.AppendName(dst, name, isMark) }

// losses counts the names that Append changes, and all comments but the first.
func losses(t *index.Tree, s *index.Symbols) format.Losses {
	return format.Losses{Names: brackets.Changed(t, s, isMark), Comments: max(0, len(t.Comments)-1)}
}
