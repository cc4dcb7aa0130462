package vector

import (
	"bytes"
	"errors"
	"io"

	"github.com/cockroachdb/pebble/v2/vfs"

	"fstore/store/runfile"
)

// columnBuffer is what a column keeps in memory, in bytes.
const columnBuffer = 256 << 10

// column is bytes that are appended to its end, and read once: what is beyond
// columnBuffer lies in a file.
type column struct {
	name string
	end  []byte
	file vfs.File
}

// spill moves the end to the file, where it has become long.
func (c *column) spill(s *runfile.Dir) error {
	if len(c.end) < columnBuffer {
		return nil
	}
	if c.file == nil {
		f, err := s.Create(c.name)
		if err != nil {
			return err
		}
		c.file = f
	}
	_, err := c.file.Write(c.end)
	c.end = c.end[:0]
	return err
}

// read calls f with all that was appended.
func (c *column) read(s *runfile.Dir, f func(io.Reader) error) error {
	end := bytes.NewReader(c.end)
	if c.file == nil {
		return f(end)
	}
	if err := c.close(); err != nil {
		return err
	}
	file, err := s.Open(c.name, vfs.SequentialReadsOption)
	if err != nil {
		return err
	}
	return errors.Join(f(io.MultiReader(file, end)), file.Close())
}

// close closes the file, which needs no sync: it does not outlive the process.
func (c *column) close() error {
	if c.file == nil {
		return nil
	}
	f := c.file
	c.file = nil
	return f.Close()
}
