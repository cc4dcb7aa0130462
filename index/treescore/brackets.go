package treescore

import (
	"bytes"
	"cmp"

	"fstore/index"
)

// bracket is a nonterminal over the words from..to-1, not counting words that the scores leave out.
type bracket struct {
	from, to int32
	label    []byte
}

func (a bracket) compareSpan(b bracket) int {
	return cmp.Or(cmp.Compare(a.from, b.from), cmp.Compare(a.to, b.to))
}

func (a bracket) compare(b bracket) int {
	return cmp.Or(a.compareSpan(b), bytes.Compare(a.label, b.label))
}

// common returns the number of elements that two ascending lists share. A repeated element counts as often as
// both lists have it.
func common(a, b []bracket, compare func(a, b bracket) int) (n uint64) {
	index.Shared(a, b, compare, func(_, _ int) { n++ })
	return n
}

// Tops returns the number of nodes at the front of t that only mark the beginning of a tree. Such a node has
// the label TOP, ROOT, S1 or VROOT, and all other nodes are below its only child.
func Tops(t *index.Tree, s *index.Symbols) (n int) {
	for ; n+1 < len(t.Nodes) && t.Nodes[n].Size == int32(len(t.Nodes)-n) && t.Nodes[n+1].Size == t.Nodes[n].Size-1; n++ {
		switch string(s.Bytes(index.Labels, t.Nodes[n].Sym)) {
		case "TOP", "ROOT", "S1", "VROOT":
		default:
			return n
		}
	}
	return n
}
