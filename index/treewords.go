package index

import (
	"encoding/binary"
	"fmt"
)

// CountWords returns the words (Tree.Words) of the tree that AppendTree wrote into b, without
// making it. It trusts what it passes over: DecodeTree checks.
func CountWords(b []byte, s *Symbols) (int, error) {
	bad := func() (int, error) { return 0, fmt.Errorf("%w: truncated", errTreeCode) }
	if len(b) == 0 {
		return bad()
	}
	flags := b[0]
	n, k := binary.Uvarint(b[1:])
	if k <= 0 {
		return bad()
	}
	if flags&treeDependency != 0 {
		return int(n), nil
	}
	b = b[1+k:]
	roots, k := binary.Uvarint(b)
	if k <= 0 || roots > n {
		return bad()
	}
	b = b[k:]
	for range roots {
		if _, k = binary.Uvarint(b); k <= 0 {
			return bad()
		}
		b = b[k:]
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
