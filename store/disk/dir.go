package disk

import (
	"bytes"
	"context"
	"encoding/binary"
	"errors"
	"fmt"
	"io"
	"io/fs"
	"slices"

	"github.com/cockroachdb/pebble/v2/vfs"
	"github.com/zeebo/xxh3"
)

// Dir is a directory on a file system.
type Dir struct {
	FS   vfs.FS
	Path string
}

// Join is the path of the file of this name.
func (d Dir) Join(name string) string { return d.FS.PathJoin(d.Path, name) }

// list returns the names of the files that are wanted, in order.
func (d Dir) list(wanted func(name string) bool) ([]string, error) {
	names, err := d.FS.List(d.Path)
	slices.Sort(names)
	return slices.DeleteFunc(names, func(name string) bool { return !wanted(name) }), err
}

// Sync makes the names of the files durable.
func (d Dir) Sync() error {
	f, err := d.FS.OpenDir(d.Path)
	if err != nil {
		return err
	}
	return errors.Join(f.Sync(), f.Close())
}

// maxControl bounds the files that are read whole: FSTORE, the copies of meta, the states of a
// run. None comes near it; a larger one is not what was written.
const maxControl = 256 << 20

// read returns what is in a control file.
func (d Dir) read(name string) ([]byte, error) {
	r, size, err := openSized(d.FS, d.Join(name))
	if err != nil {
		return nil, err
	}
	defer r.Close()
	if size > maxControl {
		return nil, d.Damaged(fmt.Sprintf("%s has %d bytes", name, size), nil)
	}
	return io.ReadAll(io.LimitReader(r, maxControl))
}

// tempSuffix is what the name of a file that takes the place of another has in addition, until
// it does.
const tempSuffix = ".tmp"

// replace replaces a file as a whole, or makes it, when the names of all files in the directory
// are on disk. Killed meanwhile, there is the old one.
func (d Dir) replace(name string, b []byte) error {
	path, temp := d.Join(name), d.Join(name+tempSuffix)
	if err := errors.Join(d.Sync(), d.Remove(name+tempSuffix)); err != nil { // it may be a link
		return err
	}
	if err := writeFile(d.FS, temp, b); err != nil {
		return err
	}
	if err := whileBusy(func() error { return d.FS.Rename(temp, path) }); err != nil {
		return err
	}
	return d.Sync()
}

// ReadSummed returns what ReplaceSummed has put into a file: ErrNotFound where it is not there, or is
// damaged.
func (d Dir) ReadSummed(name string) ([]byte, error) {
	b, err := d.read(name)
	if errors.Is(err, fs.ErrNotExist) {
		return nil, ErrNotFound
	}
	if err != nil {
		return nil, d.ReadError(name, err)
	}
	if len(b) < 8 || binary.BigEndian.Uint64(b) != xxh3.Hash(b[8:]) {
		return nil, ErrNotFound
	}
	return b[8:], nil
}

// ReplaceSummed replaces a file as a whole and for good, with a sum. Killed meanwhile, there is the
// old one.
func (d Dir) ReplaceSummed(name string, b []byte) error { return d.replace(name, summed(b)) }

// summed is the xxh3 of b in big-endian order, then b.
func summed(b []byte) []byte {
	return append(binary.BigEndian.AppendUint64(make([]byte, 0, 8+len(b)), xxh3.Hash(b)), b...)
}

// Remove removes a file, which need not be there.
func (d Dir) Remove(name string) error {
	if err := d.FS.Remove(d.Join(name)); !errors.Is(err, fs.ErrNotExist) {
		return err
	}
	return nil
}

// RemoveAll removes a file, or a directory with what is in it, file by file. It removes links,
// and follows none. Not every system under a Windows program has what os.RemoveAll asks for.
func RemoveAll(f vfs.FS, path string) error {
	err := f.Remove(path)
	if err == nil || errors.Is(err, fs.ErrNotExist) {
		return nil
	}
	names, listErr := f.List(path)
	if listErr != nil || len(names) == 0 {
		return err
	}
	err = nil
	for _, name := range names {
		err = errors.Join(err, RemoveAll(f, f.PathJoin(path, name)))
	}
	return errors.Join(err, f.Remove(path))
}

// regularFS opens regular files only: whoever opens a FIFO waits, and a device never ends.
// Every file of a store is opened through it.
type regularFS struct{ vfs.FS }

func (f regularFS) Open(path string, opts ...vfs.OpenOption) (vfs.File, error) {
	switch info, err := f.Stat(path); {
	case err == nil && !info.Mode().IsRegular():
		return nil, Dir{f, f.PathDir(path)}.Damaged(f.PathBase(path)+" is no regular file", nil)
	case err != nil && !errors.Is(err, fs.ErrNotExist): // of which Open says more
		return nil, err
	}
	return f.FS.Open(path, opts...)
}

func (f regularFS) Unwrap() vfs.FS { return f.FS }

// openSized opens a file to read, and returns its size.
func openSized(f vfs.FS, path string, opts ...vfs.OpenOption) (r vfs.File, size int64, err error) {
	if r, err = f.Open(path, opts...); err != nil {
		return nil, 0, err
	}
	info, err := r.Stat()
	if err != nil {
		return nil, 0, errors.Join(err, r.Close())
	}
	return r, info.Size(), nil
}

// hashFile returns the size and the xxh3 of a file, and does not read one of another size than
// want; negative is any. It looks at ctx once a buffer.
func hashFile(ctx context.Context, f vfs.FS, path string, want int64) (size int64, sum uint64, err error) {
	r, size, err := openSized(f, path, vfs.SequentialReadsOption)
	if err != nil {
		return 0, 0, err
	}
	defer r.Close()
	if want >= 0 && size != want {
		return size, 0, nil
	}
	h := xxh3.New()
	until := readerFunc(func(b []byte) (int, error) {
		if err := ctx.Err(); err != nil {
			return 0, err
		}
		return r.Read(b)
	})
	size, err = io.CopyBuffer(h, until, make([]byte, min(256<<10, size+1)))
	return size, h.Sum64(), err
}

type readerFunc func([]byte) (int, error)

func (f readerFunc) Read(b []byte) (int, error) { return f(b) }

// writeFile writes and syncs a file.
func writeFile(f vfs.FS, path string, b []byte) error {
	w, err := f.Create(path, vfs.WriteCategoryUnspecified)
	if err != nil {
		return err
	}
	_, err = w.Write(bytes.Clone(b)) // vfs.File's Write may change what it is given
	if err == nil {
		err = w.Sync()
	}
	return errors.Join(err, w.Close())
}
