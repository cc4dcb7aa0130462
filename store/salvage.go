package store

import (
	"errors"

	"fstore/store/disk"
)

// Old opens the store that an Overwrite replaces, for reading. It returns ErrNotStore if there is no such
// store.
func (w *Writer) Old() (*Store, error) {
	db, err := w.change.Old()
	if err != nil {
		return nil, err
	}
	return w.opts.newStore(db).withMeta()
}

// Salvage is like Old, for a damaged store. It reads only the tables, without the database's own files. It
// calls lost for each table that is missing or cannot be read at all. If meta is lost, Salvage takes its
// newest copy. Reading from a damaged block returns ErrDamaged. Do not call IsLast, Waiting or Check on the
// returned store, since it has no seal.
//
// The seal of the damaged store lists the valid tables. If that seal is damaged, the newest copy of meta lists
// them. If there is no copy with a list of tables (format 1 had none), all tables are valid, and newer tables
// win.
func (w *Writer) Salvage(lost func(error)) (*Store, error) {
	m := newestMeta(w.change.Dir, w.change.Copies())
	var known []string
	if m != nil {
		known = m.Tables
	}
	db, err := w.change.Salvage(known, lost)
	if err != nil {
		return nil, err
	}
	s := w.opts.newStore(db)
	if s.meta, err = s.readMeta(); errors.Is(err, ErrDamaged) && m != nil {
		s.meta, err = m, nil
	}
	if err != nil {
		return nil, errors.Join(err, s.Close())
	}
	return s, nil
}

// newestMeta returns the newest readable copy of meta, or nil if no copy can be read. The copies come newest
// first.
func newestMeta(d disk.Dir, copies [][]byte) *Meta {
	for _, b := range copies {
		if m, err := decodeMeta(d, b); err == nil {
			return m
		}
	}
	return nil
}
