package index

import "encoding/binary"

// Child is a child in a production: a word id if Word is set, else a label id.
type Child struct {
	Sym  uint32
	Word bool
}

// Class is the class of the child's symbol.
func (c Child) Class() Class {
	if c.Word {
		return Words
	}
	return Labels
}

// Packed is the child as one number, as productions store it: 2·Sym, plus 1 for a word. It is 0 if Sym is 0.
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

// InternProduction returns the id of a production, and adds the production if it is new. A node without
// children has no production.
func (s *Symbols) InternProduction(label uint32, children []Child) uint32 {
	s.buf = packProduction(s.buf[:0], label, children)
	return s.Intern(Productions, s.buf)
}

// LookupProduction returns the id of a production, or 0 if the production is unknown.
func (s *Symbols) LookupProduction(label uint32, children []Child) uint32 {
	var mem [64]byte // not s.buf: goroutines read s at the same time
	return s.Lookup(Productions, packProduction(mem[:0], label, children))
}

// packProduction appends the label as a uvarint, then sym<<1|word as a uvarint for each child.
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

// Production returns the left-hand side of production id, and appends its children to dst.
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

// Arity is the number of nonterminal children of production id. It is 0 if the production was left out of s.
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
