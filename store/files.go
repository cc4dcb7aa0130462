package store

import (
	"errors"
	"fmt"
	"slices"

	"github.com/cockroachdb/pebble/v2/vfs"
	"github.com/zeebo/xxh3"

	"fstore/store/disk"
)

// File is the file of an expansion index while it is written. Before Commit, the caller must close it and set
// SpaceInfo.Expansion or SelectionInfo.Expansion to its name.
type File struct {
	w    *Writer
	f    vfs.File
	sum  *xxh3.Hasher
	info FileInfo
}

// Name returns the name for SpaceInfo.Expansion or SelectionInfo.Expansion.
func (f *File) Name() string { return f.info.Name }

// Write appends b to the file.
func (f *File) Write(b []byte) (int, error) {
	_, _ = f.sum.Write(b) // hash first: the file system may change b
	n, err := f.f.Write(b)
	f.info.Size += int64(n)
	return n, err
}

// Close syncs the file and closes it. Only a closed file can be committed.
func (f *File) Close() error {
	if err := errors.Join(f.f.Sync(), f.f.Close()); err != nil {
		return err
	}
	f.info.Sum = f.sum.Sum64()
	f.w.created[f.info.Name] = f.info
	return nil
}

// CreateExpansion creates the file for an expansion index, under a new name.
func (w *Writer) CreateExpansion() (*File, error) {
	name := disk.ExpansionName(w.meta.Generation, w.expansions)
	w.expansions++
	f, err := w.change.Create(name)
	if err != nil {
		return nil, err
	}
	return &File{w: w, f: f, sum: xxh3.New(), info: FileInfo{Name: name}}, nil
}

// nameFiles fills in Meta.Files, and makes the file names durable.
func (w *Writer) nameFiles() error {
	var files []FileInfo
	for _, name := range w.meta.files() {
		info, ok := w.created[name]
		if !ok {
			return fmt.Errorf("%s: meta names %q, which was not created or not closed", w.change.Path, name)
		}
		files = append(files, info)
	}
	w.meta.Files = files
	return w.change.Sync()
}

// deadFiles returns the names of expansion indexes that m does not list.
func (m *Meta) deadFiles(names []string) []string {
	live := m.files()
	return slices.DeleteFunc(names, func(name string) bool { return !disk.IsExpansionName(name) || slices.Contains(live, name) })
}
