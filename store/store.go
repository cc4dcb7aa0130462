package store

import (
	"fmt"
	"slices"

	"github.com/cockroachdb/pebble/v2"
	"github.com/cockroachdb/pebble/v2/vfs"

	"fstore/index"
	"fstore/store/disk"
)

// Store is an open store. Any number of goroutines may call its methods. Each iterator belongs to one
// goroutine.
type Store struct {
	db   *disk.Database
	meta *Meta

	symbols func() (*index.Symbols, error) // loads all symbols, once
	hot     *cache
	keeper  keeper
}

// Close closes the store. All iterators must be closed before.
func (s *Store) Close() error {
	s.hot.close()
	return s.db.Close()
}

// Meta returns the description of what the store holds. The caller must not change it.
func (s *Store) Meta() *Meta { return s.meta }

// Dir returns the directory of the store.
func (s *Store) Dir() string { return s.db.Path }

// FS returns the file system of the store.
func (s *Store) FS() vfs.FS { return s.db.FS }

// Path returns the path of an expansion index, whose name is in Meta.
func (s *Store) Path(name string) string { return s.db.Join(name) }

// get returns a copy of a key's value, or ErrNotFound if the key is absent.
func (s *Store) get(key []byte) ([]byte, error) { return s.db.Get(Kind(key[0]).String(), key) }

func (s *Store) iter(p keyRange) (*pebble.Iterator, error) { return s.db.Iter(p.lo, p.hi) }

// scan calls f for every key of p, see disk.Database.Scan.
func (s *Store) scan(p keyRange, f func(key, value []byte) error) error {
	return s.db.Scan(Kind(p.lo[0]).String(), p.lo, p.hi, f)
}

// scanNumbered calls f for the keys prefix + [from, to), in order, until f returns an error. A missing key is
// an error. In messages, `what` names an entry.
func (s *Store) scanNumbered(what string, prefix []byte, from, to uint32, f func(number uint32, value []byte) error) error {
	if from >= to {
		return nil
	}
	n, next := len(prefix), from
	p := keyRange{index.AppendOrdered(prefix[:n:n], from), index.AppendOrdered(prefix[:n:n], to)}
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

// Usage is the number of bytes that one kind of data takes on disk.
type Usage struct {
	Kind  string // such as "samples" or "fragments"; "expansion" for files beside the database
	Bytes int64
}

// Usage returns the bytes on disk of each kind of data, ordered by kind.
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

// IsLast says whether s still reads the newest state. It is false once a writer has committed after Open.
func (s *Store) IsLast() (bool, error) { return s.db.IsLast() }

// Waiting returns the number and bytes of files that stay only for readers of older states.
func (s *Store) Waiting() (files int, bytes int64) { return s.db.Waiting() }

// Keep puts a value that was computed from the store into the cache of Store.Get, under this name.
func (s *Store) Keep(name string, value []byte) { s.hot.set(keptKey(name), value) }

// Kept returns the value that Keep put into the cache under this name, and whether the cache still has the
// value. The caller must not change the value.
func (s *Store) Kept(name string) (value []byte, ok bool) { return s.hot.get(keptKey(name)) }

// keptKey returns a cache key that begins with 0. No fragment has such a key, because no Kind is 0.
func keptKey(name string) []byte { return append([]byte{0}, name...) }

// HoldUpTo sets Options.HoldBytes of an open store, unless it is set already. Call it right after Open,
// before another goroutine uses the store.
func (s *Store) HoldUpTo(bytes int64) {
	if !s.Holds() {
		s.keeper.left, s.keeper.bounded = bytes, true
	}
}

// Holds says whether Options.HoldBytes is set. If so, slow results are worth keeping.
func (s *Store) Holds() bool { return s.keeper.bounded }

// Hold returns the value that `compute` makes, and keeps it for later calls with this key. It returns nil if
// the first call found less than maxBytes of Options.HoldBytes free.
func (s *Store) Hold(key any, maxBytes int64, compute func() (value any, size int64, err error)) (any, error) {
	if !s.Holds() {
		return nil, nil
	}
	return s.keeper.value(key, maxBytes, compute)
}

// Once is like Hold, for a value too small to count against Options.HoldBytes. A key must not be used for
// both Once and Hold.
func (s *Store) Once(key any, compute func() (any, error)) (any, error) {
	return s.keeper.value(key, 0, func() (any, int64, error) {
		value, err := compute()
		return value, 0, err
	})
}
