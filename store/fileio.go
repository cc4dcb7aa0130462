package store

import (
	"bytes"
	"context"
	"encoding/binary"
	"errors"
	"fmt"
	"io"
	iofs "io/fs"

	"github.com/cockroachdb/pebble/v2/vfs"
	"github.com/zeebo/xxh3"
)

// maxControl bounds the files that are read whole: FSTORE, the copies of meta, the states of a
// run. None comes near it; a larger one is not what was written.
const maxControl = 256 << 20

// regularFS opens regular files only: whoever opens a FIFO waits, and a device never ends.
// Every file of a store is opened through it.
type regularFS struct{ vfs.FS }

// Open is part of vfs.FS.
func (f regularFS) Open(path string, opts ...vfs.OpenOption) (vfs.File, error) {
	switch info, err := f.Stat(path); {
	case err == nil && !info.Mode().IsRegular():
		return nil, damaged(f.PathDir(path), f.PathBase(path)+" is no regular file", nil)
	case err != nil && !errors.Is(err, iofs.ErrNotExist): // of which Open says more
		return nil, err
	}
	return f.FS.Open(path, opts...)
}

// Unwrap is part of vfs.FS.
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
	buf := make([]byte, min(256<<10, size+1))
	for size = 0; ; {
		if err := ctx.Err(); err != nil {
			return 0, 0, err
		}
		n, err := r.Read(buf)
		_, _ = h.Write(buf[:n])
		size += int64(n)
		if err == io.EOF {
			return size, h.Sum64(), nil
		}
		if err != nil {
			return size, 0, err
		}
	}
}

// readFile returns what is in a control file.
func readFile(f vfs.FS, path string) ([]byte, error) {
	r, size, err := openSized(f, path)
	if err != nil {
		return nil, err
	}
	defer r.Close()
	if size > maxControl {
		return nil, damaged(f.PathDir(path), fmt.Sprintf("%s has %d bytes", f.PathBase(path), size), nil)
	}
	return io.ReadAll(io.LimitReader(r, maxControl))
}

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

// tempSuffix is what the name of a file that takes the place of another has in addition, until
// it does.
const tempSuffix = ".tmp"

// replaceFile replaces the file of this name in dir as a whole, or makes it, when the names of
// all files there are on disk. Killed meanwhile, there is the old one.
func replaceFile(f vfs.FS, dir, name string, b []byte) error {
	path := f.PathJoin(dir, name)
	temp := path + tempSuffix
	if err := errors.Join(syncDir(f, dir), removeFile(f, temp)); err != nil { // it may be a link
		return err
	}
	if err := writeFile(f, temp, b); err != nil {
		return err
	}
	if err := whileBusy(func() error { return f.Rename(temp, path) }); err != nil {
		return err
	}
	return syncDir(f, dir)
}

// removeFile removes a file, which need not be there.
func removeFile(f vfs.FS, path string) error {
	if err := f.Remove(path); !errors.Is(err, iofs.ErrNotExist) {
		return err
	}
	return nil
}

func syncDir(f vfs.FS, dir string) error {
	d, err := f.OpenDir(dir)
	if err != nil {
		return err
	}
	return errors.Join(d.Sync(), d.Close())
}

// summed are the bytes of a file that says whether it is what was written: the xxh3 of b in
// big-endian order, then b.
func summed(b []byte) []byte {
	return append(binary.BigEndian.AppendUint64(make([]byte, 0, 8+len(b)), xxh3.Hash(b)), b...)
}

// unsum returns the b of summed; ok is whether it is that.
func unsum(file []byte) (b []byte, ok bool) {
	if len(file) < 8 || binary.BigEndian.Uint64(file) != xxh3.Hash(file[8:]) {
		return nil, false
	}
	return file[8:], true
}
