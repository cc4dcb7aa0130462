package store

import (
	"errors"
	"fmt"
	"strings"
	"sync"

	"github.com/cockroachdb/pebble/v2/objstorage/objstorageprovider"
	"github.com/cockroachdb/pebble/v2/sstable"
	"github.com/cockroachdb/pebble/v2/vfs"

	"fstore/store/scratchdir"
)

// Everything is written as sorted tables in STORE/load, on the file system of the
// store because the database links them into place, and ingested.
const loadName = "load"

// tableBytes is the size at which a table ends and the next begins.
const tableBytes = 16 << 20

// bulk makes the tables of one run. It is shared by goroutines.
type bulk struct {
	fs   vfs.FS
	dir  string
	opts sstable.WriterOptions

	mu     sync.Mutex
	made   int
	tables []string // whole, not yet ingested
}

// newTable creates the file of the next table.
func (b *bulk) newTable() (*sstable.Writer, string, error) {
	b.mu.Lock()
	b.made++
	path := b.fs.PathJoin(b.dir, fmt.Sprintf("%06d.sst", b.made))
	b.mu.Unlock()
	f, err := b.fs.Create(path, vfs.WriteCategoryUnspecified)
	if err != nil {
		return nil, "", err
	}
	return sstable.NewWriter(objstorageprovider.NewFileWritable(f), b.opts), path, nil
}

// take returns the whole tables for ingestion and forgets them.
func (b *bulk) take() []string {
	b.mu.Lock()
	defer b.mu.Unlock()
	t := b.tables
	b.tables = nil
	return t
}

// sortedWriter writes ascending keys into tables of about tableBytes. It belongs
// to one goroutine; no other writer may write keys between its first and its last.
type sortedWriter struct {
	b    *bulk
	w    *sstable.Writer
	path string
	puts int
}

func (b *bulk) sorted() *sortedWriter { return &sortedWriter{b: b} }

// put adds a key, above all before. It copies both.
func (s *sortedWriter) put(key, value []byte) (err error) {
	// EstimatedSize is not free: it is asked now and then.
	if s.puts++; s.puts%256 == 0 && s.w != nil && s.w.Raw().EstimatedSize() >= tableBytes {
		if err := s.close(); err != nil {
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

// close ends the current table, syncs it and hands it over.
func (s *sortedWriter) close() error {
	if s.w == nil {
		return nil
	}
	err := s.w.Close()
	s.w = nil
	if err != nil {
		return err
	}
	s.b.mu.Lock()
	defer s.b.mu.Unlock()
	s.b.tables = append(s.b.tables, s.path)
	return nil
}

// abandon gives up the current table, whose file the run's end removes.
func (s *sortedWriter) abandon() {
	if s.w != nil {
		_ = s.w.Close()
		s.w = nil
	}
}

// removeLoad removes STORE/load, where it is there; with keep, all in it but what a run
// that is resumed goes on from.
func removeLoad(f vfs.FS, dir string, keep bool) error {
	load := f.PathJoin(dir, loadName)
	names, err := f.List(load)
	if !keep || err != nil || isLink(f, load) {
		return scratchdir.RemoveAll(f, load)
	}
	kept := 0
	for _, name := range names {
		if strings.HasPrefix(name, keptPrefix) {
			kept++
			continue
		}
		err = errors.Join(err, scratchdir.RemoveAll(f, f.PathJoin(load, name)))
	}
	if kept == 0 && err == nil {
		err = f.Remove(load)
	}
	return err
}
