package expansion

import (
	"bytes"
	"errors"
	"fmt"
	"io"
	"slices"

	"fstore/index"
)

// Builder makes the part of an index that covers one range of codes. It writes each block of records when the
// block is complete. In memory it keeps only the path to the last code.
type Builder struct {
	// Width returns how many frontier positions a step with this symbol adds. It is nil for spaces without a
	// frontier (index.Frontier).
	Width func(sym uint32) int
	// Shared says that all codes begin with the same first step, and that codes of other builders can begin
	// with it too. Then Join, not Finish, writes the children of this step.
	Shared bool

	w       io.Writer
	path    []node // path[0] is the root
	prev    index.Path
	edges   []edge // the edges of the last code
	ends    []int  // where in edges each step ends
	written uint64 // number of records written
	out     uint32
	raw     bitSet // which of the records written hold words of leaves instead
	live    bitSet
	buf     []byte
	table   []Record
	err     error
}

type node struct {
	rec  Record
	kids []Record
}

type edge struct {
	off uint8
	sym uint32
}

// NewBuilder returns a builder that writes its blocks to w.
func NewBuilder(w io.Writer) *Builder { return &Builder{w: w, path: make([]node, 1)} }

// NewBuilderOf is NewBuilder for codes of this space, whose symbols are in s.
func NewBuilderOf(w io.Writer, space index.Space, s *index.Symbols) *Builder {
	b := NewBuilder(w)
	b.Width = WidthOf(space, s)
	return b
}

// WidthOf returns the function for the field Builder.Width, or nil if the space has no frontier.
func WidthOf(space index.Space, s *index.Symbols) func(sym uint32) int {
	f, ok := space.(index.Frontier)
	if !ok {
		return nil
	}
	return func(sym uint32) int { return f.Width(sym, s) }
}

// Add adds a fragment. The codes of successive calls must ascend. The i-th code gets feature id i, from 1.
func (b *Builder) Add(c index.Code) error {
	if b.err != nil {
		return b.err
	}
	if bytes.Compare(c, b.prev.Code()) <= 0 {
		return b.fail(fmt.Errorf("code %x does not follow %x", []byte(c), []byte(b.prev.Code())))
	}
	same, ok := b.addEdges(c)
	if !ok {
		return b.fail(fmt.Errorf("code %x: not a list of steps", []byte(c)))
	}
	for same < len(b.edges) && same+1 < len(b.path) {
		r := &b.path[same+1].rec
		if e := b.edges[same]; r.Off != e.off || r.Sym != e.sym {
			break
		}
		same++
	}
	for len(b.path) > same+1 {
		b.finish()
	}
	for _, e := range b.edges[same:] {
		b.push(e)
	}
	if b.out++; b.out == 0 {
		return b.fail(errors.New("more than 2^32-1 fragments"))
	}
	b.path[len(b.path)-1].rec.Out = b.out
	return b.err
}

// addEdges sets b.edges to the edges of c, and returns how many of these edges the previous code has too.
func (b *Builder) addEdges(c index.Code) (same int, ok bool) {
	shared := b.prev.Follow(c)
	b.ends = b.ends[:shared]
	if shared > 0 {
		same = b.ends[shared-1]
	}
	b.edges = b.edges[:same]
	for rest := c[b.prev.End(shared):]; len(rest) > 0; {
		st, r, ok := rest.Next()
		if !ok || st.Sym == 0 {
			return 0, false
		}
		rest = r
		for ; st.Off >= maxOff; st.Off -= maxOff {
			b.edges = append(b.edges, edge{maxOff, 0})
		}
		b.edges = append(b.edges, edge{uint8(st.Off), st.Sym})
		b.ends = append(b.ends, len(b.edges))
		b.live.add(uint64(st.Sym), 1)
	}
	return same, true
}

func (b *Builder) fail(err error) error {
	b.err = fmt.Errorf("expansion index: %w", err)
	return b.err
}

// push goes down one edge. It reuses the memory of an earlier node at this depth.
func (b *Builder) push(e edge) {
	n := len(b.path)
	if n < cap(b.path) {
		b.path = b.path[:n+1]
		b.path[n].kids = b.path[n].kids[:0]
	} else {
		b.path = append(b.path, node{})
	}
	b.path[n].rec = Record{Off: e.off, Sym: e.sym}
}

// finish writes the children of the last state, and adds that state to its parent's children.
func (b *Builder) finish() {
	n := &b.path[len(b.path)-1]
	b.block(&n.rec, n.kids)
	b.path = b.path[:len(b.path)-1]
	up := &b.path[len(b.path)-1]
	up.kids = append(up.kids, n.rec)
}

// block writes one block: the children of r, which are given in ascending order.
func (b *Builder) block(r *Record, kids []Record) {
	if len(kids) == 0 {
		return
	}
	if b.written > 1<<32-1 {
		b.fail(errors.New("more than 2^32 states"))
		return
	}
	r.Start = uint32(b.written)
	r.MaxOff = b.reach(kids)
	b.buf = b.buf[:0]
	switch {
	case !areLeaves(r, kids):
		b.table, r.N = layOut(b.table, kids)
		for i := range b.table {
			b.buf = appendRecord(b.buf, &b.table[i])
		}
	case len(kids) == 1:
		r.N, r.Start = single, kids[0].Sym
		return
	default:
		r.N = leaves | uint16(len(kids))
		b.buf = appendLeaves(b.buf, kids)
		b.raw.add(b.written, uint64(len(b.buf)/recordSize))
	}
	b.written += uint64(len(b.buf) / recordSize)
	if _, err := b.w.Write(b.buf); err != nil {
		b.err = err
	}
}

// reach returns the MaxOff of a state with these children:
//   - without a frontier: their largest Off
//   - with a frontier: the last frontier position that a step below expands
func (b *Builder) reach(kids []Record) uint8 {
	if b.Width == nil {
		return kids[len(kids)-1].Off
	}
	most := 0
	for i := range kids {
		k := &kids[i]
		off := int(k.Off)
		switch {
		case k.Sym == 0: // a skip: states below may look at any position
			off = maxOff
		case k.N != 0 && k.MaxOff == maxOff:
			off = maxOff
		case k.N != 0:
			off += max(0, int(k.MaxOff)+1-b.Width(k.Sym))
		}
		most = max(most, off)
	}
	return uint8(min(most, maxOff))
}

// layOut makes a block of kids, which must ascend. It also returns the field N of their parent.
func layOut(block, kids []Record) ([]Record, uint16) {
	if len(kids) <= sortedMax {
		return append(block[:0], kids...), uint16(len(kids))
	}
	class := sizeClass(len(kids))
	n := sizes[class]
	block = slices.Grow(block[:0], int(n))[:n]
	clear(block)
	for i := range kids {
		at := slot(kids[i].Off, kids[i].Sym, n)
		for !block[at].free() {
			if at++; at == n {
				at = 0
			}
		}
		block[at] = kids[i]
	}
	return block, hashed | uint16(class)
}

// Part is a finished part of an index:
//   - Records: the number of records that its Builder wrote
//   - Roots: its first steps, at most one if Shared is set
//   - Kids: if Shared is set, the children of the first step, for Join to write
type Part struct {
	Records  uint64
	Features uint32
	Roots    []Record
	Shared   bool
	Kids     []Record

	raw  bitSet
	live bitSet // the symbols that occur in codes

	width func(sym uint32) int // Builder.Width
}

// Bytes is the size, in bytes, of the records that the builder wrote for the range.
func (p *Part) Bytes() uint64 { return p.Records * recordSize }

// Finish ends the range and returns the part for Join.
func (b *Builder) Finish() (Part, error) {
	stay := 1 // number of states whose blocks are not written here
	if b.Shared {
		stay = 2
	}
	for len(b.path) > stay && b.err == nil {
		b.finish()
	}
	p := Part{Records: b.written, Features: b.out, Roots: slices.Clone(b.path[0].kids), Shared: b.Shared, raw: b.raw, live: b.live.trimmed(), width: b.Width}
	if len(b.path) == 2 && b.err == nil {
		p.Roots, p.Kids = append(p.Roots, b.path[1].rec), slices.Clone(b.path[1].kids)
		if len(p.Roots) > 1 {
			return p, b.fail(errors.New("two first steps in a part that shares one"))
		}
	}
	return p, b.err
}

// bitSet is a set of numbers that grows as needed.
type bitSet []uint64

func (s *bitSet) add(from, n uint64) {
	for i := from; i < from+n; i++ {
		if w := int(i >> 6); w >= len(*s) {
			*s = append(*s, make([]uint64, w+1-len(*s)+w/2)...)
		}
		(*s)[i>>6] |= 1 << (i & 63)
	}
}

func (s bitSet) has(i uint64) bool { return i>>6 < uint64(len(s)) && s[i>>6]>>(i&63)&1 == 1 }

// trimmed returns s without the zero words at its end.
func (s bitSet) trimmed() bitSet {
	for len(s) > 0 && s[len(s)-1] == 0 {
		s = s[:len(s)-1]
	}
	return s
}
