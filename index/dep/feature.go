package dep

import (
	"encoding/binary"
	"fmt"
	"math"
	"slices"
	"sort"
	"strings"

	"fstore/index"
)

// A basic feature is interned in index.Features as the id of its template and the ids of its values. That
// takes two to ten bytes. The template is interned there too:
//
//	template  0, its canonical text
//	feature   uvarint of the template's id, then a uvarint per field (keyer.value)
//
// So spaces that share a template share the symbols of its features.

// outside is the value of a column where there is no token: beyond the sentence, and at the artificial root.
// Words have larger ids.
const outside = 0

// templateKey appends the key under which index.Features has a template.
func templateKey(dst []byte, t *template) []byte { return append(append(dst, 0), t.text...) }

// keyer makes the keys of the features of arcs, for one goroutine.
type keyer struct {
	s    *Space
	syms *index.Symbols // may be nil if keys are only compared with each other
	add  bool           // intern new values of MISC
	// If spelled is set, keys have the values of MISC as text, so that values without an id can be compared
	// too.
	spelled bool
	ids     []uint32 // the ids of the templates; 0 if the symbols do not know it
	wordID  uint32   // the id of the template of words, likewise
	buf     []byte
	tags    []uint32
}

// know looks up the ids of the templates, or interns them.
func (k *keyer) know(s *Space, syms *index.Symbols, add bool) {
	k.s, k.syms, k.add, k.ids = s, syms, add, k.ids[:0]
	id := func(t *template) uint32 {
		k.buf = templateKey(k.buf[:0], t)
		if add {
			return syms.Intern(index.Features, k.buf)
		}
		return syms.Lookup(index.Features, k.buf)
	}
	for i := range s.templates {
		k.ids = append(k.ids, id(&s.templates[i]))
	}
	if s.word != nil {
		k.wordID = id(s.word)
	}
}

// numberTemplates uses the numbers 1, 2, … as the ids of the templates. Keys of k can then be compared only
// with each other.
func (k *keyer) numberTemplates(s *Space) {
	k.s = s
	for i := range s.templates {
		k.ids = append(k.ids, uint32(i+1))
	}
	k.wordID = uint32(len(s.templates) + 1)
}

// each calls f with the key of each feature of the arc that leads to token m. No key comes twice.
func (k *keyer) each(t *index.Tree, m int, f func(key []byte)) {
	h := int(t.Tokens[m].Head) - 1
	for i := range k.s.templates {
		p := &k.s.templates[i]
		id := k.ids[i]
		if id == 0 {
			continue
		}
		if p.between < 0 {
			k.buf = binary.AppendUvarint(k.buf[:0], uint64(id))
			for _, fd := range p.fields {
				k.appendKey(fd, t, h, m)
			}
			f(k.buf)
			continue
		}
		k.tags = k.tags[:0]
		for b := min(h, m) + 1; b < max(h, m); b++ {
			tag := t.Tokens[b].UPOS
			if slices.Contains(k.tags, tag) {
				continue
			}
			k.tags = append(k.tags, tag)
			k.buf = binary.AppendUvarint(k.buf[:0], uint64(id))
			for j, fd := range p.fields {
				if j != p.between {
					k.appendKey(fd, t, h, m)
				} else {
					k.buf = binary.AppendUvarint(k.buf, uint64(tag))
				}
			}
			f(k.buf)
		}
	}
}

// value returns the value of a field for the arc from token h to token m. The field must not be `between`.
// The artificial root is token -1.
func (k *keyer) value(f field, t *index.Tree, h, m int) uint32 {
	switch f.kind {
	case direction:
		if m > h {
			return 1
		}
		return 0
	case distance:
		return bucketOf(max(h-m, m-h))
	}
	at := f.token(h, m)
	if at < 0 || at >= len(t.Tokens) {
		return outside
	}
	if f.col == index.Misc {
		return k.misc(f.key, t, at)
	}
	return f.col.Of(&t.Tokens[at])
}

// token returns the position of the token that the field looks at, which can lie outside of the sentence.
func (f field) token(h, m int) int {
	if f.kind == ofHead {
		m = h
	}
	return m + int(f.offset)
}

// eachArc calls f for every feature of every arc of t, by ascending token.
func (k *keyer) eachArc(t *index.Tree, f func(token int, key []byte)) {
	for m := range t.Tokens {
		if t.Tokens[m].Head != 0 || k.s.rootArcs {
			k.each(t, m, func(key []byte) { f(m, key) })
		}
	}
}

// decode returns the template of a feature, or nil if the symbol is no feature of this space. It appends the
// feature's values to dst.
func (s *Space) decode(sym uint32, syms *index.Symbols, dst []uint32) (t *template, values []uint32) {
	if sym == 0 || uint64(sym) > uint64(syms.Len(index.Features)) {
		return nil, dst
	}
	key := syms.Bytes(index.Features, sym)
	id, n := binary.Uvarint(key)
	if n <= 0 || id == 0 || id > uint64(syms.Len(index.Features)) {
		return nil, dst
	}
	name := syms.Bytes(index.Features, uint32(id))
	if len(name) == 0 || name[0] != 0 {
		return nil, dst
	}
	if t = s.template(name[1:]); t == nil {
		return nil, dst
	}
	for _, f := range t.fields {
		key = key[n:]
		var v uint64
		if v, n = binary.Uvarint(key); n <= 0 || v > f.largest(syms) || n > 1 && key[n-1] == 0 {
			return nil, dst
		}
		dst = append(dst, uint32(v))
	}
	if n != len(key) {
		return nil, dst
	}
	return t, dst
}

// template returns the template with this canonical text, or nil if there is no such template.
func (s *Space) template(text []byte) *template {
	if s.word != nil && s.word.text == string(text) {
		return s.word
	}
	i := sort.Search(len(s.templates), func(i int) bool { return s.templates[i].text >= string(text) })
	if i < len(s.templates) && s.templates[i].text == string(text) {
		return &s.templates[i]
	}
	return nil
}

// largest returns the largest value that the field can have.
func (f field) largest(syms *index.Symbols) uint64 {
	switch f.kind {
	case direction:
		return uint64(len(directionNames) - 1)
	case distance:
		return uint64(len(bucketNames) - 1)
	}
	return uint64(syms.Len(index.Words))
}

// find returns the symbol of the feature with these values, or 0 if it is unknown.
func (t *template) find(values []uint32, syms *index.Symbols) uint32 {
	id := syms.Lookup(index.Features, templateKey(nil, t))
	if id == 0 {
		return 0
	}
	key := binary.AppendUvarint(nil, uint64(id))
	for _, v := range values {
		key = binary.AppendUvarint(key, uint64(v))
	}
	return syms.Lookup(index.Features, key)
}

// outsideText is the text for the constant `outside`. A word that is spelt like this is escaped.
const outsideText = "^"

// appendValue appends a value as text, and escapes the bytes that are in specials.
func (f field) appendValue(dst []byte, v uint32, specials string, syms *index.Symbols) []byte {
	switch {
	case f.kind == direction:
		return append(dst, directionNames[v]...)
	case f.kind == distance:
		return append(dst, bucketNames[v]...)
	case v == outside:
		return append(dst, outsideText...)
	}
	word := syms.Bytes(index.Words, v)
	if string(word) == outsideText {
		specials = outsideText
	}
	return index.AppendEscapedWith(dst, word, specials)
}

// parseValue reads what appendValue writes. It returns index.ErrAbsent if a word is unknown.
func (f field) parseValue(text string, syms *index.Symbols) (v uint32, err error) {
	var names []string
	switch f.kind {
	case direction:
		names = directionNames[:]
	case distance:
		names = bucketNames[:]
	default:
		if text == outsideText {
			return outside, nil
		}
		if text == "" {
			return 0, fmt.Errorf(`%s without a value (\e is the empty one)`, f)
		}
		word, err := index.AppendUnescaped(nil, []byte(text))
		if err != nil {
			return 0, err
		}
		if v = syms.Lookup(index.Words, word); v == 0 {
			return 0, index.ErrAbsent
		}
		return v, nil
	}
	i := slices.Index(names, text)
	if i < 0 {
		return 0, fmt.Errorf("%s=%s: there are %s", f, text, strings.Join(names, ", "))
	}
	return uint32(i), nil
}

// A field h.misc[KEY] is the value of a key of MISC. In the trees of a store, the value is in the token's
// MISC. For a new tree, the reader gets the keys from MiscKeys, and stores their values in index.Tree.Misc.

// notKnown stands for a word that the symbols do not have. No feature has this value.
const notKnown = math.MaxUint32

// miscText returns the value that a token has for a key of MISC, and whether the value can be found.
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

// misc returns a token's value for a key of MISC, as the id of a word, or notKnown.
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

// appendKey appends to k.buf the value of a field for the arc from token h to token m.
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

// Relations implements index.Relating.
func (s *Space) Relations() bool {
	return slices.ContainsFunc(s.fields(), field.isRelation)
}

func (s *Space) fields() (all []field) {
	for i := range s.templates {
		all = append(all, s.templates[i].fields...)
	}
	return all
}

// MiscKeys implements index.MiscReading.
func (s *Space) MiscKeys() (keys []string) {
	for _, f := range s.fields() {
		if f.key != "" {
			keys = append(keys, f.key)
		}
	}
	return keys
}

// Columns implements index.ColumnReading.
func (s *Space) Columns() (names []string) {
	fields := s.fields()
	if s.word != nil {
		fields = append(fields, s.word.fields...)
	}
	for _, f := range fields {
		if f.kind <= ofModifier && f.col != index.Misc && !slices.Contains(names, f.column()) {
			names = append(names, f.column())
		}
	}
	return names
}
