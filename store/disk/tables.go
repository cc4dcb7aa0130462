package disk

import (
	"errors"
	"strings"
	"sync"

	"github.com/cockroachdb/pebble/v2/objstorage/objstorageprovider"
	"github.com/cockroachdb/pebble/v2/sstable"
	"github.com/cockroachdb/pebble/v2/vfs"
)

// All data is written as sorted tables in STORE/load, and then ingested. STORE/load is on the store's file
// system, since the database links the tables.

// tableBytes is the size at which a table ends and the next one begins.
const tableBytes = 16 << 20

// bulk makes the tables of one change, for several goroutines.
type bulk struct {
	dir  Dir
	opts sstable.WriterOptions

	mu     sync.Mutex
	made   int
	tables []string // finished, but not yet ingested
}

// newTable creates the file of the next table.
func (b *bulk) newTable() (*sstable.Writer, string, error) {
	b.mu.Lock()
	b.made++
	path := b.dir.Join(tableName(uint64(b.made)))
	b.mu.Unlock()
	f, err := b.dir.FS.Create(path, vfs.WriteCategoryUnspecified)
	if err != nil {
		return nil, "", err
	}
	return sstable.NewWriter(objstorageprovider.NewFileWritable(f), b.opts), path, nil
}

// Table writes ascending keys into tables of about tableBytes each. It belongs to one goroutine. The key
// ranges of different Tables must not overlap.
type Table struct {
	b    *bulk
	w    *sstable.Writer
	path string
	puts int
}

// Put adds a key, which must be larger than all keys before. It copies key and value.
func (s *Table) Put(key, value []byte) (err error) {
	// EstimatedSize takes time, so it is called only at every 256th key.
	if s.puts++; s.puts%256 == 0 && s.w != nil && s.w.Raw().EstimatedSize() >= tableBytes {
		if err := s.Close(nil); err != nil {
			return err
		}
	}
	if s.w == nil {
		if s.w, s.path, err = s.b.newTable(); err != nil {
			return err
		}
	}
	return s.w.Set(key, value)
}

// Close ends the current table, syncs it and makes it ready for Ingest. If err is not nil, Close drops the
// table and returns err.
func (s *Table) Close(err error) error {
	w := s.w
	if s.w = nil; w == nil {
		return err
	}
	if cerr := w.Close(); err == nil {
		err = cerr
	}
	if err != nil {
		return err
	}
	s.b.mu.Lock()
	defer s.b.mu.Unlock()
	s.b.tables = append(s.b.tables, s.path)
	return nil
}

// Load returns the directory for a change's temporary files. At the end of the change, only files with
// KeptPrefix can stay.
func (d Dir) Load() Dir { return Dir{d.FS, d.Join(loadName)} }

// removeLoad removes STORE/load, or only the files in it that no resumed run needs.
func (d Dir) removeLoad(keep bool) error {
	load := d.Load()
	names, err := d.FS.List(load.Path)
	if !keep || err != nil || isLink(d.FS, load.Path) {
		return RemoveAll(d.FS, load.Path)
	}
	kept := 0
	for _, name := range names {
		if strings.HasPrefix(name, KeptPrefix) {
			kept++
			continue
		}
		err = errors.Join(err, RemoveAll(d.FS, load.Join(name)))
	}
	if kept == 0 && err == nil {
		err = d.FS.Remove(load.Path)
	}
	return err
}
