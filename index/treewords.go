package index

import (
	"encoding/binary"
	"fmt"
	"slices"
)

// CountWords returns the words (Tree.Words) of the tree that AppendTree wrote into b, without
// making it. It trusts what it passes over: DecodeTree checks.
func CountWords(b []byte, s *Symbols) (int, error) {
	bad := func() (int, error) { return 0, fmt.Errorf("%w: truncated", errTreeCode) }
	if len(b) == 0 {
		return bad()
	}
	flags := b[0]
	if flags&treeDependency != 0 {
		n, k := binary.Uvarint(b[1:])
		if k <= 0 {
			return bad()
		}
		return int(n), nil
	}
	n, roots, b, ok := treeHead(b)
	if !ok {
		return bad()
	}
	nonterminals, childless := uint64(0), uint64(0)
	for left := roots; left > 0; left-- {
		p, k := binary.Uvarint(b)
		if nonterminals++; k <= 0 || nonterminals > n || p > uint64(s.Len(Productions)) {
			return bad()
		}
		if b = b[k:]; p == 0 {
			childless++
		} else {
			left += uint64(s.Arity(uint32(p)))
		}
	}
	if flags&treeOneAlphabet != 0 {
		return int(childless), nil
	}
	return int(n - nonterminals), nil
}

// treeHead reads what comes before the productions of a constituency tree: the numbers of its nodes
// and of its roots, and the labels of these, which it skips.
func treeHead(b []byte) (nodes, roots uint64, rest []byte, ok bool) {
	b = b[1:]
	nodes, k := binary.Uvarint(b)
	if k <= 0 {
		return 0, 0, nil, false
	}
	b = b[k:]
	if roots, k = binary.Uvarint(b); k <= 0 || roots > nodes {
		return 0, 0, nil, false
	}
	b = b[k:]
	for range roots {
		if _, k = binary.Uvarint(b); k <= 0 {
			return 0, 0, nil, false
		}
		b = b[k:]
	}
	return nodes, roots, b, true
}

// Dependents are the dependents of each word of a dependency tree. It is filled again and
// again, and keeps its memory.
type Dependents struct {
	list  []int32 // tokens, by head, then in surface order
	start []int32 // those of word h, 0 the artificial root, are list[start[h]:start[h+1]]
}

// Fill lists the dependents in t.
func (d *Dependents) Fill(t *Tree) {
	n := len(t.Tokens)
	d.start = append(d.start[:0], make([]int32, n+2)...)
	for i := range t.Tokens {
		d.start[t.Tokens[i].Head+1]++
	}
	for h := 1; h < len(d.start); h++ {
		d.start[h] += d.start[h-1]
	}
	d.list = slices.Grow(d.list[:0], n)[:n]
	for i := range t.Tokens {
		h := t.Tokens[i].Head
		d.list[d.start[h]] = int32(i)
		d.start[h]++
	}
	// start[h] is where those of h end now.
	copy(d.start[1:], d.start)
	d.start[0] = 0
}

// Of returns the dependents of token h, -1 the artificial root, in surface order.
func (d *Dependents) Of(h int32) []int32 { return d.list[d.start[h+1]:d.start[h+2]] }
