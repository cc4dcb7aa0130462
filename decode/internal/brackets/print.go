package brackets

import (
	"bytes"

	"fstore/index"
)

// AppendTree appends the tree at root. Every childless node is written as `(w)`, as in
// fragments. Names are written as AppendName does.
func AppendTree(dst []byte, t *index.Tree, root int, s *index.Symbols, isMark func(name []byte) bool) []byte {
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
		dst = append(dst, '(')
		dst = AppendName(dst, s.Bytes(class, v.Sym), isMark)
		if v.Size > 1 {
			continue
		}
		dst = append(dst, ')')
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

// AppendName appends a name as it can stand in a tree: nothing escapes there, so a
// bracket becomes -LRB- or -RRB-, white space '_', and a name that is a mark, or empty,
// '_' as well.
func AppendName(dst, name []byte, isMark func(name []byte) bool) []byte {
	if len(name) == 0 || name[0] == '|' && isMark(name) {
		return append(dst, '_')
	}
	if !bytes.ContainsAny(name, "()\n\x00"+Blanks) {
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
