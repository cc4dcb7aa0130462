package mine

import (
	"bufio"
	"errors"
	"io"

	"github.com/cockroachdb/pebble/v2/vfs"
	"github.com/zeebo/xxh3"

	"fstore/store"
)

// keptFile is a kept file of a writer, from which a run that is resumed goes on; its sum
// tells whether it is whole.
type keptFile struct {
	w    *store.Writer
	name string
	file vfs.File
	sum  *xxh3.Hasher // of what is written
	out  *bufio.Writer
}

func createKept(w *store.Writer, name string) (*keptFile, error) {
	file, err := w.CreateKept(name)
	if err != nil {
		return nil, err
	}
	f := &keptFile{w: w, name: name, file: file, sum: xxh3.New()}
	f.out = bufio.NewWriterSize(io.MultiWriter(f.sum, file), 1<<16) // the sum first: a file system may change the bytes
	return f, nil
}

// holds says whether the file is there, and what was written.
func (f *keptFile) holds(sum uint64) bool {
	h := xxh3.New()
	err := f.read(func(r *bufio.Reader) error {
		_, err := io.Copy(h, r)
		return err
	})
	return err == nil && h.Sum64() == sum
}

// finish ends writing.
func (f *keptFile) finish() error { return errors.Join(f.out.Flush(), f.file.Close()) }

// abort ends writing of what is of no use.
func (f *keptFile) abort() { _ = f.file.Close() }

// read opens the file for g.
func (f *keptFile) read(g func(*bufio.Reader) error) error {
	file, err := f.w.OpenKept(f.name)
	if err != nil {
		return err
	}
	// Of a vfs.File, bufio needs Read only.
	return errors.Join(g(bufio.NewReaderSize(struct{ io.Reader }{file}, 1<<16)), file.Close())
}
