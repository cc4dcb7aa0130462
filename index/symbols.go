package index

import (
	"encoding/binary"
	"fmt"
	"math/bits"
	"slices"

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
	base  *Table   // whose strings come first, and which does not change; or nil
	first uint32   // the largest id of base
	arena []byte   // per string: id (4 bytes), length (uvarint), bytes
	at    []uint64 // at[i] is where the entry of string first+i+1 starts
	left  []uint32 // where not all are there, at[i] is that of string left[i]
	last  uint32   // the largest id, where not all are there
	slots []uint64 // hash<<40 | 1 + start of the entry; 0 is free; a power of two, at most half full
}

const (
	entryBits = 40 // of a slot: an arena of at most 1 TiB
	entryMask = 1<<entryBits - 1
	idBytes   = 4
)

// Len is the number of strings; the largest id.
func (t *Table) Len() int {
	if t.left != nil {
		return int(t.last)
	}
	return int(t.first) + len(t.at)
}

// Bytes returns string id; it must not be changed. It is nil where the string was left
// out, and panics where id is not in 1..Len.
func (t *Table) Bytes(id uint32) []byte {
	if id <= t.first && id > 0 {
		return t.base.Bytes(id)
	}
	i, ok := t.place(id)
	if !ok {
		return nil
	}
	return t.stringAt(t.at[i])
}

// place says which of the table's own strings id is; ok is false where it was left out.
func (t *Table) place(id uint32) (i int, ok bool) {
	if t.left != nil {
		return slices.BinarySearch(t.left, id)
	}
	return int(id - t.first - 1), true
}

// stringAt returns the string of the entry that starts at i.
func (t *Table) stringAt(i uint64) []byte {
	b := t.arena[i+idBytes:]
	if n := int(b[0]); n < 0x80 {
		return b[1 : 1+n : 1+n]
	}
	n, k := binary.Uvarint(b)
	return b[k : k+int(n) : k+int(n)]
}

// Size is the number of bytes the table holds, beside its base.
func (t *Table) Size() int64 {
	return int64(cap(t.arena)) + 8*int64(cap(t.at)) + 8*int64(len(t.slots))
}

// home is where the search for a string of hash h starts, and tag the part of the
// hash that its slot keeps.
func (t *Table) home(h uint64) (i, tag uint64) {
	return h & uint64(len(t.slots)-1), h &^ entryMask
}

// Lookup returns the id of b, or 0 where it is unknown.
func (t *Table) Lookup(b []byte) uint32 { return t.lookup(b, xxh3.Hash(b)) }

func (t *Table) lookup(b []byte, hash uint64) uint32 {
	if t.base != nil {
		if id := t.base.lookup(b, hash); id != 0 {
			return id
		}
	}
	if len(t.slots) == 0 {
		return 0
	}
	i, tag := t.home(hash)
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
	hash := xxh3.Hash(b)
	if t.base != nil {
		if id := t.base.lookup(b, hash); id != 0 {
			return id, false
		}
	}
	if 2*(len(t.at)+1) > len(t.slots) {
		t.rehash(max(2*len(t.slots), 256))
	}
	i, tag := t.home(hash)
	id, i = t.find(b, i, tag)
	if id != 0 {
		return id, false
	}
	t.slots[i] = tag | (t.append(b) + 1)
	return uint32(t.Len()), true
}

// appendNew gives strings the next ids; it is false where one of them is there already.
// All are hashed before the slots are looked at: those reads then wait for memory side
// by side. A nil string takes an id and is not there.
func (t *Table) appendNew(block [][]byte) bool {
	var hashes [64]uint64
	for len(block) > 0 {
		part := block[:min(len(block), len(hashes))]
		block = block[len(part):]
		if need := 2 * (len(t.at) + len(part)); need > len(t.slots) {
			t.rehash(1 << bits.Len(uint(need-1)))
		}
		for i, b := range part {
			if b != nil {
				hashes[i] = xxh3.Hash(b)
			}
		}
		for i, b := range part {
			if b == nil {
				t.skip()
				continue
			}
			at, tag := t.home(hashes[i])
			id, at := t.find(b, at, tag)
			if id != 0 {
				return false
			}
			t.slots[at] = tag | (t.append(b) + 1)
		}
	}
	return true
}

// skip gives the next id to a string that is not there.
func (t *Table) skip() {
	if t.left == nil {
		t.last = uint32(t.Len())
		t.left = make([]uint32, len(t.at), max(64, cap(t.at)))
		for i := range t.left {
			t.left[i] = uint32(i + 1)
		}
	}
	t.last++
}

// append adds the entry of the next id to the arena and returns where it starts.
func (t *Table) append(b []byte) (start uint64) {
	start = uint64(len(t.arena))
	t.at = append(t.at, start)
	if t.left != nil {
		t.last++
		t.left = append(t.left, t.last)
	}
	t.arena = binary.LittleEndian.AppendUint32(t.arena, uint32(t.Len()))
	t.arena = binary.AppendUvarint(t.arena, uint64(len(b)))
	t.arena = append(t.arena, b...)
	return start
}

// free is the free slot where the entry with hash h goes.
func (t *Table) free(h uint64) uint64 {
	i, _ := t.home(h)
	for t.slots[i] != 0 {
		i = (i + 1) & uint64(len(t.slots)-1)
	}
	return i
}

// rehash makes that many slots, a power of two.
func (t *Table) rehash(slots int) {
	t.slots = make([]uint64, slots)
	// In id order, so that the last interned is always the last of its probe
	// chain: truncate relies on it.
	for _, start := range t.at {
		h := xxh3.Hash(t.stringAt(start))
		t.slots[t.free(h)] = h&^entryMask | (start + 1)
	}
}

// truncate forgets all ids above n, which are none of the base. Going backwards over
// the ids, each string is the youngest of its probe chain, so that freeing its slot
// breaks no other.
func (t *Table) truncate(n int) {
	mask := uint64(len(t.slots) - 1)
	n -= int(t.first)
	for i := len(t.at) - 1; i >= n; i-- {
		start := t.at[i]
		k, _ := t.home(xxh3.Hash(t.stringAt(start)))
		for t.slots[k]&entryMask != start+1 {
			k = (k + 1) & mask
		}
		t.slots[k] = 0
	}
	if n < len(t.at) {
		t.arena = t.arena[:t.at[n]]
		t.at = t.at[:n]
	}
}

// Symbols holds one table a class. It is for one writer, or for any number of
// readers while nothing is interned.
type Symbols struct {
	base     *Symbols // see Overlay
	tables   [NumClasses]Table
	arity    []uint32 // nonterminal children of the i-th production that is not of base
	expected [NumClasses]uint32
	mark     [NumClasses]int
	frozen   bool
	buf      []byte
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

// Expect says how many symbols of each class AppendNew will be given.
func (s *Symbols) Expect(counts [NumClasses]uint32) { s.expected = counts }

// Reserve makes room for n strings of class c.
func (s *Symbols) Reserve(c Class, n uint32) {
	n = min(n, mostReserved)
	t := &s.tables[c]
	t.at = slices.Grow(t.at, int(n))
	t.arena = slices.Grow(t.arena, int(n)*usualEntry)
	if slots := 1 << bits.Len32(2*n); slots > len(t.slots) {
		t.rehash(slots)
	}
	if c == Productions {
		s.arity = slices.Grow(s.arity, int(n))
	}
}

// usualEntry is about what a string takes of the arena.
const usualEntry = 16

// mostReserved is how many symbols of a class memory is taken for before they come: a
// damaged count must not ask for more.
const mostReserved = 1 << 20

// AppendNew gives the strings of block, in order, the next ids of class c. It is an
// error where one of them is there already, or, for productions, is none over the
// labels and words that are expected: strings of a store are not trusted. A nil string
// takes an id and is left out: its Bytes are nil. What has such is for Overlay only.
// Several classes may be filled side by side.
func (s *Symbols) AppendNew(c Class, block [][]byte) error {
	if c == Productions {
		for _, b := range block {
			if b == nil {
				continue
			}
			arity, err := s.checkProduction(b)
			if err != nil {
				return err
			}
			s.arity = append(s.arity, arity)
		}
	}
	if !s.tables[c].appendNew(block) {
		return fmt.Errorf("a %s has two ids", c)
	}
	return nil
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
	if s.frozen {
		s.forget(s.mark)
	}
}

// forget forgets every symbol above mark.
func (s *Symbols) forget(mark [NumClasses]int) {
	for c := range s.tables {
		if s.tables[c].Len() > mark[c] {
			s.tables[c].truncate(mark[c])
		}
	}
	s.arity = s.arity[:len(s.tables[Productions].at)]
}

// Referred returns the labels and the words in the productions that s has, by class and
// as sets of ids.
func (s *Symbols) Referred() (sets [Words + 1][]uint64) {
	sets[Labels] = make([]uint64, s.expected[Labels]/64+1)
	sets[Words] = make([]uint64, s.expected[Words]/64+1)
	t := &s.tables[Productions]
	for _, at := range t.at {
		b := t.stringAt(at)
		label, k := binary.Uvarint(b)
		sets[Labels][label>>6] |= 1 << (label & 63)
		for b = b[k:]; len(b) > 0; b = b[k:] {
			var v uint64
			v, k = binary.Uvarint(b)
			sets[v&1][v>>7] |= 1 << (v >> 1 & 63)
		}
	}
	return sets
}

// Overlay returns symbols that have those of s, with their ids, and take new ones of
// their own, which Rollback forgets: for a goroutine that reads trees. It holds what is
// new only; s must not change.
func (s *Symbols) Overlay() *Symbols {
	d := &Symbols{base: s}
	for c := range s.tables {
		d.tables[c] = Table{base: &s.tables[c], first: uint32(s.tables[c].Len())}
	}
	d.Freeze()
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

// Arity is the number of nonterminal children of production id, 0 where that was left out.
func (s *Symbols) Arity(id uint32) int {
	t := &s.tables[Productions]
	if id <= t.first {
		return s.base.Arity(id)
	}
	i, ok := t.place(id)
	if !ok {
		return 0
	}
	return int(s.arity[i])
}

func countNonterminals(b []byte) (n uint32) {
	_, k := binary.Uvarint(b)
	for b = b[k:]; len(b) > 0; b = b[k:] {
		var v uint64
		v, k = binary.Uvarint(b)
		n += 1 - uint32(v&1)
	}
	return n
}

// checkProduction says whether b is a well-formed production over the labels and words
// that are expected, and how many of its children are nonterminals.
func (s *Symbols) checkProduction(b []byte) (arity uint32, err error) {
	v, k := binary.Uvarint(b)
	if k <= 0 || v == 0 || v > uint64(s.expected[Labels]) {
		return 0, fmt.Errorf("production %x: no such label", b)
	}
	if len(b) == k {
		return 0, fmt.Errorf("production without children")
	}
	for rest := b[k:]; len(rest) > 0; rest = rest[k:] {
		if v, k = uint64(rest[0]), 1; v >= 0x80 {
			v, k = binary.Uvarint(rest)
		}
		c := Class(v & 1) // Labels or Words
		arity += 1 - uint32(c)
		if k <= 0 || v>>1 == 0 || v>>1 > uint64(s.expected[c]) {
			return 0, fmt.Errorf("production %x: no such %s", b, c)
		}
	}
	return arity, nil
}
