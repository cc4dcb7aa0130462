package runfile

import (
	"bufio"
	"bytes"
	"errors"
	"io"

	"github.com/cockroachdb/pebble/v2/vfs"
)

// In this source file, a run is a file of sorted records, each written as a block (WriteBlock). A run is not
// synced, since it is deleted when the process ends.

// Reader reads the records of a run.
type Reader struct {
	f     vfs.File
	r     *bufio.Reader
	Value []byte // the current record; empty at the end
	End   bool
}

func openRun(d *Dir, name string, buffer int) (*Reader, error) {
	f, err := d.Open(name, vfs.SequentialReadsOption)
	if err != nil {
		return nil, err
	}
	return &Reader{f: f, r: reader(f, buffer)}, nil
}

// mergeBuffer is the buffer size for each file that Merge reads.
const mergeBuffer = 64 << 10

// Blocks opens the file, which must be a run, and returns its reader.
func (f *File) Blocks() (*Reader, error) { return openRun(f.d, f.name, mergeBuffer) }

// Next reads the next record into Value. It returns io.EOF at the end.
func (r *Reader) Next() (err error) {
	r.Value, err = ReadBlock(r.r, r.Value)
	r.End = err == io.EOF
	return err
}

// Close closes the file.
func (r *Reader) Close() error { return r.f.Close() }

// merge reads the records of several runs in order. Of records with equal keys, the record of the older run
// comes first.
type merge struct {
	key     func([]byte) []byte
	runs    []*Reader
	heap    []int // a heap of indexes of runs
	started bool
	err     error
}

func openMerge(d *Dir, names []string, key func([]byte) []byte, budget int) (*merge, error) {
	m := &merge{key: key}
	buffer := max(4<<10, budget/(len(names)+1))
	for _, name := range names {
		r, err := openRun(d, name, min(buffer, 1<<20))
		if err != nil {
			return nil, errors.Join(err, m.close())
		}
		m.runs = append(m.runs, r)
		switch err := r.Next(); err {
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
	c := bytes.Compare(m.key(m.runs[a].Value), m.key(m.runs[b].Value))
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
	switch err := m.runs[m.heap[0]].Next(); err {
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

func (m *merge) value() []byte { return m.runs[m.heap[0]].Value }

func (m *merge) close() (err error) {
	for _, r := range m.runs {
		err = errors.Join(err, r.Close())
	}
	m.runs = nil
	return err
}
