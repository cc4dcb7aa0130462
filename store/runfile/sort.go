package runfile

import (
	"bytes"
	"cmp"
	"encoding/binary"
	"errors"
	"fmt"
	"slices"
	"sync"
)

// SortOptions say how to sort. The zero value sorts by bytes in 64 MiB.
type SortOptions struct {
	// Key returns the part of a record by which records are sorted (bytes.Compare). If Key is nil, they are
	// sorted by all bytes. Several goroutines call Key at the same time. Records with equal keys come out in
	// the order in which they were added.
	Key func(record []byte) []byte
	// Budget bounds the memory in bytes, including read buffers; 0 means 64 MiB. A smaller budget than
	// minBudget counts as minBudget.
	Budget int
}

const (
	defaultBudget = 64 << 20
	minBudget     = 64 << 10
	// recordOverhead is how many bytes of memory a record takes besides its own: its length, and two times
	// its entry in the list of records, because the list is copied as it grows.
	recordOverhead = 4 + 2*16
	// chunkLen is the size of the chunks that hold the records. One large buffer would be copied as it grows.
	chunkLen = 1 << 20
	// maxRuns is the largest number of runs that are merged in one pass.
	maxRuns = 64
)

// Sorter sorts records, which are byte strings, even if they do not fit in memory. Its methods are for one
// goroutine, but it sorts on all processors.
type Sorter struct {
	dir    *Dir
	key    func([]byte) []byte
	budget int

	chunks  [][]byte // the records, each after its length in four bytes
	filled  int      // index of the chunk that takes the next record
	used    int      // used bytes of the budget
	records []sortKey
	sorting sync.WaitGroup
	runs    []string // names of the run files, oldest first
	next    int      // number of the last run file
}

// sortKey stands for one record. Most comparisons need only its two numbers, not the bytes of the record.
type sortKey struct {
	word uint64 // seven bytes of the key and a length, see wordOf
	at   uint64 // chunk<<32 | offset in it: ascends in the order in which records were added
}

// NewSorter returns a sorter, which writes files to dir if the records exceed the budget. The sorter removes
// dir at the end.
func NewSorter(dir *Dir, o SortOptions) *Sorter {
	s := &Sorter{dir: dir, key: o.Key, budget: max(cmp.Or(o.Budget, defaultBudget), minBudget)}
	if s.key == nil {
		s.key = func(b []byte) []byte { return b }
	}
	return s
}

// Add adds a copy of a record.
func (s *Sorter) Add(b []byte) error {
	need := len(b) + recordOverhead
	if s.used+need > s.budget && s.used > 0 {
		if err := s.spill(); err != nil {
			return err
		}
	}
	s.used += need
	c := s.room(4 + len(b))
	s.records = append(s.records, sortKey{wordOf(s.key(b)), uint64(s.filled)<<32 | uint64(len(*c))})
	*c = append(binary.LittleEndian.AppendUint32(*c, uint32(len(b))), b...)
	return nil
}

// room returns a chunk with capacity for n more bytes.
func (s *Sorter) room(n int) *[]byte {
	for ; s.filled < len(s.chunks); s.filled++ {
		if c := &s.chunks[s.filled]; cap(*c)-len(*c) >= n {
			return c
		}
	}
	s.chunks = append(s.chunks, make([]byte, 0, max(n, min(chunkLen, s.budget/4))))
	return &s.chunks[s.filled]
}

// value returns the bytes of a record.
func (s *Sorter) value(r sortKey) []byte {
	b := s.chunks[r.at>>32][uint32(r.at):]
	end := 4 + binary.LittleEndian.Uint32(b)
	return b[4:end:end]
}

const (
	// wordLen is how many bytes of a key are in a word.
	wordLen = 7
	// more is the last byte of a word if the key is longer than wordLen.
	more = wordLen + 1
	// few is the largest number of records that are compared byte by byte, not word by word.
	few = 8
	// many is the size above which a group of records with equal words is sorted in its own goroutine.
	many = 1 << 13
)

// wordOf returns a number that sorts as key does: the first wordLen bytes of key, then a byte for the length.
// Two different keys have the same word only if both are longer than wordLen.
func wordOf(key []byte) uint64 {
	if len(key) > wordLen {
		return binary.BigEndian.Uint64(key)&^0xFF | more
	}
	w := uint64(len(key))
	for i, b := range key {
		w |= uint64(b) << (56 - 8*i)
	}
	return w
}

// sort sorts all records that are in memory.
func (s *Sorter) sort() {
	s.sortByWord(s.records, 0)
	s.sorting.Wait()
}

// sortByWord sorts records whose keys are equal up to this depth. The field `word` of a record must have the
// next bytes of its key.
func (s *Sorter) sortByWord(rs []sortKey, depth int) {
	slices.SortFunc(rs, func(a, b sortKey) int { return cmp.Compare(a.word, b.word) })
	for len(rs) > 0 {
		n := 1
		for n < len(rs) && rs[n].word == rs[0].word {
			n++
		}
		same := rs[:n]
		if n > many {
			s.sorting.Go(func() { s.sortSame(same, depth) })
		} else if n > 1 {
			s.sortSame(same, depth)
		}
		rs = rs[n:]
	}
}

// sortSame sorts records with the same `word`, whose keys are equal up to this depth.
func (s *Sorter) sortSame(rs []sortKey, depth int) {
	if rs[0].word&0xFF != more {
		slices.SortFunc(rs, func(a, b sortKey) int { return cmp.Compare(a.at, b.at) })
		return
	}
	depth += wordLen
	tail := func(r sortKey) []byte { return s.key(s.value(r))[depth:] }
	if len(rs) <= few {
		slices.SortFunc(rs, func(a, b sortKey) int { return cmp.Or(bytes.Compare(tail(a), tail(b)), cmp.Compare(a.at, b.at)) })
		return
	}
	// A prefix that all tails have in common is skipped in one step.
	shared := tail(rs[0])
	for _, r := range rs[1:] {
		t, n := tail(r), 0
		for n < len(shared) && n < len(t) && shared[n] == t[n] {
			n++
		}
		shared = shared[:n]
	}
	depth += len(shared)
	for i, r := range rs {
		rs[i].word = wordOf(tail(r))
	}
	s.sortByWord(rs, depth)
}

// spill writes the records in memory as a sorted run.
func (s *Sorter) spill() error {
	s.sort()
	w, err := s.create()
	if err != nil {
		return err
	}
	for _, r := range s.records {
		_ = WriteBlock(w.Writer, s.value(r)) // w keeps its first error
	}
	if err := w.Finish(); err != nil {
		return err
	}
	s.runs = append(s.runs, w.name)
	s.reset()
	return nil
}

// reset drops the records, but keeps their memory for the next records, up to the budget.
func (s *Sorter) reset() {
	kept := 0
	for i, c := range s.chunks {
		if kept += cap(c); kept > s.budget {
			clear(s.chunks[i:])
			s.chunks = s.chunks[:i]
			break
		}
		s.chunks[i] = c[:0]
	}
	s.filled, s.used, s.records = 0, 0, s.records[:0]
}

func (s *Sorter) create() (*File, error) {
	s.next++
	return s.dir.CreateFile(fmt.Sprintf("run-%06d", s.next))
}

// Sort ends adding, and returns the records in order. The caller must close the result, which removes the
// files.
func (s *Sorter) Sort() (*Sorted, error) {
	if len(s.runs) == 0 {
		s.sort()
		return &Sorted{s: s}, nil
	}
	if len(s.records) > 0 {
		if err := s.spill(); err != nil {
			return nil, errors.Join(err, s.Close())
		}
	}
	s.chunks, s.records = nil, nil
	for len(s.runs) > maxRuns {
		if err := s.mergePass(); err != nil {
			return nil, errors.Join(err, s.Close())
		}
	}
	m, err := openMerge(s.dir, s.runs, s.key, s.budget)
	if err != nil {
		return nil, errors.Join(err, s.Close())
	}
	return &Sorted{s: s, merge: m}, nil
}

// mergePass merges groups of neighbouring runs, so that records with equal keys stay in order.
func (s *Sorter) mergePass() error {
	var merged []string
	for group := range slices.Chunk(s.runs, maxRuns) {
		m, err := openMerge(s.dir, group, s.key, s.budget)
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

// Close removes the files of a sorter that is not needed any more. Closing the result of Sort does the same.
func (s *Sorter) Close() error {
	s.chunks, s.records = nil, nil
	return s.dir.Remove()
}

// Merge returns the records of several runs, ordered by their keys. Closing the result removes the directory.
func Merge(d *Dir, runs []*File, key func(record []byte) []byte) (*Sorted, error) {
	s := &Sorter{dir: d, key: key, budget: (len(runs) + 1) * mergeBuffer}
	for _, f := range runs {
		s.runs = append(s.runs, f.name)
	}
	m, err := openMerge(s.dir, s.runs, s.key, s.budget)
	if err != nil {
		return nil, err
	}
	return &Sorted{s: s, merge: m}, nil
}

// Sorted reads the sorted records once.
type Sorted struct {
	s     *Sorter
	i     int    // index of the next record in memory
	merge *merge // reads the runs; nil if all records are in memory
}

// Next goes to the next record. It returns false at the end and after an error.
func (it *Sorted) Next() bool {
	if it.merge == nil {
		it.i++
		return it.i <= len(it.s.records)
	}
	return it.merge.next()
}

// Value returns the current record. It is valid until the next call of Next.
func (it *Sorted) Value() []byte {
	if it.merge == nil {
		return it.s.value(it.s.records[it.i-1])
	}
	return it.merge.value()
}

// Close removes the files, and returns the error that ended the reading early, if any.
func (it *Sorted) Close() error {
	if it.merge == nil {
		return it.s.Close()
	}
	return errors.Join(it.merge.err, it.merge.close(), it.s.Close())
}
