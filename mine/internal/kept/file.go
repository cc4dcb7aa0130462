// Package kept has the files from which a run that is resumed goes on. They are not synced:
// a sum, which is kept apart, tells whether a file is what was written.
package kept

import (
	"bufio"
	"encoding/binary"
	"errors"
	"io"
	"slices"

	"github.com/cockroachdb/pebble/v2/vfs"
	"github.com/zeebo/xxh3"

	"fstore/store"
)

// File is a kept file of a writer.
type File struct {
	*bufio.Writer // what is written goes here
	w             *store.Writer
	name          string
	file          vfs.File
	sum           *xxh3.Hasher // of what is written
}

// At is a file that an earlier run may have left.
func At(w *store.Writer, name string) *File { return &File{w: w, name: name} }

// Create begins a file, in place of one of that name.
func Create(w *store.Writer, name string) (*File, error) {
	file, err := w.CreateKept(name)
	if err != nil {
		return nil, err
	}
	f := &File{w: w, name: name, file: file, sum: xxh3.New()}
	f.Writer = bufio.NewWriterSize(io.MultiWriter(f.sum, file), 1<<16) // the sum first: a file system may change the bytes
	return f, nil
}

// Finish ends writing.
func (f *File) Finish() error { return errors.Join(f.Flush(), f.file.Close()) }

// Abort ends writing of what is of no use.
func (f *File) Abort() { _ = f.file.Close() }

// Sum is that of the bytes written, after Finish.
func (f *File) Sum() uint64 { return f.sum.Sum64() }

// Holds says whether the file is there, and what was written.
func (f *File) Holds(sum uint64) bool {
	h := xxh3.New()
	err := f.Read(func(r *bufio.Reader) error {
		_, err := io.Copy(h, r)
		return err
	})
	return err == nil && h.Sum64() == sum
}

// ReadBlock reads bytes after their length, an uvarint, into buf, which grows no faster than
// there are bytes: of a stranger's file, a length is no reason to take memory.
func ReadBlock[B ~[]byte](r *bufio.Reader, buf B) (B, error) {
	n, err := binary.ReadUvarint(r)
	for buf = buf[:0]; err == nil && n > 0; {
		from, step := len(buf), int(min(n, readStep))
		buf = slices.Grow(buf, step)[:from+step]
		_, err = io.ReadFull(r, buf[from:])
		n -= uint64(step)
	}
	return buf, err
}

// readStep is how far ReadBlock trusts a length.
const readStep = 64 << 10

// Read opens the file for g.
func (f *File) Read(g func(*bufio.Reader) error) error {
	file, err := f.w.OpenKept(f.name)
	if err != nil {
		return err
	}
	// Of a vfs.File, bufio needs Read only.
	return errors.Join(g(bufio.NewReaderSize(struct{ io.Reader }{file}, 1<<16)), file.Close())
}
