package disk

import (
	"bytes"
	"context"
	"errors"
	"fmt"
	"io"
	"slices"

	"github.com/cockroachdb/pebble/v2"
)

// Database is the open database of one state of a store. Any number of goroutines may call its methods. Each
// iterator belongs to one goroutine.
type Database struct {
	Dir
	db    *pebble.DB
	seal  *seal
	view  *view // the files that it reads
	fatal *fatalities
	lock  io.Closer // nil within a Change, which has the lock
}

// OpenToRead opens the committed state for reading. Until Close, the database shows this state. The error is
// ErrLocked if writers commit faster than OpenToRead opens.
func OpenToRead(path string, o Options) (b *Database, err error) {
	d, err := o.dirAt(path)
	if err != nil {
		return nil, err
	}
	err = patiently(func(err error) bool { return errors.Is(err, ErrLocked) }, func() error {
		b, err = d.openOnce(&o)
		return err
	})
	return b, err
}

// openOnce is one try of OpenToRead. Before openOnce has the reader's lock, a writer can commit a new state.
// So openOnce reads FSTORE again under the lock, and returns ErrLocked if the state has changed.
func (d Dir) openOnce(o *Options) (*Database, error) {
	s, err := d.readSeal(o)
	if err != nil {
		return nil, err
	}
	l, err := d.lockToRead(s.next)
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

// readSeal reads FSTORE. The error is ErrNotStore, ErrVersion or ErrDamaged.
func (d Dir) readSeal(o *Options) (*seal, error) {
	s, err := d.readSealFile(sealName)
	switch {
	case errors.Is(err, ErrNotStore):
		if what, lerr := d.look(); lerr == nil && what != somethingElse {
			err = d.fail(ErrNotStore, d.whatElse(what))
		}
	case errors.Is(err, ErrVersion) && s.version < FormatVersion && o.Again != nil:
		if again := o.Again(d.copies(nil)); again != "" {
			err = d.otherVersion(s.version, makeAgain+again)
		}
	case err == nil && s.open:
		var names []string
		names, err = d.list(isDataName)
		for _, name := range names {
			s.files = append(s.files, File{Name: name})
		}
	}
	return s, err
}

// openSealed opens the database for reading, with the files in s.
func (d Dir) openSealed(s *seal) (*Database, error) {
	if err := s.verifySmall(d); err != nil {
		return nil, err
	}
	return d.openDatabase(s, d.viewOf(s.files, fromReaders), true)
}

// openDatabase opens the database in the directory. The database sees the files in v.
func (d Dir) openDatabase(s *seal, v *view, readOnly bool) (*Database, error) {
	b := &Database{Dir: d, view: v, fatal: newFatalities(), seal: s}
	v.fatal = b.fatal
	opts := databaseOptions(v, b.fatal, readOnly)
	opts.Cache = pebble.NewCache(blockCacheBytes)
	defer opts.Cache.Unref()
	err := b.fatal.catch(func() (err error) {
		b.db, err = pebble.Open(d.Path, opts)
		return err
	})
	if err != nil {
		return nil, d.openError(err)
	}
	return b, nil
}

// IsLast says whether the database still shows the newest state.
func (b *Database) IsLast() (bool, error) { return b.isSealedBy(b.seal) }

// Close closes the database. All iterators must be closed before.
func (b *Database) Close() (err error) {
	if !b.fatal.broken() {
		err = b.fatal.catch(b.db.Close)
	}
	if b.lock != nil {
		err = errors.Join(err, b.lock.Close())
	}
	return err
}

// Get returns a copy of a key's value, or ErrNotFound if the key is absent. For other errors, see ReadError.
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

// Scan calls f for every key with lo ≤ key < hi, in order, until f returns an error. The key and the value
// are valid only during the call. Errors, also those of f, go through ReadError.
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

// Names returns the names of the state's files, in order. Within a Change, these are the files of the new
// state so far.
func (b *Database) Names() []string { return b.view.fileNames() }

// EachTable calls f for each table of the database, with the first and the last key of the table.
func (b *Database) EachTable(f func(name string, first, last []byte)) {
	levels, _ := b.db.SSTables()
	for _, level := range levels {
		for _, t := range level {
			f(tableName(uint64(t.BackingSSTNum)), t.Smallest.UserKey, t.Largest.UserKey)
		}
	}
}

// Waiting returns the number and bytes of files that stay only for readers of older states. A later writer
// deletes these files.
func (b *Database) Waiting() (files int, bytes int64) {
	for _, e := range b.seal.old {
		if info, err := b.FS.Stat(b.Join(e.name)); err == nil {
			files++
			bytes += info.Size()
		}
	}
	return files, bytes
}

// CheckFiles compares the files of the state, and the added files, with their recorded sizes and checksums.
// It passes each file that differs to the function `problem`, and files of a killed or running writer to the
// function `leftover`. It returns an error if it could not complete the check.
func (b *Database) CheckFiles(ctx context.Context, added []File, problem func(name, what string), leftover func(string)) error {
	files := slices.Clone(b.seal.files)
	if b.seal.open {
		files = nil
		leftover("FSTORE has no sums: a program of an older version was killed")
	}
	for _, e := range added {
		if !slices.Contains(files, e) {
			files = append(files, e)
		}
	}
	for _, e := range files {
		differs, err := e.compare(ctx, b.Dir)
		switch {
		case ctx.Err() != nil:
			return ctx.Err()
		case IsOfProcess(err):
			return err
		case err != nil:
			problem(e.Name, err.Error())
		case differs != "":
			problem(e.Name, differs)
		}
	}
	unused, err := b.seal.unused(b.Dir)
	if n := len(unused); n > 0 {
		text := unused[0]
		if n > 1 {
			text = fmt.Sprintf("%s to %s, %d names", unused[0], unused[n-1], n)
		}
		leftover(text + ": of a writer that was killed or is at work")
	}
	return err
}

// CheckOrder reports tables of one level that overlap. The database itself does not check this.
func (b *Database) CheckOrder(problem func(string)) error {
	levels, err := b.db.SSTables()
	if err != nil {
		return Plain(err)
	}
	for n, level := range levels {
		for i := 1; n > 0 && i < len(level); i++ {
			if bytes.Compare(level[i-1].Largest.UserKey, level[i].Smallest.UserKey) >= 0 {
				problem(fmt.Sprintf("tables %s and %s overlap", level[i-1].FileNum, level[i].FileNum))
			}
		}
	}
	return nil
}
