package index

import (
	"encoding/binary"
	"fmt"
	"math"
	"math/bits"
	"slices"
)

// Class tells symbol tables apart. In each class, ids count from 1 in the order of the input and never
// change; 0 means "absent".
type Class uint8

const (
	// Labels are nonterminal labels. In trees with one alphabet, words are labels too.
	Labels Class = iota
	// Words are terminals of bracketed trees, and fields of dependency tokens.
	Words
	// Productions have a label and children, see [Symbols.Production].
	Productions
	// Features are the basic features of arcs (index/README.md, "dep").
	Features
	// NumClasses is the number of classes.
	NumClasses
)

// String is the class's name.
func (c Class) String() string {
	return [...]string{"label", "word", "production", "feature"}[c]
}

// Symbols has one table for each class. Any number of goroutines can read it, or one goroutine can write it.
type Symbols struct {
	base     *Symbols // see Overlay
	tables   [NumClasses]Table
	arity    []uint32 // nonterminal children of the i-th production that is not in base
	expected [NumClasses]uint32
	mark     [NumClasses]int
	frozen   bool
	buf      []byte
}

// NewSymbols returns empty tables.
func NewSymbols() *Symbols { return &Symbols{} }

// Len is the largest id of class c.
func (s *Symbols) Len(c Class) int { return s.tables[c].Len() }

// Size is the memory that the tables take, in bytes.
func (s *Symbols) Size() (n int64) {
	for c := range s.tables {
		n += s.tables[c].Size()
	}
	return n + 4*int64(cap(s.arity))
}

// Intern returns the id of b in class c, and adds b if it is new. For productions use
// [Symbols.InternProduction].
func (s *Symbols) Intern(c Class, b []byte) uint32 {
	id, isNew := s.tables[c].Intern(b)
	if isNew && c == Productions {
		s.arity = append(s.arity, countNonterminals(b))
	}
	return id
}

// Expect announces how many symbols of each class AppendNew will add.
func (s *Symbols) Expect(counts [NumClasses]uint32) { s.expected = counts }

// Reserve allocates memory for n more strings of class c.
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

// usualEntry is an estimate of the bytes that a string takes in the arena of its Table.
const usualEntry = 16

// mostReserved limits the n of Reserve, because n can come from a damaged file.
const mostReserved = 1 << 20

// AppendNew gives the strings of `block` the next ids of class c. A known string or a malformed production is
// an error. A nil string uses up an id; after a nil string, only an Overlay of s can get new symbols.
// Goroutines may fill several classes at the same time.
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

// Lookup returns the id of b in class c, or 0 if it is absent.
func (s *Symbols) Lookup(c Class, b []byte) uint32 { return s.tables[c].Lookup(b) }

// Bytes returns the string of an id. The caller must not change it.
func (s *Symbols) Bytes(c Class, id uint32) []byte { return s.tables[c].Bytes(id) }

// Text returns the string of an id, or "" for 0.
func (s *Symbols) Text(c Class, id uint32) string {
	if id == 0 {
		return ""
	}
	return string(s.tables[c].Bytes(id))
}

// Freeze marks the present symbols, for [Symbols.Rollback]. A linearizer rolls back before each tree, so that
// unknown words do not fill the memory.
func (s *Symbols) Freeze() {
	s.frozen = true
	for c := range s.tables {
		s.mark[c] = s.tables[c].Len()
	}
}

// Frozen says whether Freeze was called. Only then does Rollback remove symbols.
func (s *Symbols) Frozen() bool { return s.frozen }

// Rollback removes every symbol interned since Freeze. Without Freeze it does nothing.
func (s *Symbols) Rollback() {
	if s.frozen {
		s.forget(s.mark)
	}
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

// checkProduction checks that b is a well-formed production over the expected labels and words. It returns
// the number of nonterminal children.
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

// forget removes, in every class c, the symbols with an id above mark[c].
func (s *Symbols) forget(mark [NumClasses]int) {
	for c := range s.tables {
		if s.tables[c].Len() > mark[c] {
			s.tables[c].truncate(mark[c])
		}
	}
	s.arity = s.arity[:len(s.tables[Productions].at)]
}

// Referred returns the labels and words that occur in the productions of s, as bit sets of ids.
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

// Overlay returns symbols for one goroutine that contain those of s, with the same ids. Only new symbols take
// memory, and Rollback removes them. s must not change.
func (s *Symbols) Overlay() *Symbols {
	d := &Symbols{base: s}
	for c := range s.tables {
		d.tables[c] = Table{base: &s.tables[c], first: uint32(s.tables[c].Len())}
	}
	d.Freeze()
	return d
}

// Renumbering maps the ids of one Symbols to the ids of another: r[c][old] is the new id in class c. 0 stays
// 0.
type Renumbering [NumClasses][]uint32

// of returns the new id for an old one. For an unknown id it returns an id that no symbol has.
func (r *Renumbering) of(c Class, id uint64) uint64 {
	if id >= uint64(len(r[c])) {
		return math.MaxUint64
	}
	return uint64(r[c][id])
}
