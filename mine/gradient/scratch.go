package gradient

import (
	"fmt"
	"sync"
	"sync/atomic"

	"github.com/cockroachdb/pebble/v2/vfs"
)

// scratch is where streams go: a directory, and how much of them may be held in memory.
// Blocks of a stream that goes to a file after all are for others to fill: as garbage, they
// would be as much again.
type scratch struct {
	fs     vfs.FS
	dir    string
	budget int64
	held   atomic.Int64
	files  atomic.Uint64
	bytes  atomic.Int64 // ever written to files

	mu   sync.Mutex
	free [][]byte
}

// block returns an empty block.
func (s *scratch) block() []byte {
	s.mu.Lock()
	defer s.mu.Unlock()
	n := len(s.free)
	if n == 0 {
		return make([]byte, 0, blockSize)
	}
	b := s.free[n-1]
	s.free = s.free[:n-1]
	return b[:0]
}

// freeBlocks is how many blocks wait to be filled again, at most: 4 MiB.
const freeBlocks = 64

// giveBack takes back blocks.
func (s *scratch) giveBack(blocks ...[]byte) {
	s.mu.Lock()
	s.free = append(s.free, blocks[:min(len(blocks), freeBlocks-len(s.free))]...)
	s.mu.Unlock()
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
