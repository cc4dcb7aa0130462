package gradient

import (
	"fmt"
	"sync"
	"sync/atomic"

	"github.com/cockroachdb/pebble/v2/vfs"
)

// scratch is where streams go: a directory, and how much of them may be held in memory.
type scratch struct {
	fs     vfs.FS
	dir    string
	budget int64
	held   atomic.Int64
	files  atomic.Uint64
	bytes  atomic.Int64 // ever written to files
}

// blocks are those of streams that went to a file after all: as garbage, they would be as much again.
var blocks = sync.Pool{New: func() any { return new([blockSize]byte) }}

// newBlock returns an empty block.
func newBlock() []byte { return blocks.Get().(*[blockSize]byte)[:0] }

// giveBack takes back a block, so that another stream fills it.
func giveBack(b []byte) {
	if cap(b) >= blockSize {
		blocks.Put((*[blockSize]byte)(b[:blockSize]))
	}
}

// take says whether n more bytes may be held, and counts them if so.
func (s *scratch) take(n int) bool {
	if s.held.Add(int64(n)) <= s.budget {
		return true
	}
	s.held.Add(-int64(n))
	return false
}

// create makes a file of its own name.
func (s *scratch) create() (vfs.File, string, error) {
	path := s.fs.PathJoin(s.dir, fmt.Sprintf("gradient-%d", s.files.Add(1)))
	f, err := s.fs.Create(path, vfs.WriteCategoryUnspecified)
	return f, path, err
}
