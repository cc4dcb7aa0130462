package read

import (
	"context"
	"io"
	"sync"
	"sync/atomic"

	"github.com/zeebo/xxh3"
)

const (
	chunk  = 256 << 10
	chunks = 4 // chunks in memory
)

// prefetch reads, decompresses and hashes a file in its own goroutine, ahead of parsing.
type prefetch struct {
	ctx    context.Context
	onIdle func()
	memory *sync.Pool // its items are *[chunk]byte
	full   chan block
	stop   chan struct{}
	done   chan struct{} // closed when the goroutine ends

	cur  block // the block that is being read
	left []byte

	raw   atomic.Int64 // number of bytes read from the file
	bytes int64        // size of the text; until done is closed, only the goroutine uses bytes and hash
	hash  xxh3.Hasher

	rawHash xxh3.Hasher // hash of the bytes of the file; used like hash
}

type block struct {
	data []byte
	err  error // the error after data
}

// startPrefetch starts to read r, up to its end or until the channel `stop` is closed.
func startPrefetch(ctx context.Context, r io.Reader, onIdle func(), memory *sync.Pool) *prefetch {
	p := &prefetch{
		ctx: ctx, onIdle: onIdle, memory: memory,
		full: make(chan block, chunks-2), // one more chunk is being filled, one is being read
		stop: make(chan struct{}),
		done: make(chan struct{}),
	}
	go p.run(r)
	return p
}

func (p *prefetch) run(r io.Reader) {
	defer close(p.done)
	text, end, err := decompress(counted{r, p})
	if err != nil {
		p.send(block{err: err})
		return
	}
	defer end()
	for {
		data, ok := p.memory.Get().(*[chunk]byte)
		if !ok {
			data = new([chunk]byte)
		}
		n, err := text.Read(data[:])
		p.bytes += int64(n)
		_, _ = p.hash.Write(data[:n])
		if !p.send(block{data[:n], err}) {
			p.memory.Put(data)
			return
		}
		if err != nil {
			return
		}
	}
}

// send passes a block to the parser. It returns false if the reading was stopped.
func (p *prefetch) send(b block) bool {
	select {
	case p.full <- b:
		return true
	case <-p.stop:
		return false
	}
}

// Read returns text read ahead. It calls onIdle before it waits.
func (p *prefetch) Read(dst []byte) (int, error) {
	for len(p.left) == 0 {
		if p.cur.data != nil {
			p.memory.Put((*[chunk]byte)(p.cur.data[:chunk]))
			p.cur.data = nil
		}
		if p.cur.err != nil {
			return 0, p.cur.err
		}
		if err := p.receive(); err != nil {
			return 0, err
		}
	}
	n := copy(dst, p.left)
	p.left = p.left[n:]
	return n, nil
}

func (p *prefetch) receive() error {
	select {
	case p.cur = <-p.full:
	default:
		if p.onIdle != nil {
			p.onIdle()
		}
		select {
		case p.cur = <-p.full:
		case <-p.ctx.Done():
			return p.ctx.Err()
		}
	}
	p.left = p.cur.data
	return nil
}

// counted counts and hashes the bytes of a file as they are read.
type counted struct {
	io.Reader
	p *prefetch
}

func (c counted) Read(p []byte) (int, error) {
	n, err := c.Reader.Read(p)
	c.p.raw.Add(int64(n))
	_, _ = c.p.rawHash.Write(p[:n])
	return n, err
}
