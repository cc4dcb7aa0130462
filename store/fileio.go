package store

import (
	"context"
	"encoding/binary"
	"errors"
	"io"

	"github.com/cockroachdb/pebble/v2/vfs"
	"github.com/zeebo/xxh3"
)

// hashFile returns the size and the xxh3 of a file. It looks at ctx once a buffer.
func hashFile(ctx context.Context, f vfs.FS, path string) (size int64, sum uint64, err error) {
	r, err := f.Open(path, vfs.SequentialReadsOption)
	if err != nil {
		return 0, 0, err
	}
	defer r.Close()
	info, err := r.Stat()
	if err != nil {
		return 0, 0, err
	}
	h := xxh3.New()
	buf := make([]byte, min(256<<10, info.Size()+1))
	for {
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

func readFile(f vfs.FS, path string) ([]byte, error) {
	r, err := f.Open(path)
	if err != nil {
		return nil, err
	}
	defer r.Close()
	return io.ReadAll(r)
}

// writeFile writes and syncs a file.
func writeFile(f vfs.FS, path string, b []byte) error {
	w, err := f.Create(path, vfs.WriteCategoryUnspecified)
	if err != nil {
		return err
	}
	_, err = w.Write(b)
	if err == nil {
		err = w.Sync()
	}
	return errors.Join(err, w.Close())
}

// tempSuffix is what the name of a file that takes the place of another has in addition, until
// it does.
const tempSuffix = ".new"

// replaceFile replaces the file of this name in dir as a whole, or makes it, when the names of
// all files there are on disk. Killed meanwhile, there is the old one.
func replaceFile(f vfs.FS, dir, name string, b []byte) error {
	path := f.PathJoin(dir, name)
	temp := path + tempSuffix
	if err := writeFile(f, temp, b); err != nil {
		return err
	}
	if err := syncDir(f, dir); err != nil {
		return err
	}
	if err := whileBusy(func() error { return f.Rename(temp, path) }); err != nil {
		return err
	}
	return syncDir(f, dir)
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
