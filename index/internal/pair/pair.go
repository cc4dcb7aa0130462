// Package pair interns pairs of numbers in index.Features, for spaces whose symbols stand for pairs (tag,
// poly). The key of a pair is three uvarints: its kind, and the two numbers. A kind is the id of its name in
// index.Features. Package pair imports index.
package pair

import (
	"bytes"
	"encoding/binary"

	"fstore/index"
)

// AppendKey appends the key of the pair (a, b). The kind is the id of a name.
func AppendKey(dst []byte, kind, a, b uint32) []byte {
	dst = binary.AppendUvarint(dst, uint64(kind))
	dst = binary.AppendUvarint(dst, uint64(a))
	return binary.AppendUvarint(dst, uint64(b))
}

// Decode returns the pair that a symbol stands for, and whether the symbol is a pair of this kind.
func Decode(sym, kind uint32, syms *index.Symbols) (a, b uint32, ok bool) {
	if kind == 0 || sym == 0 || uint64(sym) > uint64(syms.Len(index.Features)) {
		return 0, 0, false
	}
	key := syms.Bytes(index.Features, sym)
	var v [3]uint64
	rest := key
	for i := range v {
		n := 0
		if v[i], n = binary.Uvarint(rest); n <= 0 {
			return 0, 0, false
		}
		rest = rest[n:]
	}
	a, b = uint32(v[1]), uint32(v[2])
	var mem [3 * binary.MaxVarintLen32]byte // on the stack, because a listing decodes millions of pairs
	return a, b, bytes.Equal(AppendKey(mem[:0], kind, a, b), key)
}
