package disk

import (
	"io"
	"runtime"
	"strings"

	"github.com/cockroachdb/pebble/v2/vfs"
)

// databaseFS is a view as the database sees it.
type databaseFS struct {
	vfs.FS
	fatal *fatalities
}

// Lock does nothing: this package holds the lock.
func (databaseFS) Lock(string) (io.Closer, error) { return nopCloser{}, nil }

// Create syncs the directory before a marker is made in it. A marker names the
// manifest to read; the database syncs both names at once, so that after a crash
// a file system that orders nothing could have the marker and not the manifest.
func (d databaseFS) Create(name string, c vfs.DiskWriteCategory) (vfs.File, error) {
	if strings.HasPrefix(d.PathBase(name), "marker.") {
		if err := (Dir{d.FS, d.PathDir(name)}).Sync(); err != nil {
			return nil, err
		}
	}
	return d.FS.Create(name, c)
}

// OpenDir returns a directory whose Sync is fatal where it fails: the database
// would panic, and that in a goroutine of its own.
func (d databaseFS) OpenDir(name string) (vfs.File, error) {
	f, err := d.FS.OpenDir(name)
	if err != nil {
		return nil, err
	}
	return databaseDir{f, d.fatal}, nil
}

// Unwrap is part of vfs.FS.
func (d databaseFS) Unwrap() vfs.FS { return d.FS }

type databaseDir struct {
	vfs.File
	fatal *fatalities
}

func (d databaseDir) Sync() error {
	if err := d.File.Sync(); err != nil {
		d.fatal.die(err)
		runtime.Goexit()
	}
	return nil
}
