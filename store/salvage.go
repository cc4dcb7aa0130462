package store

import (
	"context"
	"errors"
	"io/fs"
	"slices"
	"strings"

	"github.com/cockroachdb/pebble/v2/vfs"
)

// Old opens the store that an Overwrite replaces, to read from. The caller closes it
// before Commit. It is ErrNotStore where there is none.
func (w *Writer) Old() (*Store, error) {
	if w.targetLock == nil {
		return nil, &Error{Dir: w.target, Kind: ErrNotStore}
	}
	sealed, err := readSeal(w.fs, w.target)
	if err != nil {
		return nil, err
	}
	return open(w.target, sealed, w.opts.Options)
}

// withMeta reads meta, and closes s where it cannot.
func (s *Store) withMeta() (*Store, error) {
	var err error
	if s.meta, err = s.readMeta(); err != nil {
		return nil, errors.Join(err, s.Close())
	}
	return s, nil
}

// Salvage is Old for a store that is damaged. It reads the tables alone, so that it
// needs neither the database's own files nor each table: lost is told of those that
// are missing or cannot be read at all. Where meta is lost, its copy is used. Whatever
// lies in a damaged block is ErrDamaged when it is read. What the store returned says of
// its directory is not to be used.
//
// Which tables count is in the seal. Where there is none, as a writer was killed or
// the seal is damaged, all do: those made last come first.
func (w *Writer) Salvage(lost func(error)) (*Store, error) {
	if w.targetLock == nil {
		return nil, &Error{Dir: w.target, Kind: ErrNotStore}
	}
	sealed, err := readSeal(w.fs, w.target)
	if errors.Is(err, ErrVersion) {
		return nil, err
	}
	tables, err := w.tablesOf(sealed)
	if err != nil {
		return nil, err
	}
	links, database := w.fs.PathJoin(w.bulk.dir, "links"), w.fs.PathJoin(w.bulk.dir, "salvage")
	if err := errors.Join(w.fs.MkdirAll(links, 0o777), w.fs.MkdirAll(database, 0o777)); err != nil {
		return nil, err
	}
	s, err := openDatabase(database, nil, viewOf(w.fs, database, &seal{}), w.opts.Options, false)
	if err != nil {
		return nil, err
	}
	s.dir = w.target // in what is said of it
	for _, name := range tables {
		if err := w.salvageTable(s, name, w.fs.PathJoin(links, name)); err != nil {
			if s.fatal.broken() || !errors.Is(err, ErrDamaged) {
				return nil, errors.Join(err, s.Close())
			}
			lost(err)
		}
	}
	if s.meta, err = s.readMeta(); errors.Is(err, ErrDamaged) {
		if m := metaFromCopy(w.fs, w.target, sealed); m != nil {
			s.meta, err = m, nil
		}
	}
	if err != nil {
		return nil, errors.Join(err, s.Close())
	}
	return s, nil
}

// tablesOf lists the tables that count, oldest first.
func (w *Writer) tablesOf(sealed *seal) (tables []string, err error) {
	if sealed != nil && sealed.sealed {
		for _, f := range sealed.files {
			tables = append(tables, f.name)
		}
	} else if tables, err = w.fs.List(w.target); err != nil {
		return nil, err
	}
	tables = slices.DeleteFunc(tables, func(name string) bool {
		return !isDataName(name) || !strings.HasSuffix(name, ".sst")
	})
	slices.SortFunc(tables, func(a, b string) int { // numbers of at least six digits
		if len(a) != len(b) {
			return len(a) - len(b)
		}
		return strings.Compare(a, b)
	})
	return tables, nil
}

// salvageTable takes a table into a database, by a link that the database then takes
// for its own.
func (w *Writer) salvageTable(s *Store, name, link string) error {
	err := vfs.LinkOrCopy(w.fs, w.fs.PathJoin(w.target, name), link)
	if errors.Is(err, fs.ErrNotExist) {
		return damaged(w.target, name+" is missing", nil)
	}
	if err != nil {
		return err
	}
	err = s.fatal.do(func() error { return s.db.Ingest(context.Background(), []string{link}) })
	if err != nil && !s.fatal.broken() {
		err = openError(w.target, err)
	}
	return err
}
