package table

import (
	"bytes"
	"cmp"
	"encoding/binary"
	"errors"
	"math"
	"slices"

	"github.com/cockroachdb/pebble/v2/vfs"

	"fstore/store/runfile"
)

// Sorter puts rows in order: by one column, unset cells last, then by a text
// column ascending, then as they came. With a limit it keeps at most twice as
// many rows (and some thousand), however many are added; without one, what is
// more than the budget of its Spill goes to files.
//
// A row is a record, which begins with a key: the order of keys is that of rows. Without a limit a
// row of four small columns and a text of 40 bytes costs some 100 bytes.
type Sorter struct {
	order   Order
	tie     int // text column, -1: none
	limit   int
	columns int
	entries []entry // of the records in arena
	arena   []byte
	kept    int   // bytes of the arena after the last cut
	floor   entry // the last row kept, once there are limit of them
	full    bool
	tail    bool // keeps the last rows of the order instead
	best    best // of AdmitsRank

	all    *runfile.Sorter // of records, where there is no limit
	record []byte
}

// Spill is where a Sorter without a limit puts the rows that it cannot keep: a
// directory that does not exist, and is gone after Rows or Close.
type Spill struct {
	FS     vfs.FS
	Dir    string
	Budget int // bytes of memory; 0 is 128 MiB
}

// entry holds the number in the column sorted by, or the first eight bytes of the text, such that its
// order is the rows': most comparisons look no further.
type entry struct {
	key  uint64
	at   uint64 // of the record in the arena; ascends as rows came, and between equals decides
	len  uint32 // of the record
	last bool   // unset: after all others
}

const (
	// slack is how many rows are kept beyond twice the limit before they are cut, and
	// slackBytes how much memory beyond twice that of the rows after the last cut.
	slack      = 4096
	slackBytes = 4 << 20
	// defaultBudget holds a million rows of a listing.
	defaultBudget = 128 << 20
)

// NewSorter returns an empty sorter for rows of n columns that keeps the first
// limit; tie is the column that decides between equals, -1 for none.
func NewSorter(n int, order Order, tie, limit int) *Sorter {
	return &Sorter{order: order, tie: tie, limit: limit, columns: n}
}

// NewTailSorter is NewSorter that keeps the last limit rows, at least one.
func NewTailSorter(n int, order Order, tie, limit int) *Sorter {
	s := NewSorter(n, order, tie, limit)
	s.tail = true
	return s
}

// NewFullSorter returns a sorter that keeps every row.
func NewFullSorter(n int, order Order, tie int, spill Spill) *Sorter {
	s := &Sorter{order: order, tie: tie, columns: n}
	if spill.Budget == 0 {
		spill.Budget = defaultBudget
	}
	s.all = runfile.NewSorter(&runfile.Dir{FS: spill.FS, Path: spill.Dir}, runfile.SortOptions{Key: keyOf, Budget: spill.Budget})
	return s
}

// Admits says whether a row with this cell in the column sorted by can still come
// among the rows kept. It reads no other cell, so that a caller can ask before
// it renders the rest.
func (s *Sorter) Admits(r *Row) bool {
	if !s.full {
		return true
	}
	return s.turn(cmpKey(s.entry(r), s.floor)) <= 0
}

// turn is a comparison, turned round where the last rows come first.
func (s *Sorter) turn(c int) int {
	if s.tail {
		return -c
	}
	return c
}

// Add copies a row.
func (s *Sorter) Add(r *Row) error {
	e := s.entry(r)
	if s.all != nil {
		s.record = s.appendRecord(s.record[:0], e, r)
		return s.all.Add(s.record)
	}
	e.at = uint64(len(s.arena))
	s.arena = s.appendRecord(s.arena, e, r)
	e.len = uint32(len(s.arena) - int(e.at))
	s.entries = append(s.entries, e)
	if n := len(s.entries); n >= 2*s.limit+slack || n > s.limit && len(s.arena) >= 2*s.kept+slackBytes {
		s.cut()
	}
	return nil
}

// Rows calls f for the rows in order, in one Row that it refills. It can be
// called once.
func (s *Sorter) Rows(f func(*Row) error) error {
	r := NewRow(s.columns)
	if s.all != nil {
		it, err := s.all.Sort()
		if err != nil {
			return err
		}
		for it.Next() {
			unpack(it.Value(), r)
			if err := f(r); err != nil {
				return errors.Join(err, it.Close())
			}
		}
		return it.Close()
	}
	s.sort()
	kept := s.entries[:min(len(s.entries), s.limit)]
	if s.tail {
		slices.Reverse(kept)
	}
	for _, e := range kept {
		unpack(s.at(e), r)
		if err := f(r); err != nil {
			return err
		}
	}
	return nil
}

// Close removes files that Rows has not removed; it may be called at any time.
func (s *Sorter) Close() error {
	if s.all == nil {
		return nil
	}
	return s.all.Close()
}

// cut keeps limit rows and packs them together.
func (s *Sorter) cut() {
	s.sort()
	s.entries = s.entries[:s.limit]
	s.floor, s.full = s.entries[s.limit-1], true
	if s.tail {
		slices.Reverse(s.entries) // equal rows must lie as they came
	}
	arena := make([]byte, 0, len(s.arena)/2)
	for i := range s.entries {
		e := &s.entries[i]
		record := s.at(*e)
		e.at = uint64(len(arena))
		arena = append(arena, record...)
	}
	s.arena, s.kept = arena, len(arena)
}

func (s *Sorter) sort() {
	slices.SortFunc(s.entries, func(a, b entry) int { return s.turn(s.compare(a, b)) })
}

func (s *Sorter) compare(a, b entry) int {
	if c := cmpKey(a, b); c != 0 {
		return c
	}
	return cmp.Or(bytes.Compare(keyOf(s.at(a)), keyOf(s.at(b))), cmp.Compare(a.at, b.at))
}

// at returns the record of an entry.
func (s *Sorter) at(e entry) []byte { return s.arena[e.at:][:e.len] }

func cmpKey(a, b entry) int {
	if a.last != b.last {
		if a.last {
			return 1
		}
		return -1
	}
	return cmp.Compare(a.key, b.key)
}

// entry makes the key of r: unsigned, ascending in print order.
func (s *Sorter) entry(r *Row) entry {
	c := r.cells[s.order.Column]
	key := c.bits
	switch {
	case !c.set:
		return entry{last: true}
	case c.kind == Text:
		var head [8]byte
		copy(head[:], r.Text(s.order.Column))
		key = binary.BigEndian.Uint64(head[:])
	case c.kind == Int:
		key ^= 1 << 63
	case c.kind == Float:
		if math.IsNaN(math.Float64frombits(key)) {
			return entry{last: true}
		}
		if key == 1<<63 {
			key = 0 // -0 is 0
		}
		if key>>63 != 0 {
			key = ^key
		} else {
			key |= 1 << 63
		}
	}
	if s.order.Descending {
		key = ^key
	}
	return entry{key: key}
}
