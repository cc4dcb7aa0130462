package index

import (
	"encoding/binary"
	"fmt"

	"github.com/zeebo/xxh3"
)

// Class tells symbol tables apart. Ids are dense within a class, from 1, in
// first-seen input order, and never change; 0 is "absent".
type Class uint8

const (
	// Labels are nonterminal labels; in one-alphabet trees also the words.
	Labels Class = iota
	// Words are terminals of bracketed trees, and the fields of dependency tokens.
	Words
	// Productions are label and children, see [Symbols.Production].
	Productions
	// Features are the basic features of arcs (ALGORITHMS.md §2.2).
	Features
	// NumClasses is the number of classes.
	NumClasses
)

func (c Class) String() string {
	return [...]string{"label", "word", "production", "feature"}[c]
}

// Table interns byte strings: id to string by offset, string to id by open
// addressing. Strings lie back to back in one arena, each behind its id and its
// length, so that a table of a million strings is three allocations, and finding
// one touches a slot and the string's own cache line. (Half of the time to read a
// treebank goes here; with the offsets between slot and string it was a third more.)
type Table struct {
	arena []byte   // per string: id (4 bytes), length (uvarint), bytes
	at    []uint64 // at[i] is where the entry of string i+1 starts
	slots []uint64 // hash<<40 | 1 + start of the entry; 0 is free; a power of two, at most half full
}

const (
	entryBits = 40 // of a slot: an arena of at most 1 TiB
	entryMask = 1<<entryBits - 1
	idBytes   = 4
)

// Len is the number of strings; the largest id.
func (t *Table) Len() int { return len(t.at) }

// Bytes returns string id; it must not be changed. It panics where id is not in 1..Len.
func (t *Table) Bytes(id uint32) []byte { return t.stringAt(t.at[id-1]) }

// stringAt returns the string of the entry that starts at i.
func (t *Table) stringAt(i uint64) []byte {
	b := t.arena[i+idBytes:]
	if n := int(b[0]); n < 0x80 {
		return b[1 : 1+n : 1+n]
	}
	n, k := binary.Uvarint(b)
	return b[k : k+int(n) : k+int(n)]
}

// Size is the number of bytes the table holds.
func (t *Table) Size() int64 {
	return int64(cap(t.arena)) + 8*int64(cap(t.at)) + 8*int64(len(t.slots))
}

// home is where the search for a string of hash h starts, and tag the part of the
// hash that its slot keeps.
func (t *Table) home(h uint64) (i, tag uint64) {
	return h & uint64(len(t.slots)-1), h &^ entryMask
}

// Lookup returns the id of b, or 0 where it is unknown.
func (t *Table) Lookup(b []byte) uint32 {
	if len(t.slots) == 0 {
		return 0
	}
	i, tag := t.home(xxh3.Hash(b))
	id, _ := t.find(b, i, tag)
	return id
}

// find returns the id of b, or 0 and the free slot where it belongs.
func (t *Table) find(b []byte, i, tag uint64) (id uint32, free uint64) {
	mask := uint64(len(t.slots) - 1)
	for ; ; i = (i + 1) & mask {
		s := t.slots[i]
		if s == 0 {
			return 0, i
		}
		if s&^entryMask != tag {
			continue
		}
		e := s&entryMask - 1
		if string(t.stringAt(e)) == string(b) {
			return binary.LittleEndian.Uint32(t.arena[e:]), 0
		}
	}
}

// Intern returns the id of b, giving it the next one where it is new.
func (t *Table) Intern(b []byte) (id uint32, isNew bool) {
	if 2*(len(t.at)+1) > len(t.slots) {
		t.grow()
	}
	i, tag := t.home(xxh3.Hash(b))
	id, i = t.find(b, i, tag)
	if id != 0 {
		return id, false
	}
	start := uint64(len(t.arena))
	t.at = append(t.at, start)
	id = uint32(len(t.at))
	t.arena = binary.LittleEndian.AppendUint32(t.arena, id)
	t.arena = binary.AppendUvarint(t.arena, uint64(len(b)))
	t.arena = append(t.arena, b...)
	t.slots[i] = tag | (start + 1)
	return id, true
}

// free is the free slot where the entry with hash h goes.
func (t *Table) free(h uint64) uint64 {
	i, _ := t.home(h)
	for t.slots[i] != 0 {
		i = (i + 1) & uint64(len(t.slots)-1)
	}
	return i
}

func (t *Table) grow() {
	t.slots = make([]uint64, max(2*len(t.slots), 256))
	// In id order, so that the last interned is always the last of its probe
	// chain: truncate relies on it.
	for _, start := range t.at {
		h := xxh3.Hash(t.stringAt(start))
		t.slots[t.free(h)] = h&^entryMask | (start + 1)
	}
}

// truncate forgets all ids above n. Going backwards over the ids, each string is
// the youngest of its probe chain, so that freeing its slot breaks no other.
func (t *Table) truncate(n int) {
	mask := uint64(len(t.slots) - 1)
	for id := len(t.at); id > n; id-- {
		start := t.at[id-1]
		i, _ := t.home(xxh3.Hash(t.stringAt(start)))
		for t.slots[i]&entryMask != start+1 {
			i = (i + 1) & mask
		}
		t.slots[i] = 0
	}
	if n < len(t.at) {
		t.arena = t.arena[:t.at[n]]
		t.at = t.at[:n]
	}
}

// Symbols holds one table a class. It is for one writer, or for any number of
// readers while nothing is interned.
type Symbols struct {
	tables [NumClasses]Table
	arity  []uint32 // nonterminal children of production i+1
	mark   [NumClasses]int
	frozen bool
	buf    []byte
}

// NewSymbols returns empty tables.
func NewSymbols() *Symbols { return &Symbols{} }

// Len is the largest id of class c.
func (s *Symbols) Len(c Class) int { return s.tables[c].Len() }

// Size is the number of bytes held.
func (s *Symbols) Size() (n int64) {
	for c := range s.tables {
		n += s.tables[c].Size()
	}
	return n + 4*int64(cap(s.arity))
}

// Intern returns the id of b in class c, new or old. Productions have
// [Symbols.InternProduction].
func (s *Symbols) Intern(c Class, b []byte) uint32 {
	id, isNew := s.tables[c].Intern(b)
	if isNew && c == Productions {
		s.arity = append(s.arity, countNonterminals(b))
	}
	return id
}

// Lookup returns the id of b in class c, 0 where it is absent.
func (s *Symbols) Lookup(c Class, b []byte) uint32 { return s.tables[c].Lookup(b) }

// Bytes returns the string of an id; it must not be changed.
func (s *Symbols) Bytes(c Class, id uint32) []byte { return s.tables[c].Bytes(id) }

// Text returns the string of an id, "" for 0.
func (s *Symbols) Text(c Class, id uint32) string {
	if id == 0 {
		return ""
	}
	return string(s.tables[c].Bytes(id))
}

// Freeze marks what is there: [Symbols.Rollback] goes back to it. A linearizer
// freezes the symbols of its store, and what reads its trees rolls back before
// each, so that unknown words keep their identity within a tree and memory stays
// flat.
func (s *Symbols) Freeze() {
	s.frozen = true
	for c := range s.tables {
		s.mark[c] = s.tables[c].Len()
	}
}

// Frozen says whether Freeze was called.
func (s *Symbols) Frozen() bool { return s.frozen }

// Rollback forgets every symbol interned since Freeze, if that was called.
func (s *Symbols) Rollback() {
	if !s.frozen {
		return
	}
	for c := range s.tables {
		if s.tables[c].Len() > s.mark[c] {
			s.tables[c].truncate(s.mark[c])
		}
	}
	s.arity = s.arity[:s.tables[Productions].Len()]
}

// Clone returns an independent copy, for one more goroutine that interns.
func (s *Symbols) Clone() *Symbols {
	d := &Symbols{arity: append([]uint32(nil), s.arity...), mark: s.mark, frozen: s.frozen}
	for c := range s.tables {
		t := &s.tables[c]
		d.tables[c] = Table{
			arena: append([]byte(nil), t.arena...),
			at:    append([]uint64(nil), t.at...),
			slots: append([]uint64(nil), t.slots...),
		}
	}
	return d
}

// Child is a child in a production: a label id, or a word id where Word is set.
type Child struct {
	Sym  uint32
	Word bool
}

// Child is the node as a child.
func (n *Node) Child() Child { return Child{Sym: n.Sym, Word: n.Word} }

// Class is the class of the symbol.
func (c Child) Class() Class {
	if c.Word {
		return Words
	}
	return Labels
}

// Packed is the child as one number, as productions have it: 2·Sym, plus 1 for a word.
// Spaces with symbols of both classes put it in their steps. It is 0 where Sym is 0.
func (c Child) Packed() uint32 {
	if c.Word && c.Sym != 0 {
		return c.Sym<<1 | 1
	}
	return c.Sym << 1
}

// UnpackChild is the inverse of Child.Packed.
func UnpackChild(p uint32) Child { return Child{Sym: p >> 1, Word: p&1 == 1} }

// Has says whether s has the symbol of c.
func (s *Symbols) Has(c Child) bool { return c.Sym != 0 && uint64(c.Sym) <= uint64(s.Len(c.Class())) }

// InternProduction returns the id of the production with this left-hand side
// and these children, in order. A node without children has no production.
func (s *Symbols) InternProduction(label uint32, children []Child) uint32 {
	s.buf = packProduction(s.buf[:0], label, children)
	return s.Intern(Productions, s.buf)
}

// LookupProduction is InternProduction that adds nothing: 0 where it is absent.
func (s *Symbols) LookupProduction(label uint32, children []Child) uint32 {
	var mem [64]byte // readers share s
	return s.Lookup(Productions, packProduction(mem[:0], label, children))
}

// packProduction appends uvarint label, then uvarint sym<<1|word per child.
func packProduction(b []byte, label uint32, children []Child) []byte {
	b = binary.AppendUvarint(b, uint64(label))
	for _, c := range children {
		v := uint64(c.Sym) << 1
		if c.Word {
			v |= 1
		}
		b = binary.AppendUvarint(b, v)
	}
	return b
}

// Production returns the left-hand side of production id and appends its
// children to dst.
func (s *Symbols) Production(id uint32, dst []Child) (label uint32, children []Child) {
	b := s.tables[Productions].Bytes(id)
	v, n := binary.Uvarint(b)
	label = uint32(v)
	for b = b[n:]; len(b) > 0; b = b[n:] {
		v, n = binary.Uvarint(b)
		dst = append(dst, Child{Sym: uint32(v >> 1), Word: v&1 == 1})
	}
	return label, dst
}

// Arity is the number of nonterminal children of production id.
func (s *Symbols) Arity(id uint32) int { return int(s.arity[id-1]) }

func countNonterminals(b []byte) (n uint32) {
	_, k := binary.Uvarint(b)
	for b = b[k:]; len(b) > 0; b = b[k:] {
		var v uint64
		v, k = binary.Uvarint(b)
		n += 1 - uint32(v&1)
	}
	return n
}

// CheckProduction says whether b, read from a store, is a well-formed
// production over the labels and words that s holds.
func (s *Symbols) CheckProduction(b []byte) error {
	v, k := binary.Uvarint(b)
	if k <= 0 || v == 0 || v > uint64(s.Len(Labels)) {
		return fmt.Errorf("production %x: no such label", b)
	}
	if b = b[k:]; len(b) == 0 {
		return fmt.Errorf("production without children")
	}
	for ; len(b) > 0; b = b[k:] {
		v, k = binary.Uvarint(b)
		c := Labels
		if v&1 == 1 {
			c = Words
		}
		if k <= 0 || v>>1 == 0 || v>>1 > uint64(s.Len(c)) {
			return fmt.Errorf("production %x: no such %s", b, c)
		}
	}
	return nil
}
