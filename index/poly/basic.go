package poly

import (
	"fmt"
	"slices"

	"fstore/index"
	"fstore/index/dep"
	"fstore/index/internal/pair"
)

// entryName is the kind of the pairs (package pair) that stand for entries of sparse vectors.
const entryName = "\x00vector entry"

// entry is an id in a sparse vector of a sample. The vectors are numbered from 0.
type entry struct{ vector, id uint32 }

// appendKey appends the key of the entry. `name` is the symbol id of entryName.
func (e entry) appendKey(dst []byte, name uint32) []byte {
	return pair.AppendKey(dst, name, e.vector, e.id)
}

// decode returns the vector entry of a symbol, and whether the symbol stands for a vector entry.
func decode(sym uint32, syms *index.Symbols) (e entry, ok bool) {
	name := syms.Lookup(index.Features, []byte(entryName))
	e.vector, e.id, ok = pair.Decode(sym, name, syms)
	return e, ok
}

// A feature's label in a glob.Tree begins with one of these numbers.
const (
	arcFeature = iota
	vectorEntry
)

// label appends the label of a basic feature. If the symbol is not a basic feature, ok is false.
func (s *Space) label(dst []uint32, sym uint32, syms *index.Symbols) (_ []uint32, ok bool) {
	if e, ok := decode(sym, syms); ok {
		return append(dst, vectorEntry, e.vector, e.id), true
	}
	return s.arcs.AppendValues(append(dst, arcFeature), sym, syms)
}

// find returns the symbol of an entry, or 0 if syms do not have it.
func (e entry) find(syms *index.Symbols) uint32 {
	name := syms.Lookup(index.Features, []byte(entryName))
	if name == 0 {
		return 0
	}
	return syms.Lookup(index.Features, e.appendKey(nil, name))
}

// Prepare interns the basic features of t.
func (s *Space) Prepare(t *index.Tree, syms *index.Symbols) {
	if t.Kind == index.Dependency {
		s.arcs.Prepare(t, syms)
		return
	}
	if len(t.Vectors) == 0 {
		return
	}
	l := lister{name: syms.Intern(index.Features, []byte(entryName))}
	l.each(t, func(_ int, key []byte) { syms.Intern(index.Features, key) })
}

// lister lists the keys of the basic features of samples, for one goroutine.
type lister struct {
	arcs *dep.ArcKeys
	name uint32 // the id of entryName, 0 where it is unknown
	key  []byte
}

// newLister returns a lister whose keys have the ids of syms. Without syms, the keys can only be compared
// with each other.
func (s *Space) newLister(syms *index.Symbols) lister {
	l := lister{arcs: s.arcs.Keys(syms), name: 1}
	if syms != nil {
		l.name = syms.Lookup(index.Features, []byte(entryName))
	}
	return l
}

// each calls f with the key of each basic feature of t. A key can come several times. In a tree, `token` is
// the modifier of the arc; in a vector, it is -1.
func (l *lister) each(t *index.Tree, f func(token int, key []byte)) {
	if t.Kind == index.Dependency {
		l.arcs.Each(t, f)
		return
	}
	if l.name == 0 {
		return
	}
	for n, v := range t.Vectors {
		for _, x := range v {
			if x.Value != 0 {
				l.key = entry{uint32(n), x.ID}.appendKey(l.key[:0], l.name)
				f(-1, l.key)
			}
		}
	}
}

// appendRow appends the symbols of the basic features of t, ascending, each once. It leaves out symbols that
// keepSym rejects.
func (l *lister) appendRow(row []uint32, t *index.Tree, syms *index.Symbols, keepSym func(sym uint32) bool) []uint32 {
	l.each(t, func(_ int, key []byte) {
		if sym := syms.Lookup(index.Features, key); sym != 0 && (keepSym == nil || keepSym(sym)) {
			row = append(row, sym)
		}
	})
	slices.Sort(row)
	return slices.Compact(row)
}

// Check implements index.Space.
func (s *Space) Check(c index.Code, syms *index.Symbols) error {
	steps, ok := c.Steps(nil)
	if !ok || len(steps) == 0 {
		return fmt.Errorf("code %x: not a set of features", []byte(c))
	}
	if err := s.checkSize(len(steps)); err != nil {
		return fmt.Errorf("code %x: %w", []byte(c), err)
	}
	last := uint32(0)
	var mem [16]uint32
	for _, st := range steps {
		if _, known := s.label(mem[:0], st.Sym, syms); st.Off != 0 || !known {
			return fmt.Errorf("code %x: %d is no feature of the space", []byte(c), st.Sym)
		}
		if st.Sym <= last {
			return fmt.Errorf("code %x: its features do not ascend", []byte(c))
		}
		last = st.Sym
	}
	return nil
}
