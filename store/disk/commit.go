package disk

import (
	"context"
	"errors"
	"fmt"
	"io/fs"
	"math"
	"slices"
)

// Commit closes the database and makes the files of the change the present state, in one step: the rename of
// the new FSTORE. If ctx is done before that step, it returns the error of ctx. After an error the store is
// as it was, unless the error says otherwise.
//
// The function copyOf gets the names of the files, and returns the database's record of its own content.
// Nothing in a store can be found without that record. So Commit writes a copy of the record beside the
// database.
func (c *Change) Commit(ctx context.Context, copyOf func(names []string) ([]byte, error)) error {
	err := c.close() // this deletes tables that are not used any more
	var b []byte
	if err == nil {
		b, err = copyOf(c.view.names())
	}
	if err == nil {
		err = c.writeCopy(b)
	}
	var s *seal
	if err == nil {
		s, err = c.makeSeal(ctx, c.view.names(), c.base)
	}
	if err == nil {
		err = s.findWaiting(c.Dir, c.base, c.from)
	}
	if err != nil {
		return errors.Join(err, c.Abort())
	}
	return c.step(s)
}

// step makes the new state the present one: it replaces FSTORE.
func (c *Change) step(s *seal) error {
	s.text = s.encode()
	if err := c.replace(sealName, s.text); err != nil {
		switch taken, rerr := c.isSealedBy(s); {
		case errors.Is(rerr, fs.ErrNotExist), rerr == nil && !taken:
			return errors.Join(err, c.Abort())
		case rerr != nil: // keep the files of both states
			return fmt.Errorf("it is not known whether this was committed: %w", errors.Join(err, rerr, c.end(nil)))
		}
		return c.end(err) // a power failure may undo the step: keep the files of both states
	}
	// From here on the new store is in place. If an error leaves old files, the next writer deletes them.
	_ = c.Remove(markName)
	_ = c.removeLoad(false)
	_ = c.sweep(s, 0, math.MaxUint64)
	return c.end(nil)
}

// Abort drops the change. It deletes the files of the change, unless Keep is set. It also deletes a directory
// that was made for a new store. After Commit it does nothing.
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

// unmake removes UNFINISHED, which says that a new store was being made, and the directory, if it was made
// for the store. The directory stays if foreign files are in it. UNFINISHED stays if files of the run could
// not be removed, or if UNFINISHED is of another run.
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
	busy := c.FS.Remove(path) // if the system allows it: a process that has opened it meanwhile sees that it is gone
	if err = c.unlock(); busy != nil {
		_ = c.FS.Remove(path)
	}
	if names, _ := c.FS.List(c.Path); c.made && len(names) == 0 {
		_ = c.FS.Remove(c.Path)
	}
	return err
}

// end ends a change after the commit step. If an error came after that step, the message says that the change
// is committed.
func (c *Change) end(err error) error {
	c.done = true
	c.view.end()
	if err = errors.Join(err, c.unlock()); err != nil {
		return fmt.Errorf("committed, but: %w", err)
	}
	return nil
}

// unlock lets other writers in.
func (c *Change) unlock() error {
	if c.lock == nil {
		return nil
	}
	l := c.lock
	c.lock = nil
	return l.Close()
}
