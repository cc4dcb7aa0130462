package disk

import (
	"errors"
	"fmt"
	"io"
	"io/fs"
	"maps"
	"math"
	"runtime"
	"slices"
	"strings"
	"sync"

	"github.com/cockroachdb/pebble/v2"
	"github.com/cockroachdb/pebble/v2/vfs"
)

// view is the file system that the database of a store sees. It shows only the data files of one state. A
// writer adds files with larger numbers. If the writer removes an older file, the file only disappears from
// the view.
type view struct {
	vfs.FS
	dir  string
	from uint64 // the writer's own files have numbers ≥ from

	mu    sync.Mutex
	files map[string]bool // the files of the state
	ended bool

	fatal *fatalities // of the database that uses the view
}

// viewOf returns a view that shows these files. The writer's own files have the numbers [from, ∞).
func (d Dir) viewOf(files []File, from uint64) *view {
	v := &view{FS: d.FS, dir: d.FS.PathJoin(d.Path), from: from, files: map[string]bool{}}
	for _, e := range files {
		v.files[e.Name] = true
	}
	return v
}

// fromReaders is view.from for readers: no file has such a number.
const fromReaders = math.MaxUint64

// isOwn says whether a data file was made by this writer.
func (v *view) isOwn(name string) bool { return numberOf(name) >= v.from }

// fileNames returns the names of the state's files, in order.
func (v *view) fileNames() []string {
	v.mu.Lock()
	defer v.mu.Unlock()
	return slices.Sorted(maps.Keys(v.files))
}

// end makes the view read-only, so that a database that failed and cannot be closed cannot write any more.
func (v *view) end() {
	v.mu.Lock()
	defer v.mu.Unlock()
	v.ended = true
}

// errEnded is the error of a write after end.
var errEnded = errors.New("the writer is closed")

// dataName returns the name of the data file at path. ok is false if path is no data file of the directory.
func (v *view) dataName(path string) (name string, ok bool) {
	name = v.PathBase(path)
	return name, v.PathDir(v.PathJoin(path)) == v.dir && isDataName(name)
}

// makeFile calls f, which makes the file at path, and adds the file to the view.
func (v *view) makeFile(path string, f func() error) error {
	v.mu.Lock()
	defer v.mu.Unlock()
	if v.ended {
		return &fs.PathError{Op: "create", Path: path, Err: errEnded}
	}
	name, ok := v.dataName(path)
	if ok && !v.isOwn(name) {
		return &fs.PathError{Op: "create", Path: path, Err: fs.ErrExist}
	}
	err := f()
	if ok && err == nil {
		v.files[name] = true
	}
	return err
}

// Create syncs the directory before it makes a marker file, which names the manifest to read. Otherwise a
// crash could leave the marker without the manifest.
func (v *view) Create(path string, c vfs.DiskWriteCategory) (f vfs.File, err error) {
	err = v.makeFile(path, func() error {
		if strings.HasPrefix(v.PathBase(path), "marker.") {
			if err := (Dir{v.FS, v.dir}).Sync(); err != nil {
				return err
			}
		}
		f, err = v.FS.Create(path, c)
		return err
	})
	return f, err
}

// Lock does nothing, since this package has locked the store already.
func (v *view) Lock(string) (io.Closer, error) { return io.NopCloser(nil), nil }

// OpenDir opens a directory. If syncing it fails, Sync ends the goroutine before the database can panic.
func (v *view) OpenDir(name string) (vfs.File, error) {
	f, err := v.FS.OpenDir(name)
	if err != nil {
		return nil, err
	}
	return databaseDir{f, v.fatal}, nil
}

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

func (v *view) Link(from, to string) error {
	return v.makeFile(to, func() error { return v.FS.Link(from, to) })
}

// Rename refuses to rename a file of an older state.
func (v *view) Rename(from, to string) error {
	return v.makeFile(to, func() error {
		name, ok := v.dataName(from)
		if ok && !v.isOwn(name) {
			return &fs.PathError{Op: "rename", Path: from, Err: fs.ErrPermission}
		}
		err := v.FS.Rename(from, to)
		if ok && err == nil {
			delete(v.files, name)
		}
		return err
	})
}

// ReuseForWrite makes a new file, since a reader might read the file to be reused.
func (v *view) ReuseForWrite(_, to string, c vfs.DiskWriteCategory) (vfs.File, error) {
	return v.Create(to, c)
}

func (v *view) Remove(path string) error {
	v.mu.Lock()
	defer v.mu.Unlock()
	if v.ended {
		return &fs.PathError{Op: "remove", Path: path, Err: errEnded}
	}
	name, ok := v.dataName(path)
	if ok && !v.isOwn(name) {
		delete(v.files, name)
		return nil
	}
	err := v.FS.Remove(path)
	if ok && err == nil {
		delete(v.files, name)
	}
	return err
}

// List returns the names of the files in dir. For a writer, it adds the table with the number v.from-1, which
// need not exist, so that the database numbers new files from v.from on.
func (v *view) List(dir string) ([]string, error) {
	if v.PathJoin(dir) != v.dir {
		return v.FS.List(dir)
	}
	names := v.fileNames()
	if last := tableName(v.from - 1); v.from > 1 && v.from != fromReaders && !slices.Contains(names, last) {
		names = append(names, last)
	}
	return names, nil
}

func (v *view) Unwrap() vfs.FS { return v.FS }

// seed makes the files of an empty database, numbered from v.from on. The database itself would begin with 1.
func (v *view) seed() error {
	mem := vfs.NewMem()
	fatal := newFatalities()
	o := databaseOptions(mem, fatal, false)
	o.ErrorIfNotExists = false
	err := fatal.catch(func() error {
		db, err := pebble.Open("", o)
		if err != nil {
			return err
		}
		return db.Close()
	})
	if err != nil {
		return fmt.Errorf("%s: database: %w", v.dir, err)
	}
	manifest, err := Dir{mem, ""}.read("MANIFEST-000001")
	if err != nil {
		return err
	}
	name := fmt.Sprintf("MANIFEST-%06d", v.from)
	err = writeFile(v, v.PathJoin(v.dir, name), manifest)
	for _, marker := range []string{
		fmt.Sprintf("marker.format-version.%06d.%s", v.from, databaseFormat),
		"marker.manifest.000001." + name,
	} {
		err = errors.Join(err, writeFile(v, v.PathJoin(v.dir, marker), nil))
	}
	return errors.Join(err, (Dir{v.FS, v.dir}).Sync())
}
