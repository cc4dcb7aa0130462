package disk

import (
	"context"
	"errors"
	"fmt"
	"io"
	"io/fs"
	"math"
	"slices"

	"github.com/cockroachdb/pebble/v2"
	"github.com/cockroachdb/pebble/v2/vfs"
)

// Change is the work of the only writer of a store. It makes new files beside the files of the present state.
// Commit then replaces the present state in one step. Its methods are for one goroutine, unless their
// comments say otherwise.
//
// After Begin, call Resume or Anew to open the database.
type Change struct {
	Dir
	o Options

	lock    io.Closer // keeps other writers out
	there   atPath    // what was there when the lock was taken
	made    bool      // the directory was made by this run, or by the earlier run that it continues
	base    *seal     // seal of the present state; empty if there is none, or if it cannot be read
	baseErr error     // why the seal cannot be read
	mark    *seal     // UNFINISHED of an earlier run that did not finish; nil if there is none
	from    uint64    // the first number for files of this change; 0 if not known yet

	view *view // the files in the directory, as the database sees them
	db   *Database
	bulk *bulk
	done bool
}

// Begin locks the directory for writing, and makes it if it is missing. Until Commit returns, other processes
// see no change. The error is ErrNotEmpty if the directory holds something else than a store. Other errors
// are ErrExists, ErrNotStore, ErrLocked, ErrVersion, ErrDamaged, or from the file system.
func Begin(path string, o Options) (_ *Change, err error) {
	o.Keep = o.Keep || o.Resume
	c := &Change{o: o, base: &seal{}}
	if c.Dir, err = o.dirAt(path); err != nil {
		return nil, err
	}
	// c.admit runs twice, as another process can write between its first run and c.lockDir.
	for _, step := range []func() error{c.admit, c.lockDir, c.admit, c.readBase, c.readMark} {
		if err := step(); err != nil {
			return nil, errors.Join(err, c.Abort())
		}
	}
	return c, nil
}

// admit looks at what is in the directory, and returns an error if o.Mode does not allow it.
func (c *Change) admit() (err error) {
	if c.there, err = c.look(); err != nil {
		return err
	}
	detail := c.whatElse(c.there)
	switch {
	case c.there == somethingElse:
		return c.fail(ErrNotEmpty, detail)
	case c.there == aStore && c.o.Mode == Create:
		return c.fail(ErrExists, "")
	case c.there != aStore && c.o.Mode == Append, c.there == aFile, c.there == nothing && detail != "":
		return c.fail(ErrNotStore, detail)
	}
	return nil
}

// lockDir makes the directory if it is missing, and locks it.
func (c *Change) lockDir() error {
	why := "another process is writing it"
	if c.there != aStore {
		why = "another process is building it"
	}
	return patiently(func(err error) bool { return errors.Is(err, fs.ErrNotExist) }, func() (err error) {
		names, err := c.FS.List(c.Path)
		if errors.Is(err, fs.ErrNotExist) {
			c.made = true
			err = makeDir(c.FS, c.Path)
		} else if c.there == nothing && len(names) > 0 {
			c.made = true // an earlier run made it, and was killed before it could write UNFINISHED
		}
		if err == nil {
			c.lock, err = c.Dir.lock(writerLockName, lockHow{n: 1}, why) // an aborting run may remove the directory now
		}
		if err == nil {
			_, err = c.unread(0, 0) // makes the file that readers lock: a reader may not be allowed to make it
		}
		return err
	})
}

// readBase reads the seal of the present state (the file FSTORE). Only mode Append needs a valid seal.
func (c *Change) readBase() (err error) {
	if c.there != aStore {
		return nil
	}
	s, err := c.readSeal(&c.o)
	switch {
	case err != nil:
		c.baseErr = err
	default:
		c.base = s
		if c.o.Mode == Append {
			err = s.verifySmall(c.Dir)
		}
	}
	if c.o.Mode == Append && err != nil {
		return err
	}
	if c.base.version == 1 {
		return c.base.findWaiting(c.Dir, c.base, 0)
	}
	return nil
}

// readMark reads UNFINISHED, which an earlier run has left if it did not finish.
func (c *Change) readMark() error {
	mark, err := c.readSealFile(markName)
	switch {
	case errors.Is(err, ErrNotStore), errors.Is(err, ErrDamaged): // it is missing, or of no use
		return nil
	case err != nil:
		return err
	}
	c.mark, c.made = mark, c.made || mark.made
	return nil
}

// sweepOwn calls sweep for the data files with numbers [from, to). If FSTORE cannot be read, it deletes
// nothing that the store may need.
func (c *Change) sweepOwn(from, to uint64) error {
	if c.baseErr != nil && (c.from == 0 || from < c.from) {
		return nil
	}
	return c.sweep(c.base, from, to)
}

// Resume opens the database that an unfinished run has left, if Options.Resume is set. It returns nil if no
// database can be resumed. After an error, such as a failing disk, the files stay for a later try.
func (c *Change) Resume() (*Database, error) {
	if c.mark == nil || !c.o.Resume || c.o.Mode == Append || c.mark.next < c.base.next {
		return nil, nil
	}
	c.from = c.mark.next
	if err := c.sweepOwn(0, c.from); err != nil {
		return nil, err
	}
	c.view = c.viewOf(nil, c.from)
	names, err := c.list(isDataName)
	for _, name := range names {
		if c.view.isOwn(name) {
			c.view.files[name] = true
		}
	}
	if err == nil {
		err = c.openToWrite()
	}
	if errors.Is(err, ErrDamaged) || errors.Is(err, ErrVersion) {
		return nil, c.close()
	}
	return c.db, err
}

// Anew opens the database for a change that does not continue an earlier run. In mode Append, the database
// has the present data; in other modes it is empty. Anew drops the database that Resume has opened.
func (c *Change) Anew() (*Database, error) {
	if err := c.close(); err != nil {
		return nil, err
	}
	c.from = 0
	err := c.sweepOwn(0, math.MaxUint64)
	if err != nil {
		return nil, err
	}
	names, err := c.list(isDataName)
	if err == nil {
		c.from, err = freshNumber(names, c.base.next)
	}
	if err != nil {
		return nil, err
	}
	if c.o.Mode == Append {
		c.view = c.viewOf(c.base.files, c.from)
		err = c.Remove(markName)
	} else {
		c.view = c.viewOf(nil, c.from)
		mark := seal{version: FormatVersion, next: c.from, made: c.made}
		if err = c.replace(markName, mark.encode()); err == nil {
			err = c.view.seed()
		}
	}
	if err == nil {
		err = c.openToWrite()
	}
	return c.db, err
}

// openToWrite opens the database with the files in c.view.
func (c *Change) openToWrite() (err error) {
	if err := c.removeLoad(c.o.Resume); err != nil {
		return err
	}
	if err := c.FS.MkdirAll(c.Load().Path, 0o777); err != nil {
		return err
	}
	if c.db, err = c.openDatabase(c.base, c.view, false); err != nil {
		return err
	}
	c.bulk = &bulk{dir: c.Load(), opts: tableOptions(databaseOptions(c.view, c.db.fatal, false))}
	return nil
}

// Number returns the number of the change, which is the number of its first file.
func (c *Change) Number() uint64 { return c.from }

// Table begins to write keys. Call Ingest to make them part of the database. Any goroutine may call Table.
func (c *Change) Table() *Table { return &Table{b: c.bulk} }

// Ingest makes all finished tables part of the database, in one step. The same step deletes the older keys
// with lo ≤ key < hi; a nil lo deletes none.
func (c *Change) Ingest(lo, hi []byte) error {
	c.bulk.mu.Lock()
	tables := c.bulk.tables
	c.bulk.tables = nil
	c.bulk.mu.Unlock()
	if len(tables) == 0 {
		return nil
	}
	err := c.db.fatal.catch(func() error {
		_, err := c.db.db.IngestAndExcise(context.Background(), tables, nil, nil, pebble.KeyRange{Start: lo, End: hi})
		return err
	})
	if err != nil {
		return fmt.Errorf("%s: ingest: %w", c.Path, err)
	}
	return nil
}

// Excise deletes the keys with lo ≤ key < hi. A table that holds no other keys is dropped as a whole.
func (c *Change) Excise(lo, hi []byte) error {
	some, err := c.db.Some(lo, hi)
	if err != nil || !some {
		return err
	}
	return c.db.fatal.catch(func() error {
		return c.db.db.Excise(context.Background(), pebble.KeyRange{Start: lo, End: hi})
	})
}

// Create creates a file in the new state of the store. The caller must sync and close the file before Commit.
func (c *Change) Create(name string) (vfs.File, error) {
	return c.view.Create(c.Join(name), vfs.WriteCategoryUnspecified)
}

// Drop removes a file from the new state. Readers of the present state can still read the file.
func (c *Change) Drop(name string) error { return c.view.Remove(c.Join(name)) }

// close closes the database, if it is open. If the database gave up before, the error says why.
func (c *Change) close() error {
	b := c.db
	if c.db = nil; b == nil {
		return nil
	}
	return b.fatal.catch(b.db.Close)
}

// Abort drops the change, and deletes its files unless Keep is set. It also deletes a directory that was made
// for a new store. After Commit it does nothing.
func (c *Change) Abort() error {
	if c.done {
		return nil
	}
	c.done = true
	said := c.db != nil && c.db.fatal.broken() // the call that failed has returned this error already
	err := c.close()
	if said {
		err = nil
	}
	if c.view != nil {
		c.view.end()
	}
	if c.lock == nil {
		return err
	}
	if c.o.Mode == Append || !c.o.Keep {
		err = errors.Join(err, c.removeLoad(c.o.Keep))
		if c.from > 0 {
			err = errors.Join(err, c.sweepOwn(c.from, math.MaxUint64))
		}
		if c.o.Mode != Append {
			err = errors.Join(err, c.unmake())
		}
	}
	return errors.Join(err, c.unlock())
}

// unmake removes UNFINISHED, and the directory if it was made for the store and is empty now.
func (c *Change) unmake() error {
	names, err := c.FS.List(c.Path)
	marked := slices.Contains(names, markName)
	left := func(name string) bool { return name != markName && (isDataName(name) || isTempName(name)) }
	if err != nil || marked && c.from == 0 || c.there != aStore && slices.ContainsFunc(names, left) {
		return err
	}
	if marked {
		err = errors.Join(c.Sync(), c.Remove(markName))
	}
	if err != nil || c.there == aStore {
		return err
	}
	_ = c.FS.Remove(c.Join(lockName))
	path := c.Join(writerLockName)
	busy := c.FS.Remove(path) // some systems refuse this if a process has the file open; on others, that process sees that it is gone
	if err = c.unlock(); busy != nil {
		_ = c.FS.Remove(path)
	}
	if names, _ := c.FS.List(c.Path); c.made && len(names) == 0 {
		_ = c.FS.Remove(c.Path)
	}
	return err
}

func (c *Change) unlock() error {
	if c.lock == nil {
		return nil
	}
	l := c.lock
	c.lock = nil
	return l.Close()
}
