package gradient

import (
	"encoding/binary"
	"errors"
	"io"
	"math"
	"sync"
	"sync/atomic"

	"github.com/cockroachdb/pebble/v2/vfs"
)

// column is numbers by feature id, in chunks: as far as the budget goes in memory, then in a file.
// Numbers are added by one goroutine, and then read by any number.
//
// A chunk of the file is read when the first of its numbers is asked for, and held until release:
// those who follow fragments ask for the numbers of some part of the codes again and again, and
// then for none of them any more. An error makes numbers 0, and is told by err.
type column[T int16 | float64] struct {
	s      *scratch
	n      uint32
	chunks []chunk[T] // all that are full
	open   []T        // the one after them; the first takes no more than what it has, as there is a column for each class

	mu     sync.Mutex
	path   string // where chunks from from on are; "" is nowhere
	from   int
	out    vfs.File // where they are written, until finish
	in     vfs.File // where they are read
	held   int64    // bytes of the budget
	failed error
}

// columnBits is how many bits of an id are the place in a chunk.
const (
	columnBits = 16
	columnSize = 1 << columnBits
)

// chunk is nil while it is in the file only.
type chunk[T any] struct {
	numbers atomic.Pointer[[columnSize]T]
}

// add appends a number.
func (c *column[T]) add(x T) {
	if c.open == nil && c.n > 0 {
		c.open = make([]T, 0, columnSize)
	}
	c.open = append(c.open, x)
	c.n++
	if len(c.open) == columnSize {
		c.seal()
	}
}

// seal puts a full chunk away: once there is a file, all that follow go there.
func (c *column[T]) seal() {
	full := (*[columnSize]T)(c.open)
	size := binary.Size(full[:])
	c.chunks = append(c.chunks, chunk[T]{})
	if c.path == "" && c.s.take(size) {
		c.held += int64(size)
		c.chunks[len(c.chunks)-1].numbers.Store(full)
		c.open = nil
		return
	}
	c.open = c.open[:0]
	if c.path == "" {
		out, path, err := c.s.create()
		if err != nil {
			c.fail(err)
			return
		}
		c.out, c.path, c.from = out, path, len(c.chunks)-1
	}
	if c.failed == nil {
		c.s.bytes.Add(int64(size))
		c.fail(binary.Write(c.out, binary.LittleEndian, full[:]))
	}
}

// finish ends adding.
func (c *column[T]) finish() {
	if c.out != nil {
		c.fail(c.out.Close())
		c.out = nil
	}
}

// at is the number of an id.
func (c *column[T]) at(id uint32) T {
	k := int(id >> columnBits)
	if k == len(c.chunks) {
		return c.open[id%columnSize]
	}
	numbers := c.chunks[k].numbers.Load()
	if numbers == nil {
		numbers = c.load(k)
	}
	return numbers[id%columnSize]
}

// load reads a chunk.
func (c *column[T]) load(k int) *[columnSize]T {
	c.mu.Lock()
	defer c.mu.Unlock()
	if numbers := c.chunks[k].numbers.Load(); numbers != nil {
		return numbers
	}
	numbers := new([columnSize]T)
	if err := c.read(numbers, k-c.from); err != nil {
		c.failed = errors.Join(c.failed, err)
		clear(numbers[:])
	}
	c.chunks[k].numbers.Store(numbers)
	return numbers
}

// read reads a chunk by its place in the file.
func (c *column[T]) read(numbers *[columnSize]T, place int) (err error) {
	if c.failed != nil {
		return nil // already told
	}
	if c.in == nil {
		if c.in, err = c.s.fs.Open(c.path); err != nil {
			return err
		}
	}
	size := int64(binary.Size(numbers[:]))
	return binary.Read(io.NewSectionReader(c.in, int64(place)*size, size), binary.LittleEndian, numbers[:])
}

// release gives back the memory of chunks that were read; others may go on reading.
func (c *column[T]) release() {
	if c.path == "" {
		return
	}
	for k := c.from; k < len(c.chunks); k++ {
		c.chunks[k].numbers.Store(nil)
	}
}

// fail keeps an error.
func (c *column[T]) fail(err error) {
	c.mu.Lock()
	c.failed = errors.Join(c.failed, err)
	c.mu.Unlock()
}

// err is what went wrong so far.
func (c *column[T]) err() error {
	c.mu.Lock()
	defer c.mu.Unlock()
	return c.failed
}

// close gives back what the column takes. It may be called again.
func (c *column[T]) close() (err error) {
	for _, f := range []vfs.File{c.out, c.in} {
		if f != nil {
			err = errors.Join(err, f.Close())
		}
	}
	if c.path != "" {
		err = errors.Join(err, c.s.fs.Remove(c.path))
	}
	c.s.held.Add(-c.held)
	c.n, c.chunks, c.open, c.path, c.out, c.in, c.held = 0, nil, nil, "", nil, nil, 0
	return err
}

// differences is small numbers by feature id; the few that are not small are apart.
type differences struct {
	near column[int16] // far is in place of one that is apart
	far  map[uint32]int32
}

const far = math.MinInt16

func (d *differences) add(x int32) {
	if x > far && x <= math.MaxInt16 {
		d.near.add(int16(x))
		return
	}
	if d.far == nil {
		d.far = map[uint32]int32{}
	}
	d.far[d.near.n] = x
	d.near.add(far)
}

func (d *differences) at(id uint32) int32 {
	if x := d.near.at(id); x != far {
		return int32(x)
	}
	return d.far[id]
}
