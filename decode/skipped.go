package decode

import (
	"fmt"
	"io"
	"sync/atomic"

	"fstore/index"
)

// firstSkipped is how many skipped sentences are kept.
const firstSkipped = 20

// skipped collects the bad sentences that were passed over.
type skipped struct {
	n     int
	first []*index.InputError
	log   io.Writer
	err   error // of log
}

func (s *skipped) add(e *index.InputError) {
	s.n++
	if len(s.first) < firstSkipped {
		s.first = append(s.first, e)
	}
	if s.log != nil && s.err == nil {
		_, s.err = fmt.Fprintln(s.log, e)
	}
}

// Skipped returns how many sentences were passed over, and the first of them.
func (s *skipped) Skipped() (n int, first []*index.InputError) { return s.n, s.first }

// progress counts the bytes read of all files.
type progress struct {
	total int64
	ended atomic.Int64
	cur   atomic.Pointer[prefetch]
}

func (p *progress) start(f *prefetch) { p.cur.Store(f) }

func (p *progress) end(f *prefetch) {
	p.cur.Store(nil)
	p.ended.Add(f.raw.Load())
}

func (p *progress) done() int64 {
	n := p.ended.Load()
	if f := p.cur.Load(); f != nil {
		n += f.raw.Load()
	}
	return n
}
