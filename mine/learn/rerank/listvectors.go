package rerank

import (
	"cmp"
	"encoding/binary"
	"math"
	"slices"

	"fstore/index"
)

// Vector is the vector of one tree. Its ids ascend.
type Vector struct {
	ID    []uint32
	Value []float64
}

// ListVectors collects the vectors of the trees of one list. Features that have the same value in the same
// trees form a group, in which a feature takes two or three bytes. A feature with the same value in all trees
// is left out, because it makes no difference.
type ListVectors struct {
	blocks *Blocks
	all    uint64 // the mask of all trees; 0 if there are more trees than bits in a mask
	groups []group
	number map[sharing]int32 // the indexes in groups
	recent [64]int32         // a fast cache of number: 1 + the index in groups, by a hash of the mask
}

// sharing is a set of trees in which some features have the same value. Bit k of the mask stands for tree
// first+k.
type sharing struct {
	first uint32
	mask  uint64
	value float64
}

// group is a list of features that the same trees share with the same value.
type group struct {
	sharing
	last  uint32   // the feature that was added last
	full  [][]byte // full blocks of ids; each id is a varint, its difference from the id before
	bytes int      // the number of bytes in full
	tail  []byte   // the last block, which is not full
}

// NewListVectors returns the vectors of the given number of trees, without features yet. They are valid until
// blocks.Free is called.
func NewListVectors(trees int, blocks *Blocks) *ListVectors {
	l := &ListVectors{blocks: blocks, number: map[sharing]int32{}}
	if trees <= index.MaxPack {
		l.all = math.MaxUint64 >> (index.MaxPack - trees)
	}
	return l
}

// Add gives a feature to the tree firstTree+k for each bit k of the mask. The value must not be 0. Add must
// be called at most once for each feature and tree. The resulting bytes depend on the order of calls.
func (l *ListVectors) Add(id uint32, firstTree int, mask uint64, value float64) {
	if mask == l.all {
		return
	}
	s := sharing{uint32(firstTree), mask, value}
	recent := &l.recent[mask*0x9E3779B97F4A7C15>>58]
	if *recent == 0 || l.groups[*recent-1].sharing != s {
		n, ok := l.number[s]
		if !ok {
			n = int32(len(l.groups))
			l.number[s] = n
			l.groups = append(l.groups, group{sharing: s})
		}
		*recent = n + 1
	}
	g := &l.groups[*recent-1]
	if cap(g.tail)-len(g.tail) < idBytes {
		l.grow(g)
	}
	g.tail = binary.AppendVarint(g.tail, int64(id)-int64(g.last))
	g.last = id
}

// idBytes is how many bytes an id takes at most.
const idBytes = 5

// grow gives a group another block. Small groups get small blocks, which are less empty.
func (l *ListVectors) grow(g *group) {
	if len(g.tail) > 0 {
		g.full = append(g.full, g.tail)
		g.bytes += len(g.tail)
	}
	g.tail = l.blocks.take(min(max(g.bytes/4, 64), 64<<10))
}

// AddTrees adds the vectors of all trees of the list, in the list's order.
func (l *ListVectors) AddTrees(trees []Vector) {
	type entry struct {
		id uint32
		sharing
	}
	var all []entry
	for t, v := range trees {
		first := t - t%index.MaxPack
		for i, id := range v.ID {
			all = append(all, entry{id, sharing{uint32(first), 1 << (t - first), v.Value[i]}})
		}
	}
	slices.SortFunc(all, func(a, b entry) int {
		return cmp.Or(cmp.Compare(a.id, b.id), cmp.Compare(a.first, b.first), cmp.Compare(a.value, b.value))
	})
	for i, e := range all {
		if i+1 < len(all) {
			if next := &all[i+1]; next.id == e.id && next.first == e.first && next.value == e.value {
				next.mask |= e.mask
				continue
			}
		}
		if e.value != 0 {
			l.Add(e.id, int(e.first), e.mask, e.value)
		}
	}
}

// size returns how many bytes l.each writes.
func (l *ListVectors) size() (n int64) {
	var head []byte
	for i := range l.groups {
		g := &l.groups[i]
		head = g.appendHead(head[:0])
		n += int64(len(head) + g.bytes + len(g.tail))
	}
	return n
}

// each calls f with the bytes of the groups, piece by piece. For first, mask and value see the type
// `sharing`. The bytes of a group are
//
//	uvarint  first<<1, plus 1 if the value is not 1
//	uvarint  mask
//	8 bytes  the value, if it is not 1
//	uvarint  the number of bytes of the ids
//	bytes    the ids
func (l *ListVectors) each(f func(piece []byte) error) error {
	var head []byte
	for i := range l.groups {
		g := &l.groups[i]
		head = g.appendHead(head[:0])
		if err := f(head); err != nil {
			return err
		}
		for _, b := range g.full {
			if err := f(b); err != nil {
				return err
			}
		}
		if err := f(g.tail); err != nil {
			return err
		}
	}
	return nil
}

// A group has at most headBytes bytes before its ids: three varints and a value.
const headBytes = 3*binary.MaxVarintLen64 + 8

func (g *group) appendHead(b []byte) []byte {
	other := g.value != 1
	head := uint64(g.first) << 1
	if other {
		head |= 1
	}
	b = binary.AppendUvarint(b, head)
	b = binary.AppendUvarint(b, g.mask)
	if other {
		b = binary.LittleEndian.AppendUint64(b, math.Float64bits(g.value))
	}
	return binary.AppendUvarint(b, uint64(g.bytes+len(g.tail)))
}

// Blocks is the memory of ListVectors while they are made, for one goroutine. After Free it serves other
// lists.
type Blocks struct {
	slabs [][]byte
	slab  int // the slab that blocks are taken from
	at    int
}

// slabBytes is how many bytes are allocated at a time.
const slabBytes = 1 << 20

// keptSlabs is the number of slabs that Free keeps. It drops the others, because one long list can take many
// times as much memory as others.
const keptSlabs = 32

// Free frees all blocks, so that their memory can be used again.
func (b *Blocks) Free() {
	if len(b.slabs) > keptSlabs {
		b.slabs = slices.Clone(b.slabs[:keptSlabs])
	}
	b.slab, b.at = 0, 0
}

// take returns an empty block with a capacity of n bytes. It works only for n ≤ slabBytes.
func (b *Blocks) take(n int) []byte {
	if b.slab < len(b.slabs) && b.at+n > slabBytes {
		b.slab, b.at = b.slab+1, 0
	}
	if b.slab == len(b.slabs) {
		b.slabs = append(b.slabs, make([]byte, slabBytes))
	}
	at := b.at
	b.at += n
	return b.slabs[b.slab][at:at:b.at]
}
