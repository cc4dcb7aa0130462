package store

import (
	"cmp"
	"errors"
	"fmt"
	"slices"
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

	symbols func() (*index.Symbols, error) // loads them once
	hot     *cache
	keeper  keeper
}

// Open opens the store in dir for reading, beside other readers and a writer. Until Close it reads the
// state of that moment. Errors are ErrNotStore, ErrVersion, ErrDamaged, ErrLocked if writers commit
// faster than it opens, or an error of the file system.
func Open(dir string, o Options) (*Store, error) {
	db, err := disk.OpenToRead(dir, o.disk())
	if err != nil {
		return nil, err
	}
	return o.over(db).withMeta()
}

// over is a store in db, without its meta.
func (o *Options) over(db *disk.Database) *Store {
	s := &Store{db: db, hot: &cache{bytes: cmp.Or(o.CacheBytes, defaultCacheBytes)}, keeper: keeper{held: map[any]*heldValue{}}}
	s.symbols = sync.OnceValues(s.loadSymbols)
	if o.HoldBytes > 0 {
		s.HoldUpTo(o.HoldBytes)
	}
	return s
}

// withMeta reads meta, and closes s where it cannot.
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

// scanNumbered calls f for the keys of prefix and a number, from ≤ number < to, in order; each must be
// there, and what is what an error calls it. It stops at an error of f and returns it.
func (s *Store) scanNumbered(what string, prefix []byte, from, to uint32, f func(number uint32, value []byte) error) error {
	if from >= to {
		return nil
	}
	n, next := len(prefix), from
	p := span{index.AppendOrdered(prefix[:n:n], from), index.AppendOrdered(prefix[:n:n], to)}
	var ferr error
	err := s.scan(p, func(key, v []byte) error {
		if number, ok := parseNumber(key[n:]); !ok || number != next {
			return disk.Malformed("key %x where %s %d should be", key, what, next)
		}
		next++
		ferr = f(next-1, v)
		return ferr
	})
	if ferr != nil {
		return ferr
	}
	if err == nil && next != to {
		err = s.db.Damaged(fmt.Sprintf("%s %d is missing", what, next), nil)
	}
	return err
}

// Usage is how many bytes on disk one kind of data takes.
type Usage struct {
	Kind  string // "samples", "fragments", …; "expansion" for files beside the database
	Bytes int64
}

// Usage returns the bytes on disk of each kind that is there, in the order of the kinds: the sizes of
// data blocks as the database knows them.
func (s *Store) Usage() (all []Usage, err error) {
	for k := Kind(1); k < kindEnd; k++ {
		p := kindSpan(k)
		some, err := s.db.Some(p.lo, p.hi)
		if err != nil {
			return nil, err
		}
		if !some {
			continue
		}
		n, err := s.db.Usage(p.lo, p.hi)
		if err != nil {
			return nil, err
		}
		all = append(all, Usage{k.String(), n})
	}
	var files int64
	for _, name := range s.meta.files() {
		info, err := s.db.FS.Stat(s.Path(name))
		if err != nil {
			return nil, s.db.ReadError(name, err)
		}
		files += info.Size()
	}
	if files > 0 {
		all = append(all, Usage{"expansion", files})
	}
	return slices.Clip(all), nil
}

// IsLast says whether no writer has committed anything since the state that s reads.
func (s *Store) IsLast() (bool, error) { return s.db.IsLast() }

// Waiting returns how many files wait for readers of older states, and their bytes.
func (s *Store) Waiting() (files int, bytes int64) { return s.db.Waiting() }
