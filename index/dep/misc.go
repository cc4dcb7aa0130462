package dep

import (
	"encoding/binary"
	"math"
	"slices"
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

// miscText returns the value of a key of MISC in token at; ok is false where nobody can tell:
// the reader was not asked for it, and the symbols do not have the token's MISC.
func (k *keyer) miscText(key string, t *index.Tree, at int) (value []byte, ok bool) {
	for i := range t.Misc {
		if t.Misc[i].Key == key {
			return []byte(t.Misc[i].Values[at]), true
		}
	}
	id := t.Tokens[at].Misc
	if k.syms == nil || uint64(id) > uint64(k.syms.Len(index.Words)) {
		return nil, false
	}
	return index.MiscValue(k.syms.Bytes(index.Words, id), key), true
}

// misc returns the value of a key of MISC in token at, as a word.
func (k *keyer) misc(key string, t *index.Tree, at int) uint32 {
	value, ok := k.miscText(key, t, at)
	switch {
	case !ok:
		return notKnown
	case k.add:
		return k.syms.Intern(index.Words, value)
	}
	if v := k.syms.Lookup(index.Words, value); v != 0 {
		return v
	}
	return notKnown
}

// appendKey appends the value of a field for the arc from token h to token m to the key.
func (k *keyer) appendKey(f field, t *index.Tree, h, m int) {
	at := f.token(h, m)
	if f.col != index.Misc || !k.spelled || at < 0 || at >= len(t.Tokens) {
		k.buf = binary.AppendUvarint(k.buf, uint64(k.value(f, t, h, m)))
		return
	}
	value, _ := k.miscText(f.key, t, at)
	k.buf = binary.AppendUvarint(k.buf, uint64(len(value))+1)
	k.buf = append(k.buf, value...)
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

// Columns implements index.ColumnReading.
func (s *Space) Columns() (names []string) {
	templates := s.templates
	if s.word != nil {
		templates = append(slices.Clip(templates), *s.word)
	}
	for i := range templates {
		for _, f := range templates[i].fields {
			if f.kind <= ofModifier && f.col != index.Misc && !slices.Contains(names, f.column()) {
				names = append(names, f.column())
			}
		}
	}
	return names
}
