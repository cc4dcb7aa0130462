package store

import "errors"

// Old opens the store that an Overwrite replaces, to read from. It is ErrNotStore where there
// is none.
func (w *Writer) Old() (*Store, error) {
	db, err := w.change.Old()
	if err != nil {
		return nil, err
	}
	return w.opts.over(db).withMeta()
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
	m := newestMeta(w.change.Dir, w.change.Copies())
	var known []string
	if m != nil {
		known = m.Tables
	}
	db, err := w.change.Salvage(known, lost)
	if err != nil {
		return nil, err
	}
	s := w.opts.over(db)
	if s.meta, err = s.readMeta(); errors.Is(err, ErrDamaged) && m != nil {
		s.meta, err = m, nil
	}
	if err != nil {
		return nil, errors.Join(err, s.Close())
	}
	return s, nil
}
