package store

import (
	"errors"
	"sync"

	"github.com/cockroachdb/pebble/v2"
	"github.com/cockroachdb/pebble/v2/vfs"

	"fstore/index"
	"fstore/store/disk"
)

// Store is an open store. All its methods may be called by any number of
// goroutines, but an iterator belongs to one.
type Store struct {
	db   *disk.Database
	meta *Meta

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
func Open(dir string, o Options) (*Store, error) {
	db, err := disk.Open(dir, o.disk())
	if err != nil {
		return nil, err
	}
	return o.over(db).withMeta()
}

// over is a store in db, without its meta.
func (o *Options) over(db *disk.Database) *Store {
	bytes := o.CacheBytes
	if bytes == 0 {
		bytes = defaultCacheBytes
	}
	return &Store{db: db, hot: newCache(bytes)}
}

// withMeta reads meta, and closes s where it cannot.
func (s *Store) withMeta() (*Store, error) {
	var err error
	if s.meta, err = s.readMeta(); err != nil {
		return nil, errors.Join(err, s.Close())
	}
	return s, nil
}

// readMeta reads meta.
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

// Close ends the use of the store, whose iterators must be closed.
func (s *Store) Close() error {
	s.hot.close()
	return s.db.Close()
}

// Meta says what the store holds; it must not be changed.
func (s *Store) Meta() *Meta { return s.meta }

// Dir is the directory of the store.
func (s *Store) Dir() string { return s.db.Path }

// FS is the file system of the store.
func (s *Store) FS() vfs.FS { return s.db.FS }

// Path is where the file of this name, as Meta gives it, lies: an expansion index.
func (s *Store) Path(name string) string { return s.db.Join(name) }

// get returns a copy of the value of a key, ErrNotFound where it is absent.
func (s *Store) get(key []byte) ([]byte, error) { return s.db.Get(Kind(key[0]).String(), key) }

// iter returns an iterator over the keys of p.
func (s *Store) iter(p span) (*pebble.Iterator, error) { return s.db.Iter(p.lo, p.hi) }

// scan calls f for every key of p, see disk.Database.Scan.
func (s *Store) scan(p span, f func(key, value []byte) error) error {
	return s.db.Scan(Kind(p.lo[0]).String(), p.lo, p.hi, f)
}
