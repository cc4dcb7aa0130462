package index

import (
	"encoding/binary"
	"fmt"
)

// Adopt interns the labels, words and productions of source, in the order of their ids, and returns their ids
// in s. Adopting all parts of an input in order gives the ids of the whole input. Adopt leaves out features,
// which only their space can intern.
func (s *Symbols) Adopt(source *Symbols) *Renumbering {
	var r Renumbering
	var key []byte
	for c := range Features {
		r[c] = make([]uint32, source.Len(c)+1)
		for id := 1; id < len(r[c]); id++ {
			if key = source.Bytes(c, uint32(id)); c == Productions {
				key = r.production(s.buf[:0], key)
				s.buf = key
			}
			r[c][id] = s.Intern(c, key)
		}
	}
	return &r
}

// production appends the bytes of a production with its ids renumbered.
func (r *Renumbering) production(dst, b []byte) []byte {
	v, n := binary.Uvarint(b)
	dst = binary.AppendUvarint(dst, uint64(r[Labels][v]))
	for b = b[n:]; len(b) > 0; b = b[n:] {
		v, n = binary.Uvarint(b)
		word := v & 1
		dst = binary.AppendUvarint(dst, uint64(r[Labels+Class(word)][v>>1])<<1|word)
	}
	return dst
}

// AppendTree appends the encoded tree b to dst with new ids, which are ids of s. An unknown id is an error.
func (r *Renumbering) AppendTree(dst, b []byte, s *Symbols) ([]byte, error) {
	if len(b) == 0 {
		return dst, fmt.Errorf("%w: flags", errTreeCode)
	}
	m := renumberer{treeDecoder: treeDecoder{b: b[1:], symbols: s}, r: r, dst: append(dst, b[0])}
	if b[0]&treeDependency != 0 {
		m.tokens()
	} else {
		m.nodes()
	}
	return append(m.dst, m.b...), m.err
}

// DecodeTree is like the function DecodeTree, but replaces the old ids in b by ids of s.
func (r *Renumbering) DecodeTree(b []byte, s *Symbols, t *Tree) error { return decodeTree(b, s, r, t) }

// renumberer copies the bytes of a tree, with new ids.
type renumberer struct {
	treeDecoder
	r   *Renumbering
	dst []byte
}

// id reads an id, writes the new id in its place, and returns the new id.
func (m *renumberer) id(c Class) uint32 {
	v := m.uvarint()
	if v >= uint64(len(m.r[c])) {
		m.fail("unknown " + c.String())
		return 0
	}
	id := m.r[c][v]
	m.dst = binary.AppendUvarint(m.dst, uint64(id))
	return id
}

// nodes copies the nodes of a tree with new ids.
func (m *renumberer) nodes() {
	total := m.uvarint()
	m.dst = binary.AppendUvarint(m.dst, total)
	from, begun := len(m.b), len(m.dst)
	roots := m.count(1)
	m.dst = binary.AppendUvarint(m.dst, uint64(roots))
	for range roots {
		m.id(Labels)
	}
	for open := roots; open > 0 && m.err == nil; open-- {
		if p := m.id(Productions); p != 0 {
			open += m.symbols.Arity(p)
		}
	}
	zeros := int(total/treeNodesPerByte) - (from - len(m.b))
	if zeros > len(m.b) {
		m.fail("padding")
	}
	if zeros > 0 && m.err == nil {
		m.b = m.b[zeros:]
	}
	for m.err == nil && len(m.dst)-begun < int(total/treeNodesPerByte) {
		m.dst = append(m.dst, 0)
	}
}

func (m *renumberer) tokens() {
	n := m.count(9)
	m.dst = binary.AppendUvarint(m.dst, uint64(n))
	for range n {
		for range 8 {
			m.id(Words)
		}
		m.dst = binary.AppendVarint(m.dst, m.varint())
	}
}

// Translate replaces the ids of t, which are ids of source, by ids of target. It interns new symbols into
// target.
func Translate(t *Tree, source, target *Symbols) {
	for i := range t.Tokens {
		k := &t.Tokens[i]
		for _, id := range [...]*uint32{&k.Form, &k.Lemma, &k.UPOS, &k.XPOS, &k.Feats, &k.Rel, &k.Deps, &k.Misc} {
			if *id != 0 {
				*id = target.Intern(Words, source.Bytes(Words, *id))
			}
		}
	}
	for i := range t.Nodes {
		n := &t.Nodes[i]
		c := n.Child().Class()
		n.Sym = target.Intern(c, source.Bytes(c, n.Sym))
	}
	var kids []Child
	for i := range t.Nodes {
		n := &t.Nodes[i]
		if n.Size == 1 {
			continue
		}
		kids = t.appendKids(kids[:0], i)
		n.Prod = target.InternProduction(n.Sym, kids)
	}
}
