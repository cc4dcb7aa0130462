package dep

import (
	"math"
	"strings"

	"fstore/index"
)

// A field h.misc[KEY] is the value of a key of MISC. A reader of new trees is told the keys
// and sets index.Tree.Misc, as the symbols of a store need not have a new tree's MISC. In
// the trees of a store the value is found in the token's MISC itself.

// notKnown is a value that no feature has: a word that the symbols do not have.
const notKnown = math.MaxUint32

// miscKey returns KEY of misc[KEY]; ok is false of other names of columns.
func miscKey(name string) (key string, ok bool) {
	key, isMisc := strings.CutPrefix(name, "misc[")
	key, closed := strings.CutSuffix(key, "]")
	return key, isMisc && closed && key != "" && !strings.ContainsAny(key, "[]+=, \t|")
}

// misc returns the value of the field's key in token at; syms may be nil where t.Misc has
// it. With add, a new value is interned.
func (f field) misc(t *index.Tree, at int, syms *index.Symbols, add bool) uint32 {
	for i := range t.Misc {
		if t.Misc[i].Key == f.key {
			return t.Misc[i].IDs[at]
		}
	}
	id := t.Tokens[at].Misc
	if syms == nil || uint64(id) > uint64(syms.Len(index.Words)) {
		return notKnown
	}
	value := index.MiscValue(syms.Bytes(index.Words, id), f.key)
	if add {
		return syms.Intern(index.Words, value)
	}
	if v := syms.Lookup(index.Words, value); v != 0 {
		return v
	}
	return notKnown
}

// MiscKeys implements index.MiscReading.
func (s *Space) MiscKeys() (keys []string) {
	for i := range s.templates {
		for _, f := range s.templates[i].fields {
			if f.key != "" {
				keys = append(keys, f.key)
			}
		}
	}
	return keys
}
