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
	// Key returns the piece of a record that decides its place, in the order of bytes.Compare. If Key is
	// nil, that is the whole record.
	// Several goroutines call it at once. Records with the same key come out in the order they were added.
	Key func(record []byte) []byte
	// Budget bounds the memory in bytes, read buffers included; 0 is 64 MiB.
	// Below minBudget it is minBudget.
	Budget int
}

const (
	defaultBudget = 64 << 20
	minBudget     = 64 << 10
	// recordOverhead is what a record in memory costs beside its bytes: its length, and its entry in the
	// list of records, which is there twice while the list grows.
	recordOverhead = 4 + 2*16
	// chunkLen is how many bytes of records lie together. In one piece of memory they would be copied
	// as it grows.
	chunkLen = 1 << 20
	// maxRuns is how many runs are merged at once. More are merged in rounds.
	maxRuns = 64
)

// Sorter takes more records than fit in memory, which are byte strings, and gives them sorted: it
// collects them up to a budget, writes sorted runs, and merges those. It is for one goroutine, and
// sorts on all cores.
type Sorter struct {
	dir    *Dir
	key    func([]byte) []byte
	budget int

	chunks  [][]byte // of records, each after its length in four bytes
	filled  int      // the chunk that takes the next record
	used    int      // bytes of the budget
	records []record
	sorting sync.WaitGroup
	runs    []string // files, oldest first
	next    int      // number of the last run
}

// record is an entry of the list of records. Most comparisons look at two words only, not at the bytes
// of the records.
type record struct {
	word uint64 // a piece of the key, see wordOf
	at   uint64 // chunk<<32 | place in it: ascends in the order in which records were added
}

// NewSorter returns a sorter that writes to dir, where the budget does not suffice, and removes it.
func NewSorter(dir *Dir, o SortOptions) *Sorter {
	s := &Sorter{dir: dir, key: o.Key, budget: max(cmp.Or(o.Budget, defaultBudget), minBudget)}
	if s.key == nil {
		s.key = func(b []byte) []byte { return b }
	}
	return s
}

// Add takes a copy of a record.
func (s *Sorter) Add(b []byte) error {
	need := len(b) + recordOverhead
	if s.used+need > s.budget && s.used > 0 {
		if err := s.spill(); err != nil {
			return err
		}
	}
	s.used += need
	c := s.room(4 + len(b))
	s.records = append(s.records, record{wordOf(s.key(b)), uint64(s.filled)<<32 | uint64(len(*c))})
	*c = append(binary.LittleEndian.AppendUint32(*c, uint32(len(b))), b...)
	return nil
}

// room returns the chunk that takes n more bytes.
func (s *Sorter) room(n int) *[]byte {
	for ; s.filled < len(s.chunks); s.filled++ {
		if c := &s.chunks[s.filled]; cap(*c)-len(*c) >= n {
			return c
		}
	}
	s.chunks = append(s.chunks, make([]byte, 0, max(n, min(chunkLen, s.budget/4))))
	return &s.chunks[s.filled]
}

// value is the bytes of a record.
func (s *Sorter) value(r record) []byte {
	b := s.chunks[r.at>>32][uint32(r.at):]
	end := 4 + binary.LittleEndian.Uint32(b)
	return b[4:end:end]
}

const (
	// wordLen is how many bytes of a key are in a word.
	wordLen = 7
	// more is the last byte of a word if the key has bytes after it.
	more = wordLen + 1
	// few records are compared as they lie, rather than word by word.
	few = 8
	// many records are worth a goroutine.
	many = 1 << 13
)

// wordOf returns the first wordLen bytes of what is left of a key, with zeros behind a shorter one, then
// a byte with its length, or more. Words compare as keys do; those of different keys may be equal if
// both have more.
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

// sort sorts all that is in memory.
func (s *Sorter) sort() {
	s.sortByWord(s.records, 0)
	s.sorting.Wait()
}

// sortByWord sorts records whose keys are equal up to depth, and whose words are of the bytes from there
// on.
func (s *Sorter) sortByWord(rs []record, depth int) {
	slices.SortFunc(rs, func(a, b record) int { return cmp.Compare(a.word, b.word) })
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

// sortSame sorts records with the same word at depth.
func (s *Sorter) sortSame(rs []record, depth int) {
	if rs[0].word&0xFF != more {
		slices.SortFunc(rs, func(a, b record) int { return cmp.Compare(a.at, b.at) })
		return
	}
	depth += wordLen
	tail := func(r record) []byte { return s.key(s.value(r))[depth:] }
	if len(rs) <= few {
		slices.SortFunc(rs, func(a, b record) int { return cmp.Or(bytes.Compare(tail(a), tail(b)), cmp.Compare(a.at, b.at)) })
		return
	}
	// What all share is passed over at once: it may be long.
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

// spill writes what is in memory as a sorted run.
func (s *Sorter) spill() error {
	s.sort()
	w, err := s.create()
	if err != nil {
		return err
	}
	for _, r := range s.records {
		_ = WriteBlock(w.Writer, s.value(r)) // which keeps its first error
	}
	if err := w.Finish(); err != nil {
		return err
	}
	s.runs = append(s.runs, w.name)
	s.reset()
	return nil
}

// reset forgets the records and keeps the memory for the next ones, but not more than the budget: a long
// record passes over chunks that it does not fit in, and gets a new one.
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

// Sort ends adding and returns the records in order. The iterator must be closed:
// that removes the files.
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
	s.chunks, s.records = nil, nil
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
		return it.s.value(it.s.records[it.i-1])
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
