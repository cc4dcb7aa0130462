package disk

import (
	"context"
	"errors"
	"fmt"
	"strings"
	"sync"

	"github.com/cockroachdb/pebble/v2"
	"github.com/cockroachdb/pebble/v2/objstorage/objstorageprovider"
	"github.com/cockroachdb/pebble/v2/sstable"
	"github.com/cockroachdb/pebble/v2/vfs"
)

// Everything is written as sorted tables in STORE/load, on the file system of the
// store because the database links them into place, and ingested.

// tableBytes is the size at which a table ends and the next begins.
const tableBytes = 16 << 20

// bulk makes the tables of one change. It is shared by goroutines.
type bulk struct {
	dir  Dir
	opts sstable.WriterOptions

	mu     sync.Mutex
	made   int
	tables []string // whole, not yet ingested
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

// Table writes ascending keys into tables of about tableBytes. It belongs
// to one goroutine; no other writer may write keys between its first and its last.
type Table struct {
	b    *bulk
	w    *sstable.Writer
	path string
	puts int
}

// Table begins to write keys, which Ingest makes part of the database. It may be called from
// any goroutine.
func (c *Change) Table() *Table { return &Table{b: c.bulk} }

// Put adds a key, above all before. It copies both.
func (s *Table) Put(key, value []byte) (err error) {
	// EstimatedSize is not free: it is asked now and then.
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

// Close ends the current table, syncs it and hands it over. Where err is not nil it gives the
// table up, whose file goes with the change, and returns err.
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

// Ingest makes the tables that are whole part of the database, in one step. The keys with
// lo ≤ key < hi go in the same step; none where lo is nil.
func (c *Change) Ingest(lo, hi []byte) error {
	c.bulk.mu.Lock()
	tables := c.bulk.tables
	c.bulk.tables = nil
	c.bulk.mu.Unlock()
	if len(tables) == 0 {
		return nil
	}
	err := c.db.fatal.do(func() error {
		_, err := c.db.db.IngestAndExcise(context.Background(), tables, nil, nil, pebble.KeyRange{Start: lo, End: hi})
		return err
	})
	if err != nil {
		return fmt.Errorf("%s: ingest: %w", c.Path, err)
	}
	return nil
}

// Excise deletes the keys with lo ≤ key < hi, if there are any. Tables that hold nothing else
// are dropped whole.
func (c *Change) Excise(lo, hi []byte) error {
	some, err := c.db.Some(lo, hi)
	if err != nil || !some {
		return err
	}
	return c.db.fatal.do(func() error {
		return c.db.db.Excise(context.Background(), pebble.KeyRange{Start: lo, End: hi})
	})
}

// Load is where a change has its tables and other files of its own. They are gone when it ends, but for
// those with KeptPrefix where Options.Keep is set and it does not commit.
func (d Dir) Load() Dir { return Dir{d.FS, d.Join(loadName)} }

// removeLoad removes STORE/load, where it is there; with keep, all in it but what a run
// that is resumed goes on from.
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
