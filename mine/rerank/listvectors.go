package rerank

import (
	"bytes"
	"cmp"
	"encoding/binary"
	"errors"
	"math"
	"slices"

	"fstore/index"
)

// Vector is a tree's vector; ids ascend.
type Vector struct {
	ID    []uint32
	Value []float64
}

// ListVectors collects the vectors of the trees of one list, by what trees share: near-copies of
// a tree have most features in common, so that a feature and the trees that have it take two
// bytes or three, and are looked at once for all of these trees. What all trees have alike is
// left out, as it changes no difference between two.
type ListVectors struct {
	all    uint64 // the mask of all trees; 0 where they are more than a mask has bits
	groups []group
	number map[sharing]int32 // of groups
	recent [64]int32         // 1 + numbers of groups, by a hash of their masks, as the map is slow
}

// sharing is the trees first + k for each bit k of the mask, and the value of features that
// they have.
type sharing struct {
	first uint32
	mask  uint64
	value float64
}

// group is the features that trees share.
type group struct {
	sharing
	last uint32 // of the features, in the order of adding
	ids  []byte // varints: each less the one before
}

// NewListVectors returns the vectors of so many trees, which have no features yet.
func NewListVectors(trees int) *ListVectors {
	l := &ListVectors{number: map[sharing]int32{}}
	if trees <= index.MaxPack {
		l.all = math.MaxUint64 >> (index.MaxPack - trees)
	}
	return l
}

// Add says that the trees first + k, for each bit k of the mask, have a feature with this value,
// not 0. It is called for a feature and a tree once. The bytes depend on the order of calls.
func (l *ListVectors) Add(id uint32, first int, mask uint64, value float64) {
	if mask == l.all {
		return
	}
	s := sharing{uint32(first), mask, value}
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
	g.ids = binary.AppendVarint(g.ids, int64(id)-int64(g.last))
	g.last = id
}

// AddTrees adds the vectors of the trees, in their order.
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

// Bytes returns the vectors as Vectors takes them: for each group
//
//	uvarint  first<<1, plus 1 where the value is not 1
//	uvarint  mask
//	8 bytes  the value, where it is not 1
//	uvarint  bytes of ids
//	bytes    ids
func (l *ListVectors) Bytes() []byte {
	n := 0
	for i := range l.groups {
		n += groupHead + len(l.groups[i].ids)
	}
	b := make([]byte, 0, n)
	for i := range l.groups {
		g := &l.groups[i]
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
		b = binary.AppendUvarint(b, uint64(len(g.ids)))
		b = append(b, g.ids...)
	}
	return bytes.Clone(b) // of its own size: it may be held for long
}

// groupHead is more than the bytes of a group before its ids, mostly.
const groupHead = 16

// groups reads the groups of a list, as Bytes has written them.
type groups struct {
	rest []byte
	sharing
	bytes []byte   // of the ids of the group
	ids   []uint32 // once decode was called
}

var errScratch = errors.New("rerank: a scratch file is not what was written")

// next reads the next group, but for its ids; ok is false where there is none.
func (g *groups) next() (ok bool, err error) {
	if len(g.rest) == 0 {
		return false, nil
	}
	bad := false
	uvarint := func() uint64 {
		x, n := binary.Uvarint(g.rest)
		bad = bad || n <= 0
		g.rest = g.rest[max(n, 0):]
		return x
	}
	head := uvarint()
	g.first, g.mask, g.value = uint32(head>>1), uvarint(), 1
	if head&1 != 0 {
		if len(g.rest) < 8 {
			return false, errScratch
		}
		g.value = math.Float64frombits(binary.LittleEndian.Uint64(g.rest))
		g.rest = g.rest[8:]
	}
	n := uvarint()
	if bad || n > uint64(len(g.rest)) {
		return false, errScratch
	}
	g.bytes, g.rest = g.rest[:n], g.rest[n:]
	return true, nil
}

// decode reads the ids of the group, none above the largest. Nearly all take a byte or two,
// which this loop reads in half the time of binary.Varint.
func (g *groups) decode(largest uint32) error {
	g.ids = g.ids[:0]
	id, b := uint32(0), g.bytes
	for i := 0; i < len(b); i++ {
		x, shift := uint64(b[i]&0x7F), 7
		for b[i] >= 0x80 {
			if i++; i == len(b) || shift > 28 {
				return errScratch
			}
			x |= uint64(b[i]&0x7F) << shift
			shift += 7
		}
		id += uint32(x>>1) ^ -uint32(x&1)
		if id > largest {
			return errScratch
		}
		g.ids = append(g.ids, id)
	}
	return nil
}

// of is the value that a tree has of the features of the group.
func (g *groups) of(tree int) float64 {
	if k := uint(tree) - uint(g.first); k < index.MaxPack && g.mask>>k&1 != 0 {
		return g.value
	}
	return 0
}
