package index

import (
	"encoding/binary"
	"fmt"
)

// This file reads the productions in a tree's bytes and makes no nodes.

// Expansion is a nonterminal of a constituency tree as growth sees it. Prod is 0 for a nonterminal without
// children. Arity counts its nonterminal children.
type Expansion struct {
	Prod, Arity uint32
	Root        bool // the production lies in the range that grows
	Rare        bool // no frequent fragment has the production
}

// Expanded is implemented by spaces whose Items need only the productions of a tree. Growth then makes no
// nodes, which would take most of the time.
type Expanded interface {
	// Expansions returns a function that adds a tree to items, as Items.Add does. The function gets the
	// tree's nonterminals in preorder, and can leave out those that are in no frequent fragment. Expansions
	// returns nil if the space needs more than productions.
	Expansions() func(it Items, sample uint32, tree []Expansion, r Range, l Limits)
}

// Expander reads trees as lists of productions, for growth in one range.
type Expander struct {
	of   []Expansion // by production id in the bytes
	list []Expansion
}

// NewExpander returns an Expander for trees over the symbols in s. If the trees have other ids, `ids` maps
// these to ids of s. isRare sets Expansion.Rare, and can be nil.
func NewExpander(s *Symbols, ids *Renumbering, r Range, isRare func(prod uint32) bool) *Expander {
	n := s.Len(Productions) + 1
	if ids != nil {
		n = len(ids[Productions])
	}
	e := &Expander{of: make([]Expansion, n)}
	for old := 1; old < n; old++ {
		p := uint32(old)
		if ids != nil {
			p = ids[Productions][old]
		}
		e.of[old] = Expansion{
			Prod: p, Arity: uint32(s.Arity(p)),
			Root: r.Contains(Step{Sym: p}.Packed()), Rare: isRare != nil && isRare(p),
		}
	}
	return e
}

// Read returns the nonterminals, in preorder, of the tree that AppendTree wrote into b. It returns none if no
// production is in the Expander's range. The result is valid until the next call.
func (e *Expander) Read(b []byte) ([]Expansion, error) {
	if len(b) == 0 || b[0] > treeFlags || b[0]&treeDependency != 0 {
		return nil, fmt.Errorf("%w: flags of a constituency tree", errTreeCode)
	}
	d := treeDecoder{b: b[1:]}
	_, left, _, _ := d.head()
	if d.err != nil {
		return nil, d.err
	}
	b = d.b
	list, inRange := e.list[:0], false
	for ; left > 0; left-- {
		if len(b) == 0 {
			return nil, fmt.Errorf("%w: truncated productions", errTreeCode)
		}
		p, k := uint64(b[0]), 1 // read here, as most productions take one byte: a call of uvarint is slower
		if p >= 0x80 {
			p, k = binary.Uvarint(b)
		}
		if k <= 0 || p >= uint64(len(e.of)) {
			return nil, fmt.Errorf("%w: production unknown", errTreeCode)
		}
		b = b[k:]
		x := e.of[p]
		inRange = inRange || x.Root
		left += int(x.Arity)
		list = append(list, x)
	}
	if e.list = list; !inRange {
		return nil, nil
	}
	return list, nil
}

// CountWords returns the number of words of the tree that AppendTree wrote into b. Unlike DecodeTree, it does
// not check all bytes.
func CountWords(b []byte, s *Symbols) (int, error) {
	if len(b) == 0 {
		return 0, fmt.Errorf("%w: flags", errTreeCode)
	}
	flags, d := b[0], treeDecoder{b: b[1:]}
	if flags&treeDependency != 0 {
		return d.count(9), d.err
	}
	n, left, _, _ := d.head()
	if d.err != nil {
		return 0, d.err
	}
	b = d.b
	nonterminals, childless := 0, 0
	for ; left > 0; left-- {
		p, k := binary.Uvarint(b)
		if nonterminals++; k <= 0 || nonterminals > n || p > uint64(s.Len(Productions)) {
			return 0, fmt.Errorf("%w: productions", errTreeCode)
		}
		if b = b[k:]; p == 0 {
			childless++
		} else {
			left += s.Arity(uint32(p))
		}
	}
	if flags&treeOneAlphabet != 0 {
		return childless, nil
	}
	return n - nonterminals, nil
}
