package disk

import (
	"errors"
	"io"
	"io/fs"
	"math"

	"github.com/cockroachdb/pebble/v2/vfs"
)

// Change is what the one writer of a store makes: new files beside those of the state that is
// there, and one step. Its methods belong to one goroutine, but for those that say so.
//
// After Begin, Resume or Anew open its database.
type Change struct {
	Dir
	o Options

	lock    io.Closer // keeps other writers out
	there   found     // when the lock was taken
	made    bool      // the directory, by this run or the one that it goes on from
	base    *seal     // of the state that is there; empty where none is, or it cannot be read
	baseErr error     // why it cannot
	mark    *seal     // of a run before that did not finish, nil where there is none
	from    uint64    // the change's files have numbers from this one on; 0 before there are any

	view *view // of the files in the directory
	db   *Database
	bulk *bulk
	done bool
}

// Begin locks the directory for writing, and makes it where it is missing. Errors are ErrNotEmpty
// (there is something else than a store: always refused), ErrExists, ErrNotStore, ErrLocked,
// ErrVersion and ErrDamaged, or an error of the file system. Until Commit returns, nobody else
// sees a difference.
func Begin(path string, o Options) (_ *Change, err error) {
	o.Keep = o.Keep || o.Resume
	c := &Change{o: o, base: &seal{}}
	if c.Dir, err = o.at(path); err != nil {
		return nil, err
	}
	// Another process may have been there between admit and lockDir.
	for _, step := range []func() error{c.admit, c.lockDir, c.admit, c.readBase, c.readMark} {
		if err := step(); err != nil {
			return nil, errors.Join(err, c.Abort())
		}
	}
	return c, nil
}

// admit finds out what is there, and refuses it where the mode does not allow it.
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

// lockDir locks the directory, which it makes where it is missing.
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
			c.made = true // a run made it that was killed before it could say so
		}
		if err == nil {
			c.lock, err = c.Dir.lock(writerLockName, lockHow{n: 1}, why) // a run that is given up may remove the directory now
		}
		if err == nil {
			_, err = c.unread(0, 0) // makes the file that readers lock, who may not be allowed to
		}
		return err
	})
}

// readBase reads the seal of the state that is there. Who replaces it does not need it.
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

// readMark finds out whether a run before did not finish.
func (c *Change) readMark() error {
	mark, err := c.readSealFile(markName)
	switch {
	case errors.Is(err, ErrNotStore), errors.Is(err, ErrDamaged): // it is not there, or of no use
		return nil
	case err != nil:
		return err
	}
	c.mark, c.made = mark, c.made || mark.made
	return nil
}

// sweepOwn deletes the files that are of no use with numbers from from to below to. Those of a
// store whose FSTORE cannot be read may be of use.
func (c *Change) sweepOwn(from, to uint64) error {
	if c.baseErr != nil && (c.from == 0 || from < c.from) {
		return nil
	}
	return c.sweep(c.base, from, to)
}

// Resume opens what a run that did not end has left, if Options.Resume is set: nil where there is
// nothing, or it cannot be read. Another error, as one of the disk, may be gone the next time,
// and what is there must not.
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
		if c.view.own(name) {
			c.view.files[name] = true
		}
	}
	if err == nil {
		err = c.open()
	}
	if errors.Is(err, ErrDamaged) || errors.Is(err, ErrVersion) {
		return nil, c.close()
	}
	return c.db, err
}

// Anew opens the database for a change that goes on from no other: what is there, to append to
// it, or an empty one. What Resume has opened is given up.
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
		err = c.open()
	}
	return c.db, err
}

// open opens the database for writing, of the files in c.view.
func (c *Change) open() (err error) {
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

// Number is that of the change: the first that its files have.
func (c *Change) Number() uint64 { return c.from }

// Create creates a file of the new state. It must be synced and closed before Commit.
func (c *Change) Create(name string) (vfs.File, error) {
	return c.view.Create(c.Join(name), vfs.WriteCategoryUnspecified)
}

// Drop takes a file out of the new state.
func (c *Change) Drop(name string) error { return c.view.Remove(c.Join(name)) }

// close closes the database, if it is open. It returns the error of a database that gave up and cannot
// be closed.
func (c *Change) close() error {
	b := c.db
	if c.db = nil; b == nil {
		return nil
	}
	return b.fatal.do(b.db.Close)
}
