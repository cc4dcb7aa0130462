package contrast

import (
	"errors"
	"slices"

	"github.com/zeebo/xxh3"

	"fstore/index"
	"fstore/mine/query"
	"fstore/store"
)

// kept holds in memory the fragments that can become rows, so that Each needs no second reading. Fragments
// with equal posting lists are a group, and only the first of a group is counted.
type kept struct {
	groups []group
	rows   []keptRow               // in key order
	codes  []byte                  // codes of the rows, one after the other
	index  map[xxh3.Uint128]uint32 // index of a group, by the hash of its posting list
}

// frequencies are the counts of a group. 32 bits are enough, because a posting list has fewer than 2^32
// occurrences.
type frequencies struct{ a, b, docsA, docsB uint32 }

func (f *frequencies) pair() pair { return pair{uint64(f.a), uint64(f.b)} }

// group has the data that all fragments with one posting list share.
type group struct {
	frequencies
	state groupState
	order int32  // the highest order of the group's fragments
	row   uint32 // 1 + the index of the first row of that order; 0: no row
}

type groupState uint8

const (
	nowhere groupState = iota // the fragments are on no side
	rare                      // the fragments are in too few documents
	common
)

// keptRow is a fragment of a group. Without Options.All, the fragments of the group's highest order form a
// linked list.
type keptRow struct {
	id, support, occurrences, group uint32
	order                           int32
	code                            uint32 // the end of the fragment's code in kept.codes
	next                            uint32 // 1 + the index of the next keptRow in the linked list; 0 at the end
}

const (
	groupBytes, keptBytes = 88, 28    // bytes of a group, with its entry in the index, and of a keptRow
	mostKept              = 128 << 20 // limit of all bytes; above it, the fragments are read twice
)

// errFull says that the fragments need more memory than mostKept.
var errFull = errors.New("more fragments than are kept")

func (k *kept) bytes() int { return len(k.groups)*groupBytes + len(k.rows)*keptBytes + len(k.codes) }

// fragment returns k.rows[place-1] as a query.Row.
func (k *kept) fragment(place uint32) query.Row {
	x, from := &k.rows[place-1], uint32(0)
	if place > 1 {
		from = k.rows[place-2].code
	}
	return query.Row{ID: x.id, Code: index.Code(k.codes[from:x.code]), Order: int(x.order), Support: x.support, Occurrences: x.occurrences}
}

// groups divides the fragments of a space: the fragments of one group occur in the same samples, equally
// often. Groups are sorted by the code of their first fragment of the highest order.
type groups struct {
	all   *store.Loaded // all fragments of the space
	first []uint32      // the fragments of group i in top are top[first[i]:first[i+1]]
	top   []uint32      // by group: ids of its fragments of the highest order, ascending
	size  []uint32      // by group: the number of all its fragments
}

// heldRow is a group of fragments that has a row in this comparison.
type heldRow struct {
	number uint32 // number of the group
	frequencies
}

// growing is a group while the fragments are being read.
type growing struct {
	order, size uint32
	place       uint32 // 1 + the index of the group in groups; 0 before it has an index
}

// grouped has the group and the order of a fragment while the groups are being found.
type grouped struct {
	number, order uint32
}

// inKeyOrder puts the groups into key order. Element i of fragments is the fragment with id i+1.
func inKeyOrder(all []growing, fragments []grouped) *groups {
	g := &groups{first: make([]uint32, 1, len(all)+1), size: make([]uint32, 0, len(all))}
	for _, f := range fragments {
		x := &all[f.number]
		if f.order < x.order {
			continue
		}
		if x.place == 0 {
			g.first, g.size = append(g.first, 0), append(g.size, x.size)
			x.place = uint32(len(g.size))
		}
		g.first[x.place]++ // a number of fragments now; the next loop makes it an index
	}
	for i := range g.size {
		g.first[i+1] += g.first[i]
	}
	g.top = make([]uint32, g.first[len(g.size)])
	next := slices.Clone(g.first)
	for i, f := range fragments {
		if x := &all[f.number]; f.order == x.order {
			at := &next[x.place-1]
			g.top[*at] = uint32(i + 1)
			*at++
		}
	}
	return g
}
