package gradient

import (
	"fmt"
	"sync"
	"sync/atomic"

	"github.com/cockroachdb/pebble/v2/vfs"
)

// streamFiles has what streams share: a directory, a memory budget, and blocks to reuse, since garbage would
// double the memory.
type streamFiles struct {
	fs     vfs.FS
	dir    string
	budget int64
	held   atomic.Int64
	files  atomic.Uint64
	bytes  atomic.Int64 // the bytes written to files since the last report

	mu   sync.Mutex
	free [][]byte
}

const blockSize = 1 << 16

// block returns an empty block. If blocks were given back, it is one of these.
func (s *streamFiles) block() []byte {
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

// freeBlocks is the largest number of free blocks that are kept: 4 MiB.
const freeBlocks = 64

// giveBack gives blocks back, so that other streams can fill them.
func (s *streamFiles) giveBack(blocks ...[]byte) {
	s.mu.Lock()
	s.free = append(s.free, blocks[:min(len(blocks), freeBlocks-len(s.free))]...)
	s.mu.Unlock()
}

// take says whether n more bytes fit into the budget. If so, it counts them as used.
func (s *streamFiles) take(n int) bool {
	if s.held.Add(int64(n)) <= s.budget {
		return true
	}
	s.held.Add(-int64(n))
	return false
}

func (s *streamFiles) create() (vfs.File, string, error) {
	path := s.fs.PathJoin(s.dir, fmt.Sprintf("gradient-%d", s.files.Add(1)))
	f, err := s.fs.Create(path, vfs.WriteCategoryUnspecified)
	return f, path, err
}
