package index

import (
	"bytes"
	"errors"
	"slices"
)

// Needs are what is made of the samples of a source.
type Needs struct {
	NoHeads bool     // nothing of the heads: sentences without heads will do (Tree.Unparsed)
	Misc    []string // the values of these keys of MISC: Tree.Misc
	Columns []string // these columns of dependency trees, as in ColumnReading
}

// Headless is implemented by spaces that read words and their tags, and no heads.
type Headless interface{ Headless() }

// MiscReading is implemented by spaces that read values of keys of MISC.
type MiscReading interface{ MiscKeys() []string }

// ColumnReading is implemented by spaces that read columns of dependency trees: form, lemma, upos,
// xpos, feats, rel, deps.
type ColumnReading interface{ Columns() []string }

// ErrUnparsed says that a sentence has no heads, and what reads it needs them.
var ErrUnparsed = errors.New("the words have no heads: expected a parsed sentence")

// Tell tells src, a source of samples or of lists of them, what the spaces make of its
// samples. A source without the method Need does not want to know.
func Tell(src any, spaces ...Space) {
	s, ok := src.(interface{ Need(n Needs) })
	if !ok || len(spaces) == 0 {
		return
	}
	n := Needs{NoHeads: true}
	for _, space := range spaces {
		if _, ok := space.(Headless); !ok {
			n.NoHeads = false
		}
		if c, ok := space.(ColumnReading); ok {
			n.Columns = append(n.Columns, c.Columns()...)
		}
		m, ok := space.(MiscReading)
		if !ok {
			continue
		}
		for _, key := range m.MiscKeys() {
			if !slices.Contains(n.Misc, key) {
				n.Misc = append(n.Misc, key)
			}
		}
	}
	s.Need(n)
}

// MiscValues are the values that a key of MISC has in the tokens of a sample.
type MiscValues struct {
	Key    string
	Values []string // by token
}

// AddMisc sets t.Misc to the values of these keys, of which s has the tokens' MISC.
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

// none is the value of what has none.
var none = []byte("_")

// MiscValue returns the value of a key in a MISC, KEY=value|KEY=value: _ where it has none.
func MiscValue(misc []byte, key string) []byte {
	for item := range bytes.SplitSeq(misc, []byte{'|'}) {
		if k, value, ok := bytes.Cut(item, []byte{'='}); ok && string(k) == key {
			return value
		}
	}
	return none
}
