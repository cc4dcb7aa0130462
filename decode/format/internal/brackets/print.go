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
		dst = append(dst, '(')
		dst = AppendName(dst, nameOf(t, i, s), isMark)
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

// nameOf is the label or the word of node i.
func nameOf(t *index.Tree, i int, s *index.Symbols) []byte {
	if t.Nodes[i].Word {
		return s.Bytes(index.Words, t.Nodes[i].Sym)
	}
	return s.Bytes(index.Labels, t.Nodes[i].Sym)
}

var escape = map[byte]string{
	'(': "-LRB-", ')': "-RRB-",
	' ': "_", '\t': "_", '\n': "_", '\r': "_", '\v': "_", '\f': "_", 0: "_",
}

// AppendName appends a name as it can stand in a tree: nothing escapes there, so a
// bracket becomes -LRB- or -RRB-, white space '_', and a name that is a mark, or empty,
// '_' as well.
func AppendName(dst, name []byte, isMark func(name []byte) bool) []byte {
	switch {
	case fits(name, isMark):
		return append(dst, name...)
	case len(name) == 0 || isMark(name):
		return append(dst, '_')
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

// fits says whether a name can stand in a tree as it is.
func fits(name []byte, isMark func(name []byte) bool) bool {
	return len(name) > 0 && !(name[0] == '|' && isMark(name)) && !bytes.ContainsAny(name, "()\n\x00"+Blanks)
}

// Changed counts the names that AppendTree writes otherwise than they are.
func Changed(t *index.Tree, s *index.Symbols, isMark func(name []byte) bool) (n int) {
	for i := range t.Nodes {
		if !fits(nameOf(t, i, s), isMark) {
			n++
		}
	}
	return n
}
