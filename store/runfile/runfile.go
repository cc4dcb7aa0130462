// Package runfile has the files of a run: temporary files for data that memory does not hold (Dir, Sorter),
// and files that a resumed run needs (File, states). It knows a file system and a directory, but no store.
// Every file goes through vfs.FS. It imports package disk.
package runfile

import (
	"bufio"
	"errors"
	"io"

	"github.com/cockroachdb/pebble/v2/vfs"

	"fstore/store/disk"
)

// Dir is a directory for temporary files. It is made when its first file is created. Remove deletes it.
type Dir struct {
	FS   vfs.FS
	Path string

	made bool
	up   *Dir // parent directory, for a directory that Sub returned
}

// In returns a Dir for an existing directory. Any goroutine may call the methods of this Dir.
func In(fs vfs.FS, path string) *Dir { return &Dir{FS: fs, Path: path, made: true} }

// Sub returns a directory in d.
func (d *Dir) Sub(name string) *Dir { return &Dir{FS: d.FS, Path: d.join(name), up: d} }

func (d *Dir) disk() disk.Dir { return disk.Dir{FS: d.FS, Path: d.Path} }

func (d *Dir) join(name string) string { return d.disk().Join(name) }

// Create creates a file in the directory.
func (d *Dir) Create(name string) (vfs.File, error) {
	if err := d.make(); err != nil {
		return nil, err
	}
	return d.FS.Create(d.join(name), vfs.WriteCategoryUnspecified)
}

func (d *Dir) make() error {
	if d.made {
		return nil
	}
	if d.up != nil {
		if err := d.up.make(); err != nil {
			return err
		}
	}
	err := d.FS.MkdirAll(d.Path, 0o700)
	d.made = err == nil
	return err
}

// Open opens a file for reading.
func (d *Dir) Open(name string, how vfs.OpenOption) (vfs.File, error) {
	return d.FS.Open(d.join(name), how)
}

// Remove removes the directory with all its files. It may be called again.
func (d *Dir) Remove() error {
	if !d.made {
		return nil
	}
	names, err := d.FS.List(d.Path)
	for _, name := range names {
		err = errors.Join(err, disk.RemoveAll(d.FS, d.join(name)))
	}
	err = errors.Join(err, d.FS.Remove(d.Path))
	d.made = err != nil
	return err
}

// reader returns a buffered reader of a file. The struct hides from bufio that f has other methods than Read.
func reader(f vfs.File, buffer int) *bufio.Reader {
	return bufio.NewReaderSize(struct{ io.Reader }{f}, buffer)
}
