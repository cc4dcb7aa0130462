package disk

import (
	"context"
	"errors"
	"fmt"
	"io/fs"
	"math"
	"slices"
)

// Commit closes the database, and makes the files of the change the state, in one step: the
// rename of the new FSTORE. Where ctx is done before, it ends with its error. After an error the
// store is as it was, unless the error says otherwise.
//
// copyOf gets the names of the files, and returns what the database says of itself: without that
// nothing in a store can be found, so that a copy is left beside it.
func (c *Change) Commit(ctx context.Context, copyOf func(names []string) ([]byte, error)) error {
	err := c.close() // which deletes the tables that are of no use any more
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

// step replaces FSTORE.
func (c *Change) step(s *seal) error {
	s.text = s.encode()
	if err := c.replace(sealName, s.text); err != nil {
		switch taken, rerr := c.isSealedBy(s); {
		case errors.Is(rerr, fs.ErrNotExist), rerr == nil && !taken:
			return errors.Join(err, c.Abort())
		case rerr != nil: // the files of both states stay
			return fmt.Errorf("it is not known whether this was committed: %w", errors.Join(err, rerr, c.end(nil)))
		}
		return c.end(err) // it may be undone when the power fails: both states stay
	}
	// From here on it is the new store. What stays of the old one, or of this run, is no
	// reason to fail: the next writer deletes it too.
	_ = c.Remove(markName)
	_ = c.removeLoad(false)
	_ = c.sweep(s, 0, math.MaxUint64)
	return c.end(nil)
}

// Abort gives up what was not committed: its files go, unless Keep, and with those of a new
// store the directory that was made for it. After Commit it does nothing.
func (c *Change) Abort() error {
	if c.done {
		return nil
	}
	c.done = true
	said := c.db != nil && c.db.fatal.broken() // by what failed
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

// unmake removes what says that a new store was being made, and, where there was none, the
// directory that was made for it. Foreign files stay, and with them the directory. So does
// UNFINISHED beside what could not be removed, and that of another run.
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
	busy := c.FS.Remove(path) // where the system allows it: who opened it meanwhile sees that it is gone
	if err = c.unlock(); busy != nil {
		_ = c.FS.Remove(path)
	}
	if names, _ := c.FS.List(c.Path); c.made && len(names) == 0 {
		_ = c.FS.Remove(c.Path)
	}
	return err
}

// end ends a change whose step is taken, and says so of an error after it.
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
