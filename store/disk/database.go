package disk

import (
	"bytes"
	"errors"
	"io"

	"github.com/cockroachdb/pebble/v2"
)

// Database is an open state of a store. Any number of goroutines may call its methods. Each iterator belongs
// to one goroutine.
type Database struct {
	Dir
	db    *pebble.DB
	seal  *seal
	view  *view // the files that it reads
	fatal *fatalities
	lock  io.Closer // nil within a Change, which has the lock
}

// OpenToRead opens the committed state for reading. Until Close it reads this state, whatever is written
// meanwhile. It returns ErrLocked if writers commit faster than it opens.
func OpenToRead(path string, o Options) (b *Database, err error) {
	d, err := o.at(path)
	if err != nil {
		return nil, err
	}
	err = patiently(func(err error) bool { return errors.Is(err, ErrLocked) }, func() error {
		b, err = d.openOnce(&o)
		return err
	})
	return b, err
}

// openOnce is one try of OpenToRead. It reads FSTORE again after it has the lock, because a writer can have
// committed before, and deleted files of the state that FSTORE named at first. Under the lock, nobody deletes
// the files of the state.
func (d Dir) openOnce(o *Options) (*Database, error) {
	s, err := d.readSeal(o)
	if err != nil {
		return nil, err
	}
	l, err := d.lockToRead(s)
	if err != nil {
		return nil, err
	}
	same, err := d.isSealedBy(s)
	if err == nil && !same {
		err = d.fail(ErrLocked, "another process is writing it")
	}
	var b *Database
	if err == nil {
		b, err = d.openSealed(s)
	}
	if err != nil {
		return nil, errors.Join(err, l.Close())
	}
	b.lock = l
	return b, nil
}

// openSealed opens the database for reading, with the files that s names.
func (d Dir) openSealed(s *seal) (*Database, error) {
	if err := s.verifySmall(d); err != nil {
		return nil, err
	}
	return d.openDatabase(s, d.viewOf(s.files, fromReaders), true)
}

// openDatabase opens the database in the directory, with the files in v.
func (d Dir) openDatabase(s *seal, v *view, readOnly bool) (*Database, error) {
	b := &Database{Dir: d, view: v, fatal: newFatalities(), seal: s}
	v.fatal = b.fatal
	opts := databaseOptions(v, b.fatal, readOnly)
	opts.Cache = pebble.NewCache(blockCacheBytes)
	defer opts.Cache.Unref()
	err := b.fatal.do(func() (err error) {
		b.db, err = pebble.Open(d.Path, opts)
		return err
	})
	if err != nil {
		return nil, d.openError(err)
	}
	return b, nil
}

// IsLast says whether this is still the newest state.
func (b *Database) IsLast() (bool, error) { return b.isSealedBy(b.seal) }

// Close closes the database. All its iterators must be closed before.
func (b *Database) Close() (err error) {
	if !b.fatal.broken() {
		err = b.fatal.do(b.db.Close)
	}
	if b.lock != nil {
		err = errors.Join(err, b.lock.Close())
	}
	return err
}

// Get returns a copy of the value of a key, or ErrNotFound if the key is absent. The text in doing begins the
// message of any other error.
func (b *Database) Get(doing string, key []byte) ([]byte, error) {
	v, closer, err := b.db.Get(key)
	if errors.Is(err, pebble.ErrNotFound) {
		return nil, ErrNotFound
	}
	if err != nil {
		return nil, b.ReadError(doing, err)
	}
	v = bytes.Clone(v)
	return v, closer.Close()
}

// Iter returns an iterator over the keys with lo ≤ key < hi; nil means no bound.
func (b *Database) Iter(lo, hi []byte) (*pebble.Iterator, error) {
	it, err := b.db.NewIter(&pebble.IterOptions{LowerBound: lo, UpperBound: hi})
	return it, b.ReadError("iterate", err)
}

// Scan calls f for every key with lo ≤ key < hi, in order. The key and the value are valid only during the
// call. If f returns an error, Scan stops, and returns the error after ReadError has changed it.
func (b *Database) Scan(doing string, lo, hi []byte, f func(key, value []byte) error) error {
	it, err := b.Iter(lo, hi)
	if err != nil {
		return err
	}
	for ok := it.First(); ok; ok = it.Next() {
		v, err := it.ValueAndErr()
		if err == nil {
			err = f(it.Key(), v)
		}
		if err != nil {
			return errors.Join(b.ReadError(doing, err), it.Close())
		}
	}
	return b.ReadError(doing, it.Close())
}

// Some says whether there is any key with lo ≤ key < hi.
func (b *Database) Some(lo, hi []byte) (bool, error) {
	it, err := b.Iter(lo, hi)
	if err != nil {
		return false, err
	}
	ok := it.First()
	return ok, b.ReadError("iterate", it.Close())
}

// Usage returns about how many bytes on disk the keys with lo ≤ key < hi take.
func (b *Database) Usage(lo, hi []byte) (int64, error) {
	n, err := b.db.EstimateDiskUsage(lo, hi)
	return int64(n), b.ReadError("disk usage", err)
}

// Names returns the names of the state's files, in order. For a state that is being made, Names returns the
// files made so far.
func (b *Database) Names() []string { return b.view.names() }

// EachTable calls f for each table that the database knows, with its first and its last key.
func (b *Database) EachTable(f func(name string, first, last []byte)) {
	levels, _ := b.db.SSTables()
	for _, level := range levels {
		for _, t := range level {
			f(tableName(uint64(t.BackingSSTNum)), t.Smallest.UserKey, t.Largest.UserKey)
		}
	}
}

// Waiting returns the number and bytes of files that are kept only for readers of older states. A writer
// deletes them when it ends, if nobody needs them any more.
func (b *Database) Waiting() (files int, bytes int64) {
	for _, e := range b.seal.old {
		if info, err := b.FS.Stat(b.Join(e.name)); err == nil {
			files++
			bytes += info.Size()
		}
	}
	return files, bytes
}
