package output

import (
	"bufio"
	"fmt"
	"io"
	"math/rand/v2"

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
	to, direct, err := place(fs, path)
	if err != nil {
		return nil, err
	}
	if direct != nil {
		return newStream(path, direct, direct), nil
	}
	o := &file{fs: fs, path: to, temp: tempName(fs, to)}
	f, err := fs.Create(o.temp, vfs.WriteCategoryUnspecified)
	if err != nil {
		return nil, wrap(path, err)
	}
	o.f = f
	o.Writer = bufio.NewWriterSize(named{path, f}, bufferSize)
	return o, nil
}

// CreateLog returns a writer whose every write is in the file at once: a run that is killed
// leaves what it has said. Devices, named pipes and links are as with Create.
func CreateLog(fs vfs.FS, path string) (io.WriteCloser, error) {
	to, f, err := place(fs, path)
	if err == nil && f == nil {
		f, err = fs.Create(to, vfs.WriteCategoryUnspecified)
	}
	return f, wrap(path, err)
}

// place says where an output goes that is named path: a regular file to a path without links,
// which need not exist; all else to the open file direct.
func place(fs vfs.FS, path string) (to string, direct vfs.File, err error) {
	if vfs.Root(fs) == vfs.Default {
		to = target(path)
	} else {
		to = path
	}
	info, err := fs.Stat(path)
	switch {
	case err != nil:
		return to, nil, nil
	case info.IsDir():
		return "", nil, fmt.Errorf("write %s: is a directory", path)
	}
	_, err = fs.Stat(to)
	if info.Mode().IsRegular() && err == nil {
		return to, nil, nil
	}
	// A device, or an open file that has no name any more.
	direct, err = fs.OpenReadWrite(path, vfs.WriteCategoryUnspecified)
	return "", direct, wrap(path, err)
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
