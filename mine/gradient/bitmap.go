package gradient

import (
	"cmp"
	"context"
	"slices"

	"fstore/index"
	"fstore/index/expansion"
)

// bitmaps is a screen that uses the posting lists of the kept fragments (mine/README.md, "Bounds"). A
// candidate passes only if more than c samples of one side have all its parts.
type bitmaps struct {
	e    *trees
	c    int
	side []uint8

	x        *expansion.Index
	postings [2][][]uint32 // by side and id: the samples, ascending, of a kept fragment of the order before
	parts    []index.Code
	lists    [2][][]uint32 // by side: the posting lists of a candidate's parts
	room     []uint32
}

func (*bitmaps) see(index.Code) bool { return true }

func (*bitmaps) endSide() {}

// kept implements screen.
func (m *bitmaps) kept(ctx context.Context, x *expansion.Index) error {
	m.x = x
	for s := range m.postings {
		m.postings[s] = make([][]uint32, x.Features()+1)
	}
	one := *m.e
	one.o.Workers = 1 // one worker visits the samples in ascending order
	return one.match(ctx, x, func(sample uint32) bool { return m.side[sample] != 0 }, func(sample uint32, hits []index.Hit) {
		to := m.postings[m.side[sample]-1]
		for i := range hits {
			to[hits[i].ID] = append(to[hits[i].ID], sample)
		}
	})
}

// pass implements screen.
func (m *bitmaps) pass(c index.Code) (bool, error) {
	if m.x == nil {
		return true, nil // fragments of order 1 have no parts
	}
	m.lists[0], m.lists[1] = m.lists[0][:0], m.lists[1][:0]
	m.parts = m.e.o.Space.Parts(m.parts[:0], c, m.e.o.Symbols)
	for _, p := range m.parts {
		rec, ok := find(m.x, p)
		if !ok {
			return false, nil
		}
		for s := range m.lists {
			m.lists[s] = append(m.lists[s], m.postings[s][rec.Out])
		}
	}
	return m.common(m.lists[0]) || m.common(m.lists[1]), nil
}

// common says whether more than m.c samples are in all of the lists. It intersects the shortest lists first.
func (m *bitmaps) common(lists [][]uint32) bool {
	if len(lists) == 0 {
		return true
	}
	slices.SortFunc(lists, func(a, b []uint32) int { return cmp.Compare(len(a), len(b)) })
	all := lists[0]
	for _, list := range lists[1:] {
		if len(all) <= m.c {
			return false
		}
		// From the second list on, the slices `all` and common share memory. The loop only overwrites
		// elements that it has read.
		common := slices.Grow(m.room[:0], len(all))
		k := 0
		for _, s := range all {
			for k < len(list) && list[k] < s {
				k++
			}
			if k < len(list) && list[k] == s {
				common = append(common, s)
			}
		}
		all, m.room = common, common
	}
	return len(all) > m.c
}
