package store

import (
	"cmp"
	"context"
	"errors"
	"io/fs"
	"slices"
	"strings"

	"github.com/cockroachdb/pebble/v2/vfs"
)

// Old opens the store that an Overwrite replaces, to read from. It is ErrNotStore where there
// is none.
func (w *Writer) Old() (*Store, error) {
	if w.there != aStore {
		return nil, &Error{Dir: w.dir, Kind: ErrNotStore}
	}
	if w.baseErr != nil {
		return nil, w.baseErr
	}
	return open(w.dir, w.base, w.opts.Options)
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
// Which tables count is in the seal. Where that is damaged, it is in the newest copy of meta;
// where there is none of format 2, all tables do: those made last come first.
func (w *Writer) Salvage(lost func(error)) (*Store, error) {
	if w.there != aStore {
		return nil, &Error{Dir: w.dir, Kind: ErrNotStore}
	}
	if errors.Is(w.baseErr, ErrVersion) {
		return nil, w.baseErr
	}
	tables, err := w.oldTables()
	if err != nil {
		return nil, err
	}
	links, database := w.fs.PathJoin(w.bulk.dir, "links"), w.fs.PathJoin(w.bulk.dir, "salvage")
	if err := errors.Join(w.fs.MkdirAll(links, 0o777), w.fs.MkdirAll(database, 0o777)); err != nil {
		return nil, err
	}
	v := viewOf(w.fs, database, nil, 1)
	if err := v.seed(); err != nil {
		return nil, err
	}
	s, err := openDatabase(database, nil, v, w.opts.Options, false)
	if err != nil {
		return nil, err
	}
	s.dir = w.dir // in what is said of it
	for _, name := range tables {
		if err := w.salvageTable(s, name, w.fs.PathJoin(links, name)); err != nil {
			if s.fatal.broken() || !errors.Is(err, ErrDamaged) {
				return nil, errors.Join(err, s.Close())
			}
			lost(err)
		}
	}
	if s.meta, err = s.readMeta(); errors.Is(err, ErrDamaged) {
		if m := w.oldMeta(); m != nil {
			s.meta, err = m, nil
		}
	}
	if err != nil {
		return nil, errors.Join(err, s.Close())
	}
	return s, nil
}

// oldMeta is the newest copy of the old store's meta, nil where there is none.
func (w *Writer) oldMeta() *Meta {
	if w.baseErr != nil {
		return metaFromCopy(w.fs, w.dir, nil)
	}
	return metaFromCopy(w.fs, w.dir, w.base)
}

// oldTables lists the old store's tables that count, oldest first.
func (w *Writer) oldTables() (tables []string, err error) {
	m := w.oldMeta()
	switch {
	case w.baseErr == nil:
		for _, f := range w.base.files {
			tables = append(tables, f.name)
		}
	case m != nil && m.Tables != nil:
		tables = m.Tables
	default:
		tables, err = w.fs.List(w.dir)
		tables = slices.DeleteFunc(tables, func(name string) bool { return numberOf(name) >= min(w.from, w.oldEnd) })
	}
	tables = slices.DeleteFunc(tables, func(name string) bool { return !isDataName(name) || !strings.HasSuffix(name, ".sst") })
	slices.SortFunc(tables, func(a, b string) int { return cmp.Compare(numberOf(a), numberOf(b)) })
	return tables, err
}

// salvageTable takes a table into a database, by a link that the database then takes
// for its own.
func (w *Writer) salvageTable(s *Store, name, link string) error {
	err := vfs.LinkOrCopy(w.fs, w.fs.PathJoin(w.dir, name), link)
	if errors.Is(err, fs.ErrNotExist) {
		return damaged(w.dir, name+" is missing", nil)
	}
	if err != nil {
		return err
	}
	err = s.fatal.do(func() error { return s.db.Ingest(context.Background(), []string{link}) })
	if err != nil && !s.fatal.broken() {
		err = openError(w.dir, err)
	}
	return err
}
