package runfile

import (
	"bytes"
	"cmp"
	"errors"
	"fmt"
	"runtime"
	"slices"
	"sync"
)

// SortOptions say how to sort. The zero value sorts by bytes in 64 MiB.
type SortOptions struct {
	// Compare orders records, as bytes.Compare does, which is the default. Several goroutines
	// call it at once. Records that it holds equal come out in the order they were added.
	Compare func(a, b []byte) int
	// Budget bounds the memory in bytes, read buffers included; 0 is 64 MiB.
	// Below minBudget it is minBudget.
	Budget int
}

const (
	defaultBudget = 64 << 20
	minBudget     = 64 << 10
	// recordOverhead is what a record in memory costs beside its bytes: it is there twice while
	// two halves are joined.
	recordOverhead = 32
	// maxRuns is how many runs are merged at once. More are merged in rounds.
	maxRuns = 64
)

// Sorter takes more records than fit in memory, which are byte strings, and gives them sorted: it
// collects them up to a budget, writes sorted runs, and merges those. It is for one goroutine.
//
// Where there are several cores, what is collected is sorted in the background, piece by piece.
type Sorter struct {
	dir     *Dir
	compare func(a, b []byte) int
	budget  int

	arena   []byte
	pieces  [][]record // the full ones, oldest first
	records []record   // the piece that is filled now; after sort, all records
	sorting sync.WaitGroup
	runs    []string // files, oldest first
	next    int      // number of the last run
}

// record is a piece of the arena.
type record struct{ from, to int }

// NewSorter returns a sorter that writes to dir, where the budget does not suffice, and removes it.
func NewSorter(dir *Dir, o SortOptions) *Sorter {
	s := &Sorter{dir: dir, compare: o.Compare, budget: max(cmp.Or(o.Budget, defaultBudget), minBudget)}
	if s.compare == nil {
		s.compare = bytes.Compare
	}
	return s
}

// Add takes a copy of a record.
func (s *Sorter) Add(b []byte) error {
	need := len(b) + recordOverhead
	if used := len(s.arena) + recordOverhead*(pieceLen*len(s.pieces)+len(s.records)); used+need > s.budget && used > 0 {
		if err := s.spill(); err != nil {
			return err
		}
	}
	from := len(s.arena)
	if cap(s.arena) < from+len(b) { // doubling would pass the budget
		s.arena = slices.Grow(s.arena, min(max(len(b), from), max(len(b), s.budget-from)))
	}
	s.arena = append(s.arena, b...)
	s.records = append(s.records, record{from, len(s.arena)})
	if len(s.records) == pieceLen && runtime.GOMAXPROCS(0) > 1 {
		s.endPiece()
	}
	return nil
}

// pieceLen is how many records are worth a second goroutine.
const pieceLen = 1 << 16

// endPiece sorts the piece that is filled, while the next one is.
func (s *Sorter) endPiece() {
	arena, piece := s.arena, s.records
	s.pieces, s.records = append(s.pieces, piece), make([]record, 0, pieceLen)
	s.sorting.Go(func() { s.sortPiece(arena, piece) })
}

// sortPiece sorts by a strict order. Records lie in the arena as they came: that decides between
// equals, faster than a stable sort does.
func (s *Sorter) sortPiece(arena []byte, piece []record) {
	slices.SortFunc(piece, func(a, b record) int {
		if c := s.compare(arena[a.from:a.to], arena[b.from:b.to]); c != 0 {
			return c
		}
		return cmp.Compare(a.from, b.from)
	})
}

// sort sorts all that is in memory into records: pieces are joined two by two.
func (s *Sorter) sort() {
	s.sortPiece(s.arena, s.records)
	s.sorting.Wait()
	pieces := append(s.pieces, s.records)
	for step := 1; step < len(pieces); step *= 2 {
		for i := 0; i+step < len(pieces); i += 2 * step {
			s.sorting.Go(func() { pieces[i] = s.join(pieces[i], pieces[i+step]) })
		}
		s.sorting.Wait()
	}
	s.pieces, s.records = nil, pieces[0]
}

// join merges two sorted pieces, of which a came first.
func (s *Sorter) join(a, b []record) []record {
	all := make([]record, 0, len(a)+len(b))
	for len(a) > 0 && len(b) > 0 {
		if s.compare(s.arena[a[0].from:a[0].to], s.arena[b[0].from:b[0].to]) <= 0 {
			all, a = append(all, a[0]), a[1:]
		} else {
			all, b = append(all, b[0]), b[1:]
		}
	}
	return append(append(all, a...), b...)
}

// spill writes what is in memory as a sorted run.
func (s *Sorter) spill() error {
	s.sort()
	w, err := s.create()
	if err != nil {
		return err
	}
	for _, r := range s.records {
		_ = WriteBlock(w.Writer, s.arena[r.from:r.to]) // which keeps its first error
	}
	if err := w.Finish(); err != nil {
		return err
	}
	s.runs = append(s.runs, w.name)
	s.arena, s.records = s.arena[:0], s.records[:0]
	return nil
}

func (s *Sorter) create() (*File, error) {
	s.next++
	return s.dir.create(fmt.Sprintf("run-%06d", s.next))
}

// Sort ends adding and returns the records in order. The iterator must be closed:
// that removes the files.
func (s *Sorter) Sort() (*Sorted, error) {
	if len(s.runs) == 0 {
		s.sort()
		return &Sorted{s: s}, nil
	}
	if len(s.pieces) > 0 || len(s.records) > 0 {
		if err := s.spill(); err != nil {
			return nil, errors.Join(err, s.Close())
		}
	}
	s.arena, s.records = nil, nil
	for len(s.runs) > maxRuns {
		if err := s.mergeRound(); err != nil {
			return nil, errors.Join(err, s.Close())
		}
	}
	m, err := openMerge(s, s.runs)
	if err != nil {
		return nil, errors.Join(err, s.Close())
	}
	return &Sorted{s: s, merge: m}, nil
}

// mergeRound merges neighbouring runs, which keeps equal records in order.
func (s *Sorter) mergeRound() error {
	var merged []string
	for group := range slices.Chunk(s.runs, maxRuns) {
		m, err := openMerge(s, group)
		if err != nil {
			return err
		}
		w, err := s.create()
		if err != nil {
			return errors.Join(err, m.close())
		}
		for m.next() {
			_ = WriteBlock(w.Writer, m.value())
		}
		if err := errors.Join(m.err, m.close(), w.Finish()); err != nil {
			return err
		}
		for _, name := range group {
			if err := s.dir.FS.Remove(s.dir.join(name)); err != nil {
				return err
			}
		}
		merged = append(merged, w.name)
	}
	s.runs = merged
	return nil
}

// Close removes the files of a sorter. It is for one that is given up: an
// iterator's Close does it too.
func (s *Sorter) Close() error {
	s.sorting.Wait()
	s.arena, s.pieces, s.records = nil, nil, nil
	return s.dir.Remove()
}

// Sorted walks the sorted records once.
type Sorted struct {
	s     *Sorter
	i     int    // of the next record in memory
	merge *merge // of the runs, nil where all is in memory
}

// Next goes to the next record; false at the end and after an error.
func (it *Sorted) Next() bool {
	if it.merge == nil {
		it.i++
		return it.i <= len(it.s.records)
	}
	return it.merge.next()
}

// Value is the current record, valid until the next call of Next.
func (it *Sorted) Value() []byte {
	if it.merge == nil {
		r := it.s.records[it.i-1]
		return it.s.arena[r.from:r.to:r.to]
	}
	return it.merge.value()
}

// Close releases everything and returns the error that ended the iteration early.
func (it *Sorted) Close() error {
	if it.merge == nil {
		return it.s.Close()
	}
	return errors.Join(it.merge.err, it.merge.close(), it.s.Close())
}
