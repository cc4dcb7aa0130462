package store

import (
	"errors"
	"io/fs"
	"maps"
	"slices"
	"strings"
	"sync"

	"github.com/cockroachdb/pebble/v2/vfs"
)

// view is the file system as one who uses a store sees it: of the data files in its
// directory, those of one state. A state is a set of files that do not change any
// more, named by a seal, or all files in a directory without one.
//
// A reader lists the files of the state that it opened and no other. So does a
// writer, which adds to them: what it removes of the state that it began with is gone
// from its own list only, and a file of that state is never written to. Until it
// seals the files of its list, the old state is there untouched.
type view struct {
	vfs.FS
	dir string

	mu    sync.Mutex
	files map[string]bool // of the state
	own   map[string]bool // files that go from disk when they are removed
	spent map[string]bool // tables of no state, whose numbers must not be given again
	ended bool
}

// viewOf returns the view of the state that s names, with no files of its own.
func viewOf(f vfs.FS, dir string, s *seal) *view {
	v := &view{FS: f, dir: f.PathJoin(dir), files: map[string]bool{}, own: map[string]bool{}}
	for _, e := range s.files {
		v.files[e.name] = true
	}
	return v
}

// viewOfDir returns the view of all files in dir.
func viewOfDir(f vfs.FS, dir string) (*view, error) {
	v := viewOf(f, dir, &seal{})
	names, err := f.List(dir)
	for _, name := range names {
		if isDataName(name) {
			v.files[name] = true
		}
	}
	return v, err
}

// takeOver makes the files of the state its own.
func (v *view) takeOver() { v.own = maps.Clone(v.files) }

// spare takes note of the tables that no seal names and that lie there all the same:
// of a writer that was killed, or kept for a reader.
func (v *view) spare() error {
	names, err := v.FS.List(v.dir)
	v.spent = map[string]bool{}
	for _, name := range names {
		if strings.HasSuffix(name, ".sst") && isDataName(name) && !v.files[name] {
			v.spent[name] = true
		}
	}
	return err
}

// names returns the files of the state in order.
func (v *view) names() []string {
	v.mu.Lock()
	defer v.mu.Unlock()
	return slices.Sorted(maps.Keys(v.files))
}

// end ends the use of the view: nothing can be written through it any more, also not
// by a database that gave up and cannot be closed. With discard, the files that were
// written go, as far as they can be removed; others are left to the next writer.
func (v *view) end(discard bool) {
	v.mu.Lock()
	defer v.mu.Unlock()
	v.ended = true
	if !discard {
		return
	}
	for name := range v.own {
		_ = v.FS.Remove(v.PathJoin(v.dir, name))
	}
}

// errEnded is what a view returns whose writer is closed.
var errEnded = errors.New("the writer is closed")

// data returns the name of the data file that path is, if it is one of the directory.
func (v *view) data(path string) (name string, ok bool) {
	name = v.PathBase(path)
	return name, v.PathDir(v.PathJoin(path)) == v.dir && isDataName(name)
}

// make calls f, which makes the file path.
func (v *view) make(path string, f func() error) error {
	v.mu.Lock()
	defer v.mu.Unlock()
	if v.ended {
		return &fs.PathError{Op: "create", Path: path, Err: errEnded}
	}
	name, ok := v.data(path)
	if ok && v.files[name] && !v.own[name] {
		return &fs.PathError{Op: "create", Path: path, Err: fs.ErrExist}
	}
	err := f()
	if ok && err == nil {
		v.files[name], v.own[name] = true, true
	}
	return err
}

// Create is part of vfs.FS.
func (v *view) Create(path string, c vfs.DiskWriteCategory) (f vfs.File, err error) {
	err = v.make(path, func() error {
		f, err = v.FS.Create(path, c)
		return err
	})
	return f, err
}

// Link is part of vfs.FS.
func (v *view) Link(from, to string) error {
	return v.make(to, func() error { return v.FS.Link(from, to) })
}

// Rename is part of vfs.FS. No file of the state that was there is ever renamed.
func (v *view) Rename(from, to string) error {
	return v.make(to, func() error {
		name, ok := v.data(from)
		if ok && !v.own[name] {
			return &fs.PathError{Op: "rename", Path: from, Err: fs.ErrPermission}
		}
		err := v.FS.Rename(from, to)
		if ok && err == nil {
			delete(v.files, name)
			delete(v.own, name)
		}
		return err
	})
}

// ReuseForWrite is part of vfs.FS: a new file, as what is reused might be read.
func (v *view) ReuseForWrite(from, to string, c vfs.DiskWriteCategory) (vfs.File, error) {
	f, err := v.Create(to, c)
	if err != nil {
		return nil, err
	}
	if err := v.Remove(from); err != nil {
		return nil, errors.Join(err, f.Close())
	}
	return f, nil
}

// Remove is part of vfs.FS.
func (v *view) Remove(path string) error {
	v.mu.Lock()
	defer v.mu.Unlock()
	if v.ended {
		return &fs.PathError{Op: "remove", Path: path, Err: errEnded}
	}
	name, ok := v.data(path)
	if ok && !v.own[name] {
		delete(v.files, name)
		return nil
	}
	err := v.FS.Remove(path)
	if ok && err == nil {
		delete(v.files, name)
		delete(v.own, name)
	}
	return err
}

// List is part of vfs.FS. The database gives no table the number of one that it lists.
func (v *view) List(dir string) ([]string, error) {
	if v.PathJoin(dir) != v.dir {
		return v.FS.List(dir)
	}
	return append(v.names(), slices.Sorted(maps.Keys(v.spent))...), nil
}

// Unwrap is part of vfs.FS.
func (v *view) Unwrap() vfs.FS { return v.FS }
