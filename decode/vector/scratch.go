package vector

import (
	"bytes"
	"cmp"
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

// columns are those of a format that writes nothing before Close.
type columns struct {
	scratch *runfile.Dir
	all     []*column
}

// column returns a new one.
func (s *columns) column(name string) *column {
	c := &column{name: name}
	s.all = append(s.all, c)
	return c
}

// spill moves what has become long to files.
func (s *columns) spill() (err error) {
	for _, c := range s.all {
		err = cmp.Or(err, c.spill(s.scratch))
	}
	return err
}

// Flush has nothing to hand on.
func (*columns) Flush() error { return nil }

func (s *columns) Discard() { _ = s.remove() }

// remove removes the files.
func (s *columns) remove() (err error) {
	for _, c := range s.all {
		err = errors.Join(err, c.close())
	}
	return errors.Join(err, s.scratch.Remove())
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

// copyTo writes all that was appended.
func (c *column) copyTo(w io.Writer, s *runfile.Dir) error {
	return c.read(s, func(r io.Reader) error {
		_, err := io.Copy(w, r)
		return err
	})
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
