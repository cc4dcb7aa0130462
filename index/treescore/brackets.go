package treescore

import (
	"bytes"
	"cmp"
	"slices"

	"fstore/index"
)

// bracket is a nonterminal over the counted words from..to-1.
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

// list appends the brackets of t, ascending. It leaves out three kinds of nonterminals: (1) tags, which are
// over one word and nothing else; (2) nodes that only say that a tree begins (Tops); (3) nodes over no
// counted word.
//
// Unlike in evalb, whole labels are compared, as they were read. The reader removes function tags and traces
// (--strip-functions, --strip-traces). ADVP and PRT are different labels. Sentences of any length count.
// Trees made from dependency trees can have other leaves than the gold tree, and more leaves. Such leaves
// count too.
func (x *Scorer) list(dst []bracket, t *index.Tree, s *index.Symbols) []bracket {
	before := append(x.before[:0], make([]int32, len(t.Nodes)+1)...) // counted words in front of a node
	word := 0
	for i := range t.Nodes {
		before[i+1] = before[i]
		if t.IsWord(i) {
			if word >= len(x.counted) || x.counted[word] {
				before[i+1]++
			}
			word++
		}
	}
	x.before = before
	for i := Tops(t, s); i < len(t.Nodes); i++ {
		n := &t.Nodes[i]
		from, to := before[i], before[i+int(n.Size)]
		if t.IsWord(i) || from == to || n.Size == 2 && t.IsWord(i+1) {
			continue
		}
		dst = append(dst, bracket{from, to, s.Bytes(index.Labels, n.Sym)})
	}
	slices.SortFunc(dst, bracket.compare)
	return dst
}

// common returns the number of elements that two ascending lists share. If the lists have an element several
// times, it counts as often as it occurs in both.
func common(a, b []bracket, compare func(a, b bracket) int) (n uint64) {
	index.Shared(a, b, compare, func(_, _ int) { n++ })
	return n
}

// Tops returns the number of nodes at the front of t that only say that a tree begins: an outermost TOP,
// ROOT, S1 or VROOT around one other node.
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
