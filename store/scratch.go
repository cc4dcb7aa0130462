package store

import "github.com/cockroachdb/pebble/v2/vfs"

// CreateScratch creates a file for the run's own use, beside the tables it makes;
// it is gone when the writer is closed. Names must not end in .sst. It may be
// called from any goroutine.
func (w *Writer) CreateScratch(name string) (vfs.File, error) {
	return w.fs.Create(w.fs.PathJoin(w.bulk.dir, name), vfs.WriteCategoryUnspecified)
}

// OpenScratch opens such a file for reading, from any goroutine.
func (w *Writer) OpenScratch(name string) (vfs.File, error) {
	return w.fs.Open(w.fs.PathJoin(w.bulk.dir, name), vfs.SequentialReadsOption)
}

// keptPrefix begins the names of kept files.
const keptPrefix = "kept-"

// CreateKept is CreateScratch for a file that stays where the run is killed, or aborted
// with Keep, until a writer begins without Resume. Nothing in it is synced: whoever
// goes on from it must be able to tell that it is whole. It may be called from any goroutine.
func (w *Writer) CreateKept(name string) (vfs.File, error) { return w.CreateScratch(keptPrefix + name) }

// OpenKept opens a kept file for reading, from any goroutine.
func (w *Writer) OpenKept(name string) (vfs.File, error) { return w.OpenScratch(keptPrefix + name) }

// RemoveKept removes a kept file, which need not be there.
func (w *Writer) RemoveKept(name string) error {
	return removeFile(w.fs, w.fs.PathJoin(w.bulk.dir, keptPrefix+name))
}

// ScratchDir returns the file system and a path, for a directory beside such files: it
// is the caller's to make, and gone when the writer is closed.
func (w *Writer) ScratchDir(name string) (vfs.FS, string) {
	return w.fs, w.fs.PathJoin(w.bulk.dir, name)
}
