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
	view  *view // of the files below dir that it reads
	fatal *fatalities
	lock  io.Closer // nil within a Writer, which has it

	symbolsOnce sync.Once
	symbols     *index.Symbols
	symbolsErr  error

	hot   *cache
	ranks rankTables
}

// Open opens the store in dir for reading, beside any number of other readers and a
// writer. What is read is the state of that moment until Close, whatever is written
// meanwhile. Errors are ErrNotStore, ErrVersion and ErrDamaged, ErrLocked where writers
// commit faster than it opens, or an error of the file system.
func Open(dir string, o Options) (s *Store, err error) {
	o = o.withDefaults()
	if dir, err = resolve(o.FS, dir); err != nil {
		return nil, err
	}
	err = whileLocked(func() error {
		s, err = openToRead(dir, o)
		return err
	})
	return s, err
}

// openToRead is Open, once. FSTORE is read again when the lock is taken: before, a writer may
// have committed, and deleted files of the state that was to be read. From here on, nobody
// deletes what it names.
func openToRead(dir string, o Options) (*Store, error) {
	seal, err := readSeal(o.FS, dir)
	if err != nil {
		return nil, err
	}
	l, err := lockToRead(o.FS, dir, seal)
	if err != nil {
		return nil, err
	}
	same, err := isSealedBy(o.FS, dir, seal)
	if err == nil && !same {
		err = &Error{Dir: dir, Kind: ErrLocked, Detail: "another process is writing it"}
	}
	var s *Store
	if err == nil {
		s, err = open(dir, seal, o)
	}
	if err != nil {
		return nil, errors.Join(err, l.Close())
	}
	s.lock = l
	return s, nil
}

// open opens the store in dir to read, of the files that the seal names.
func open(dir string, seal *seal, o Options) (*Store, error) {
	if err := seal.verifySmall(o.FS, dir); err != nil {
		return nil, err
	}
	s, err := openDatabase(dir, seal, viewOf(o.FS, dir, seal.files, readOnly), o, true)
	if err != nil {
		return nil, err
	}
	return s.withMeta()
}

// openDatabase opens the database in dir, of the files in v.
func openDatabase(dir string, seal *seal, v *view, o Options, readOnly bool) (*Store, error) {
	s := &Store{dir: dir, fs: o.FS, view: v, fatal: newFatalities(), seal: seal, hot: newCache(o.CacheBytes)}
	opts := databaseOptions(v, s.fatal, readOnly)
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

// readMeta reads meta.
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
