package vector

import (
	"bytes"
	"cmp"
	"errors"
	"io"

	"github.com/cockroachdb/pebble/v2/vfs"

	"fstore/store/runfile"
)

// columnBuffer is the size, in bytes, above which a column is written to its file.
const columnBuffer = 256 << 10

// column collects bytes, which are read once. The bytes of a long column are in a file, except the last ones.
type column struct {
	name string
	end  []byte
	file vfs.File
}

// columns are the columns of a format that writes nothing before Close.
type columns struct {
	scratch *runfile.Dir
	all     []*column
}

func (s *columns) column(name string) *column {
	c := &column{name: name}
	s.all = append(s.all, c)
	return c
}

// spill writes long columns to their files.
func (s *columns) spill() (err error) {
	for _, c := range s.all {
		err = cmp.Or(err, c.spill(s.scratch))
	}
	return err
}

// Flush does nothing, because nothing is complete before Close.
func (*columns) Flush() error { return nil }

func (s *columns) Discard() { _ = s.remove() }

// remove closes and deletes the files.
func (s *columns) remove() (err error) {
	for _, c := range s.all {
		err = errors.Join(err, c.close())
	}
	return errors.Join(err, s.scratch.Remove())
}

// spill writes the bytes in memory to the file, if they are columnBuffer or more.
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

// read calls f with a reader of all bytes.
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

// copyTo writes all bytes to w.
func (c *column) copyTo(w io.Writer, s *runfile.Dir) error {
	return c.read(s, func(r io.Reader) error {
		_, err := io.Copy(w, r)
		return err
	})
}

// close closes the file. A sync is not needed, because the file is deleted when the process ends.
func (c *column) close() error {
	if c.file == nil {
		return nil
	}
	f := c.file
	c.file = nil
	return f.Close()
}
