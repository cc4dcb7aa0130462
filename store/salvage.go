package store

import (
	"errors"

	"fstore/store/disk"
)

// Old opens the store that an Overwrite replaces, for reading. It returns ErrNotStore if there is none.
func (w *Writer) Old() (*Store, error) {
	db, err := w.change.Old()
	if err != nil {
		return nil, err
	}
	return w.opts.newStore(db).withMeta()
}

// Salvage is like Old, for a damaged store. If meta is lost, it takes the newest copy of meta. It calls
// onLost for each table that is missing or cannot be read at all. Reading from a damaged block returns
// ErrDamaged. Do not call IsLast, Waiting or Check on the result, since it has no seal.
//
// These tables are valid:
//   - those that the seal of the damaged store lists
//   - if the seal is damaged, those that the newest copy of meta lists
//   - if no copy lists tables (format 1), all tables
func (w *Writer) Salvage(onLost func(error)) (*Store, error) {
	m := newestMeta(w.change.Dir, w.change.Copies())
	var known []string
	if m != nil {
		known = m.Tables
	}
	db, err := w.change.Salvage(known, onLost)
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

// newestMeta returns the newest copy of meta that can be read, or nil. The copies come newest first.
func newestMeta(d disk.Dir, copies [][]byte) *Meta {
	for _, b := range copies {
		if m, err := decodeMeta(d, b); err == nil {
			return m
		}
	}
	return nil
}
