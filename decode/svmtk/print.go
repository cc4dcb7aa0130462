package svmtk

import (
	"bytes"
	"errors"
	"strconv"

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
		dst = append(dst, '0')
	} else {
		dst = appendName(dst, []byte(t.Label))
	}
	for i := 0; i < len(t.Nodes); i += int(t.Nodes[i].Size) {
		dst = append(dst, " |BT| "...)
		dst = appendTree(dst, t, i, s)
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

// appendTree writes the tree at root. A childless node that is an only child is
// written bare, `(N w)`, others as `(w)`, as all tools understand it.
func appendTree(dst []byte, t *index.Tree, root int, s *index.Symbols) []byte {
	end := root + int(t.Nodes[root].Size)
	for i := root; i < end; i++ {
		v := &t.Nodes[i]
		if i > root {
			dst = append(dst, ' ')
		}
		class := index.Labels
		if v.Word {
			class = index.Words
		}
		if v.Size == 1 && i > root && t.Nodes[v.Parent].Size == 2 {
			dst = appendName(dst, s.Bytes(class, v.Sym))
		} else {
			dst = append(dst, '(')
			dst = appendName(dst, s.Bytes(class, v.Sym))
			if v.Size > 1 {
				continue
			}
			dst = append(dst, ')')
		}
		for p := v.Parent; p >= 0 && int(p+t.Nodes[p].Size) == i+1; p = t.Nodes[p].Parent {
			dst = append(dst, ')')
		}
	}
	return dst
}

var escape = map[byte]string{
	'(': "-LRB-", ')': "-RRB-",
	' ': "_", '\t': "_", '\n': "_", '\r': "_", '\v': "_", '\f': "_", 0: "_",
}

func appendName(dst, name []byte) []byte {
	if len(name) == 0 || isMark(name) {
		return append(dst, '_')
	}
	if !bytes.ContainsAny(name, "()\n\x00"+blanks) {
		return append(dst, name...)
	}
	for _, c := range name {
		if e, ok := escape[c]; ok {
			dst = append(dst, e...)
		} else {
			dst = append(dst, c)
		}
	}
	return dst
}
