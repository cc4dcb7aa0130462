package runfile

import (
	"bufio"
	"bytes"
	"errors"
	"io"

	"github.com/cockroachdb/pebble/v2/vfs"
)

// A run is a file of records in order: uvarint length, bytes. It needs no sync, as it does not outlive
// the process.

// runReader is a run being merged.
type runReader struct {
	f     vfs.File
	r     *bufio.Reader
	value []byte
}

// next reads the next record into value; io.EOF at the end.
func (r *runReader) next() (err error) {
	r.value, err = ReadBlock(r.r, r.value)
	return err
}

// merge gives the records of several runs in order: a heap of the runs by their
// current records, the older run first where they are equal.
type merge struct {
	key     func([]byte) []byte
	runs    []*runReader
	heap    []int // indexes of runs
	started bool
	err     error
}

func openMerge(s *Sorter, names []string) (*merge, error) {
	m := &merge{key: s.key}
	buffer := max(4<<10, s.budget/(len(names)+1))
	for _, name := range names {
		f, err := s.dir.Open(name, vfs.SequentialReadsOption)
		if err != nil {
			return nil, errors.Join(err, m.close())
		}
		r := &runReader{f: f, r: reader(f, min(buffer, 1<<20))}
		m.runs = append(m.runs, r)
		switch err := r.next(); err {
		case nil:
			m.heap = append(m.heap, len(m.runs)-1)
		case io.EOF:
		default:
			return nil, errors.Join(err, m.close())
		}
	}
	for i := len(m.heap)/2 - 1; i >= 0; i-- {
		m.down(i)
	}
	return m, nil
}

func (m *merge) less(i, j int) bool {
	a, b := m.heap[i], m.heap[j]
	c := bytes.Compare(m.key(m.runs[a].value), m.key(m.runs[b].value))
	return c < 0 || c == 0 && a < b
}

func (m *merge) down(i int) {
	for {
		least := i
		for c := 2*i + 1; c <= 2*i+2 && c < len(m.heap); c++ {
			if m.less(c, least) {
				least = c
			}
		}
		if least == i {
			return
		}
		m.heap[i], m.heap[least] = m.heap[least], m.heap[i]
		i = least
	}
}

func (m *merge) next() bool {
	if m.err != nil || len(m.heap) == 0 {
		return false
	}
	if !m.started {
		m.started = true
		return true
	}
	switch err := m.runs[m.heap[0]].next(); err {
	case nil:
	case io.EOF:
		last := len(m.heap) - 1
		m.heap[0] = m.heap[last]
		m.heap = m.heap[:last]
	default:
		m.err = err
		return false
	}
	m.down(0)
	return len(m.heap) > 0
}

func (m *merge) value() []byte { return m.runs[m.heap[0]].value }

func (m *merge) close() (err error) {
	for _, r := range m.runs {
		err = errors.Join(err, r.f.Close())
	}
	m.runs = nil
	return err
}
