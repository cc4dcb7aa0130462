package store

import (
	"fstore/index"
)

// Kind is the first byte of a key. It says what the key's value is.
type Kind byte

// The kinds of keys. store/README.md, "Keys", says what follows the kind in each key.
const (
	KindSymbol Kind = 1 + iota
	KindSample
	KindLabel
	KindFragment
	KindRank
	KindSelection
	KindModel
	_
	KindMeta
	kindEnd
)

// String returns a word for the values of a kind, as in "samples".
func (k Kind) String() string {
	if k == 0 || k >= kindEnd {
		return "unknown"
	}
	return [...]string{"symbols", "samples", "labels", "fragments", "ranks", "selections", "models", "unknown", "meta"}[k-1]
}

var metaKey = []byte{byte(KindMeta)}

// keyRange is an interval of keys; hi is exclusive.
type keyRange struct{ lo, hi []byte }

func prefixSpan(p []byte) keyRange { return keyRange{p, index.Code(p).PrefixEnd()} }

func kindSpan(k Kind) keyRange { return prefixSpan([]byte{byte(k)}) }

// keyspace is the beginning that many keys share: a kind, a generation, and the number of a space, selection
// or model. Keys of samples and symbols have no generation, and so no keyspace.
type keyspace struct {
	kind       Kind
	generation uint32
	number     uint32 // of the space, selection or model; 0 for labels
}

// prefix returns the bytes that all keys at p begin with, with capacity for the rest of most keys. No prefix
// is the beginning of another prefix.
func (p keyspace) prefix() []byte {
	dst := append(make([]byte, 0, 64), byte(p.kind))
	return index.AppendOrdered(index.AppendOrdered(dst, p.generation), p.number)
}

func (p keyspace) span() keyRange { return prefixSpan(p.prefix()) }

// numbered returns the key of entry n in the keyspace p: for example, of entry n of a selection.
func (p keyspace) numbered(n uint32) []byte { return index.AppendOrdered(p.prefix(), n) }

// parsePlace splits a key into its keyspace and the rest. It returns false if the key has no keyspace.
func parsePlace(key []byte) (p keyspace, rest []byte, ok bool) {
	if len(key) == 0 || Kind(key[0]) < KindLabel || Kind(key[0]) > KindModel {
		return p, nil, false
	}
	p.kind, key = Kind(key[0]), key[1:]
	var n int
	if p.generation, n = index.Ordered(key); n == 0 {
		return p, nil, false
	}
	key = key[n:]
	if p.number, n = index.Ordered(key); n == 0 {
		return p, nil, false
	}
	return p, key[n:], true
}

// parseNumber decodes b, which must be one number and nothing else.
func parseNumber(b []byte) (v uint32, ok bool) {
	v, n := index.Ordered(b)
	return v, n > 0 && n == len(b)
}

func sampleKey(dst []byte, id uint32) []byte {
	return index.AppendOrdered(append(dst, byte(KindSample)), id)
}

func classSpan(c index.Class) keyRange { return prefixSpan([]byte{byte(KindSymbol), byte(c)}) }

// symbolKey returns the key of the block of symbols whose first symbol has this id.
func symbolKey(c index.Class, id uint32) []byte {
	return index.AppendOrdered([]byte{byte(KindSymbol), byte(c)}, id)
}
