package output

import (
	"bufio"
	"fmt"
	"math/rand/v2"
	"path/filepath"

	"github.com/cockroachdb/pebble/v2/vfs"
)

// file is written under a temporary name beside its own.
type file struct {
	*bufio.Writer
	fs         vfs.FS
	path, temp string
	f          vfs.File // nil once closed
	done       bool     // committed, or aborted
}

// Create returns a sink whose Commit makes path appear, whole and synced, in
// place of any file of that name. What exists and is no regular file (a device,
// a named pipe) is written to directly; a symbolic link keeps pointing where it
// does.
func Create(fs vfs.FS, path string) (Sink, error) {
	name := path
	if info, err := fs.Stat(path); err == nil {
		if info.IsDir() {
			return nil, fmt.Errorf("write %s: is a directory", name)
		}
		target, err := path, error(nil)
		if fs == vfs.Default {
			target, err = filepath.EvalSymlinks(path)
		}
		if !info.Mode().IsRegular() || err != nil { // open elsewhere, and perhaps without a name
			f, err := fs.OpenReadWrite(path, vfs.WriteCategoryUnspecified)
			if err != nil {
				return nil, wrap(name, err)
			}
			return newStream(name, f, f), nil
		}
		path = target
	}
	o := &file{fs: fs, path: path, temp: tempName(fs, path)}
	f, err := fs.Create(o.temp, vfs.WriteCategoryUnspecified)
	if err != nil {
		return nil, wrap(name, err)
	}
	o.f = f
	o.Writer = bufio.NewWriterSize(named{name, f}, bufferSize)
	return o, nil
}

// tempName is hidden, on the same file system, and nobody else's: another process may
// have the same number on another machine or in another container.
func tempName(fs vfs.FS, path string) string {
	return fs.PathJoin(fs.PathDir(path), fmt.Sprintf(".%s.%016x.tmp", fs.PathBase(path), rand.Uint64()))
}

func (o *file) Commit() error {
	if o.done {
		return nil
	}
	if err := o.commit(); err != nil {
		o.Abort()
		return err
	}
	o.done = true
	return nil
}

func (o *file) commit() error {
	if err := o.Flush(); err != nil {
		return err
	}
	if err := o.f.Sync(); err != nil {
		return wrap(o.path, err)
	}
	f := o.f
	o.f = nil
	// Closed before it is renamed: Windows renames no open file.
	if err := f.Close(); err != nil {
		return wrap(o.path, err)
	}
	if err := o.fs.Rename(o.temp, o.path); err != nil {
		return wrap(o.path, err)
	}
	// From here on the file is whole under its name; a directory that cannot be
	// synced is no reason to take it back.
	o.done = true
	dir, err := o.fs.OpenDir(o.fs.PathDir(o.path))
	if err != nil {
		return wrap(o.path, err)
	}
	err = dir.Sync()
	if e := dir.Close(); err == nil {
		err = e
	}
	return wrap(o.path, err)
}

func (o *file) Abort() {
	if o.done {
		return
	}
	o.done = true
	if o.f != nil {
		_ = o.f.Close()
		o.f = nil
	}
	_ = o.fs.Remove(o.temp)
}
