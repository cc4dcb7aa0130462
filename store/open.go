package store

import (
	"cmp"
	"errors"
	"sync"

	"fstore/store/disk"
)

// Open opens the store in dir for reading. Until Close, the store shows the state at the moment of opening,
// even while others write. The error is ErrNotStore, ErrVersion, ErrDamaged, ErrLocked, or from the file
// system.
func Open(dir string, o Options) (*Store, error) {
	db, err := disk.OpenToRead(dir, o.disk())
	if err != nil {
		return nil, err
	}
	return o.newStore(db).withMeta()
}

// newStore returns a store that reads db. Its meta is still nil.
func (o *Options) newStore(db *disk.Database) *Store {
	s := &Store{db: db, hot: &cache{bytes: cmp.Or(o.CacheBytes, defaultCacheBytes)}, keeper: keeper{held: map[any]*heldValue{}}}
	s.symbols = sync.OnceValues(s.loadSymbols)
	if o.HoldBytes > 0 {
		s.HoldUpTo(o.HoldBytes)
	}
	return s
}

// withMeta reads meta into s, and returns s. After an error it has closed s.
func (s *Store) withMeta() (*Store, error) {
	var err error
	if s.meta, err = s.readMeta(); err != nil {
		return nil, errors.Join(err, s.Close())
	}
	return s, nil
}

func (s *Store) readMeta() (*Meta, error) {
	b, err := s.get(metaKey)
	if errors.Is(err, ErrNotFound) {
		return nil, s.db.Damaged("nothing was ever committed, or it is lost", nil)
	}
	if err != nil {
		return nil, err
	}
	return decodeMeta(s.db.Dir, b)
}

// Begin opens dir for writing, with the errors of disk.Begin. Until Commit returns, other processes see no
// change.
func Begin(dir string, o WriteOptions) (*Writer, error) {
	w := &Writer{opts: o}
	d := o.disk()
	d.Mode, d.Keep, d.Resume = o.Mode, o.Keep, o.Resume
	var err error
	if w.change, err = disk.Begin(dir, d); err != nil {
		return nil, err
	}
	if err = w.resume(); err == nil && !w.resumed {
		err = w.beginAnew()
	}
	if err == nil {
		err = w.beginMeta()
	}
	if err != nil {
		return nil, errors.Join(err, w.Abort())
	}
	return w, nil
}

// resume continues an unfinished run, if that run has saved a state that can be read. It sets w.resumed.
func (w *Writer) resume() error {
	db, err := w.change.Resume()
	if err != nil || db == nil {
		return err
	}
	w.store = w.opts.newStore(db)
	switch w.committed, err = w.store.readMeta(); {
	case errors.Is(err, ErrDamaged), errors.Is(err, ErrVersion):
		return nil
	case err != nil:
		return err
	}
	w.resumed = true
	return w.clean()
}

// beginAnew opens the database of a run that does not continue an earlier run.
func (w *Writer) beginAnew() error {
	db, err := w.change.Anew()
	if err != nil {
		return err
	}
	w.store = w.opts.newStore(db)
	if w.opts.Mode == Append {
		w.committed, err = w.store.readMeta()
	}
	return err
}

// beginMeta makes w.meta, which Commit will write, from a copy of the committed meta.
func (w *Writer) beginMeta() (err error) {
	w.fragments = map[uint32]*fragmentSet{}
	w.created = map[string]FileInfo{}
	w.meta = new(Meta)
	if w.committed != nil {
		b, err := encodeMeta(w.committed)
		if err != nil {
			return err
		}
		if w.meta, err = decodeMeta(w.change.Dir, b); err != nil { // decoding makes a deep copy
			return err
		}
	}
	w.meta.Version, w.meta.Generation = FormatVersion, uint32(w.change.Number())
	if w.resumed { // the meta is from the same run
		w.expansions = len(w.meta.Files)
	}
	w.store.meta = w.meta
	for _, f := range w.meta.Files {
		w.created[f.Name] = f
	}
	w.symbols, err = w.store.Symbols()
	return err
}
