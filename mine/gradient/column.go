package gradient

import (
	"encoding/binary"
	"errors"
	"unsafe"

	"github.com/cockroachdb/pebble/v2/vfs"

	"fstore/index/expansion"
)

// column has a number for each feature, by the feature's id. One goroutine adds the numbers; after finish,
// any goroutine can read them. More than columnSize numbers are in a mapped file.
type column[T int32 | float64] struct {
	s       *streamFiles
	n       uint32
	numbers []T // before finish: the numbers that are not in the file yet

	path   string   // "" if there is no file
	out    vfs.File // nil after finish
	file   *expansion.Mapped
	failed error
}

// columnSize is how many numbers a column collects before it writes them to its file.
const columnSize = 1 << 16

// add appends a number. If add fails, the method `finish` returns the error.
func (c *column[T]) add(x T) {
	if len(c.numbers) == columnSize {
		c.flush()
	}
	c.numbers = append(c.numbers, x)
	c.n++
}

func (c *column[T]) flush() {
	if c.path == "" && c.failed == nil {
		if out, path, err := c.s.create(); err == nil {
			c.out, c.path = out, path
		} else {
			c.failed = err
		}
	}
	if c.failed == nil {
		c.failed = binary.Write(c.out, binary.NativeEndian, c.numbers)
		c.s.bytes.Add(int64(binary.Size(c.numbers)))
	}
	c.numbers = c.numbers[:0]
}

// finish must be called after the last add. It returns the first error.
func (c *column[T]) finish() error {
	if c.path == "" {
		return c.failed
	}
	c.flush()
	err := errors.Join(c.failed, c.out.Close())
	c.out = nil
	if err != nil {
		return err
	}
	if c.file, err = expansion.Map(c.s.fs, c.path); err == nil {
		c.numbers = unsafe.Slice((*T)(unsafe.Pointer(unsafe.SliceData(c.file.Data))), c.n)
	}
	return err
}

// at returns the number of the feature with this id. It may be called only after finish has returned no
// error.
func (c *column[T]) at(id uint32) T { return c.numbers[id] }

// release frees the memory of the file's pages that were read.
func (c *column[T]) release() {
	if c.file != nil {
		c.file.Release()
	}
}

// close frees the memory and removes the file. It can be called more than once.
func (c *column[T]) close() (err error) {
	if c.out != nil {
		err = c.out.Close()
	}
	if c.file != nil {
		err = errors.Join(err, c.file.Close())
	}
	if c.path != "" {
		err = errors.Join(err, c.s.fs.Remove(c.path))
	}
	*c = column[T]{s: c.s}
	return err
}
