package store

import (
	"bytes"
	"errors"
	"io"
	"sync"

	"github.com/cockroachdb/pebble/v2"
	"github.com/cockroachdb/pebble/v2/vfs"

	"fstore/index"
)

// Store is an open store. All its methods may be called by any number of
// goroutines, but an iterator belongs to one.
type Store struct {
	dir   string
	fs    vfs.FS
	db    *pebble.DB
	meta  *Meta
	seal  *seal
	fatal *fatalities
	lock  io.Closer // nil within a Writer, which has it

	symbolsOnce sync.Once
	symbols     *index.Symbols
	symbolsErr  error

	hot   *cache
	ranks rankTables
}

// Open opens the store in dir for reading, beside any number of other readers.
// Errors are ErrNotStore, ErrLocked (somebody writes), ErrVersion and ErrDamaged,
// or an error of the file system.
func Open(dir string, o Options) (*Store, error) {
	o = o.withDefaults()
	if _, err := o.FS.Stat(dir); err != nil {
		// The moment between the two renames of an overwrite, or a crash then.
		if _, serr := readSeal(o.FS, dir+replacedSuffix); serr == nil {
			dir += replacedSuffix
		}
	}
	if _, err := readSeal(o.FS, dir); err != nil {
		return nil, err // before a lock file is made in a directory that is no store
	}
	l, err := lock(o.FS, dir, true)
	if err != nil {
		return nil, err
	}
	s, err := open(dir, o, true)
	if err == nil {
		s.lock = l
		s.meta, err = s.readMeta()
		if err == nil {
			return s, nil
		}
		s.lock = nil
		s.Close()
	}
	return nil, errors.Join(err, l.Close())
}

// open opens the database of a store whose lock is held.
func open(dir string, o Options, readOnly bool) (*Store, error) {
	seal, err := readSeal(o.FS, dir)
	if err != nil {
		return nil, err
	}
	if seal.sealed {
		if err := seal.verifySmall(o.FS, dir); err != nil {
			return nil, err
		}
	}
	return openDatabase(dir, seal, o, readOnly)
}

// openDatabase opens the database in dir.
func openDatabase(dir string, seal *seal, o Options, readOnly bool) (*Store, error) {
	s := &Store{dir: dir, fs: o.FS, fatal: newFatalities(), seal: seal, hot: newCache(o.CacheBytes)}
	opts := databaseOptions(o.FS, s.fatal, readOnly)
	opts.Cache = pebble.NewCache(o.BlockCacheBytes)
	defer opts.Cache.Unref()
	err := s.fatal.do(func() (err error) {
		s.db, err = pebble.Open(dir, opts)
		return err
	})
	if err != nil {
		return nil, openError(dir, err)
	}
	return s, nil
}

// readMeta reads the commit point.
func (s *Store) readMeta() (*Meta, error) {
	b, err := s.get(metaKey)
	if errors.Is(err, ErrNotFound) {
		return nil, damaged(s.dir, "nothing was ever committed, or it is lost", nil)
	}
	if err != nil {
		return nil, err
	}
	return decodeMeta(s.dir, b)
}

// Close ends the use of the store, whose iterators must be closed.
func (s *Store) Close() error {
	s.hot.close()
	var err error
	if !s.fatal.broken() {
		err = s.fatal.do(s.db.Close)
	}
	if s.lock != nil {
		err = errors.Join(err, s.lock.Close())
	}
	return err
}

// Meta says what the store holds; it must not be changed.
func (s *Store) Meta() *Meta { return s.meta }

// Dir is the directory of the store.
func (s *Store) Dir() string { return s.dir }

// FS is the file system of the store.
func (s *Store) FS() vfs.FS { return s.fs }

// Path is where the file of this name, as Meta gives it, lies: an expansion index.
func (s *Store) Path(name string) string { return s.fs.PathJoin(s.dir, name) }

// get returns a copy of the value of a key, ErrNotFound where it is absent.
func (s *Store) get(key []byte) ([]byte, error) {
	b, closer, err := s.db.Get(key)
	if errors.Is(err, pebble.ErrNotFound) {
		return nil, ErrNotFound
	}
	if err != nil {
		return nil, readError(s.dir, Kind(key[0]).String(), err)
	}
	v := bytes.Clone(b)
	return v, closer.Close()
}

// iter returns an iterator over the keys of p.
func (s *Store) iter(p span) (*pebble.Iterator, error) {
	it, err := s.db.NewIter(&pebble.IterOptions{LowerBound: p.lo, UpperBound: p.hi})
	return it, readError(s.dir, "iterate", err)
}

// scan calls f for every key of p in order; key and value are valid during the
// call. An error of f ends it and is returned as readError sees it.
func (s *Store) scan(p span, f func(key, value []byte) error) error {
	it, err := s.iter(p)
	if err != nil {
		return err
	}
	for ok := it.First(); ok; ok = it.Next() {
		v, err := it.ValueAndErr()
		if err == nil {
			err = f(it.Key(), v)
		}
		if err != nil {
			return errors.Join(readError(s.dir, Kind(p.lo[0]).String(), err), it.Close())
		}
	}
	return readError(s.dir, Kind(p.lo[0]).String(), it.Close())
}
