// Package scratchdir is a directory for a run's own files, which do not outlive it. It imports the
// file system only.
package scratchdir

import (
	"errors"
	"io/fs"

	"github.com/cockroachdb/pebble/v2/vfs"
)

// Dir is a directory that does not exist before a file in it is created, nor after Remove.
type Dir struct {
	FS   vfs.FS
	Path string

	made bool
}

// Create makes a file.
func (d *Dir) Create(name string) (vfs.File, error) {
	if !d.made {
		if err := d.FS.MkdirAll(d.Path, 0o700); err != nil {
			return nil, err
		}
		d.made = true
	}
	return d.FS.Create(d.FS.PathJoin(d.Path, name), vfs.WriteCategoryUnspecified)
}

// Open opens a file for reading.
func (d *Dir) Open(name string, how vfs.OpenOption) (vfs.File, error) {
	return d.FS.Open(d.FS.PathJoin(d.Path, name), how)
}

// Remove removes what was made; it may be called again.
func (d *Dir) Remove() error {
	if !d.made {
		return nil
	}
	err := RemoveDir(d.FS, d.Path)
	d.made = err != nil
	return err
}

// RemoveDir removes a directory that the program has made, with what is in it.
func RemoveDir(f vfs.FS, path string) error {
	names, err := f.List(path)
	for _, name := range names {
		err = errors.Join(err, RemoveAll(f, f.PathJoin(path, name)))
	}
	return errors.Join(err, f.Remove(path))
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
