package store

import (
	"bytes"
	"cmp"
	"fmt"
	"sort"

	"fstore/index"
	"fstore/store/disk"
)

// rankStep is the largest difference of neighbouring ids in the rank table. An id is the 1-based rank of a
// fragment in key order. A short scan from a code of the table finds any id or code.
const rankStep = 1024

type rankTable struct {
	ids   []uint32
	codes []index.Code
}

func (t *rankTable) add(id uint32, c index.Code) {
	t.ids = append(t.ids, id)
	t.codes = append(t.codes, bytes.Clone(c))
}

// rankTable returns the rank table of a space. It reads the table once, at the first call.
func (s *Store) rankTable(space uint32) (*rankTable, error) {
	p, err := s.fragmentPlace(space)
	if err != nil {
		return nil, err
	}
	p.kind = KindRank
	t, err := s.Once(p, func() (any, error) { return s.readRanks(p) })
	if err != nil {
		return nil, err
	}
	return t.(*rankTable), nil
}

func (s *Store) readRanks(p keyspace) (*rankTable, error) {
	t := new(rankTable)
	n := len(p.prefix())
	return t, s.scan(p.span(), func(key, v []byte) error {
		id, ok := parseNumber(key[n:])
		if !ok || len(t.ids) == 0 && id != 1 {
			return disk.Malformed("rank key %x", key)
		}
		if i := len(t.ids); i > 0 && bytes.Compare(t.codes[i-1], v) >= 0 {
			return disk.Malformed("rank %d: its code is not above the one before", id)
		}
		t.add(id, v)
		return nil
	})
}

// scanFrom calls f for the fragments from t.codes[i-1] to below `hi`, until f returns true. It reports
// whether f returned true.
func (s *Store) scanFrom(space uint32, t *rankTable, i int, hi index.Code, f func(id uint32, c index.Code) (done bool)) (bool, error) {
	it, err := s.Iter(space, t.codes[i-1], hi)
	if err != nil {
		return false, err
	}
	for id := t.ids[i-1]; it.Next(); id++ {
		if f(id, it.Key()) {
			return true, it.Close()
		}
	}
	return false, it.Close()
}

// Rank returns the feature id of a fragment, or ErrNotFound if the fragment is not stored.
func (s *Store) Rank(space uint32, c index.Code) (rank uint32, err error) {
	t, err := s.rankTable(space)
	if err != nil {
		return 0, err
	}
	i := sort.Search(len(t.ids), func(i int) bool { return bytes.Compare(t.codes[i], c) > 0 })
	if i == 0 {
		return 0, ErrNotFound
	}
	found, err := s.scanFrom(space, t, i, append(bytes.Clone(c), 0), func(id uint32, at index.Code) bool {
		rank = id
		return bytes.Equal(at, c)
	})
	if err != nil || !found {
		return 0, cmp.Or(err, ErrNotFound)
	}
	return rank, nil
}

// ByRank appends to dst the code of the fragment with this feature id, or returns ErrNotFound.
func (s *Store) ByRank(space, id uint32, dst index.Code) (index.Code, error) {
	t, err := s.rankTable(space)
	if err != nil {
		return dst, err
	}
	if id == 0 || id > s.meta.Spaces[space].Features {
		return dst, fmt.Errorf("feature %d: %w", id, ErrNotFound)
	}
	i := sort.Search(len(t.ids), func(i int) bool { return t.ids[i] > id })
	if i == 0 {
		return dst, s.db.Damaged(fmt.Sprintf("rank table of space %d is missing", space), nil)
	}
	found, err := s.scanFrom(space, t, i, nil, func(at uint32, c index.Code) bool {
		if at == id {
			dst = append(dst, c...)
		}
		return at == id
	})
	if err == nil && !found {
		err = s.db.Damaged(fmt.Sprintf("fragments of space %d end before feature %d", space, id), nil)
	}
	return dst, err
}
