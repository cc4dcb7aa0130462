package index

import (
	"bytes"
	"slices"
)

// Column is a column of a dependency tree's tokens, as spaces, patterns and readers name it.
type Column uint8

const (
	Form Column = iota
	Lemma
	UPOS
	XPOS
	Feats
	Rel
	Deps
	Misc
)

// ColumnNames are the names of the columns, as options and patterns spell them.
var ColumnNames = [...]string{"form", "lemma", "upos", "xpos", "feats", "rel", "deps", "misc"}

// String is the column's name.
func (c Column) String() string { return ColumnNames[c] }

// Of returns the column's value in a token: an id of Words.
func (c Column) Of(t *Token) uint32 {
	switch c {
	case Form:
		return t.Form
	case Lemma:
		return t.Lemma
	case UPOS:
		return t.UPOS
	case XPOS:
		return t.XPOS
	case Feats:
		return t.Feats
	case Rel:
		return t.Rel
	case Deps:
		return t.Deps
	}
	return t.Misc
}

// AddMisc sets t.Misc to the values of these keys. s has the strings of the MISC column.
func (t *Tree) AddMisc(keys []string, s *Symbols) {
	for i, key := range keys {
		if i == cap(t.Misc) {
			t.Misc = append(t.Misc, MiscValues{})
		}
		t.Misc = t.Misc[:i+1]
		v := &t.Misc[i]
		v.Key, v.Values = key, v.Values[:0]
		for k := range t.Tokens {
			v.Values = append(v.Values, string(MiscValue(s.Bytes(Words, t.Tokens[k].Misc), key)))
		}
	}
}

// none is the value of a key that a token does not have.
var none = []byte("_")

// MiscValue returns the value of a key in a MISC column, KEY=value|KEY=value, or _ if there is no such key.
func MiscValue(misc []byte, key string) []byte {
	for item := range bytes.SplitSeq(misc, []byte{'|'}) {
		if k, value, ok := bytes.Cut(item, []byte{'='}); ok && string(k) == key {
			return value
		}
	}
	return none
}

// Dependents lists the dependents of each word of a dependency tree. Fill reuses the memory.
type Dependents struct {
	list  []int32 // tokens, by head, then in surface order
	start []int32 // the dependents of word h are list[start[h]:start[h+1]]; word 0 is the artificial root
}

// Fill lists the dependents in t. It forgets the tree before.
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
	// start[h] is now the end of the dependents of h.
	copy(d.start[1:], d.start)
	d.start[0] = 0
}

// Of returns the dependents of token h in surface order. -1 is the artificial root.
func (d *Dependents) Of(h int32) []int32 { return d.list[d.start[h+1]:d.start[h+2]] }
