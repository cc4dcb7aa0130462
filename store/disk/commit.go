package disk

import (
	"context"
	"errors"
	"fmt"
	"io/fs"
	"math"
)

// Commit makes the files of the change the present state, in one step, and closes the database. After an
// error the store is as it was, unless the error says otherwise.
//
// Commit also writes the copy of meta that copyOf returns. Meta says what the database holds, and a store is
// of no use without it.
func (c *Change) Commit(ctx context.Context, copyOf func(names []string) ([]byte, error)) error {
	err := c.close() // this deletes tables that are not used any more
	var b []byte
	if err == nil {
		b, err = copyOf(c.view.fileNames())
	}
	if err == nil {
		err = c.writeCopy(b)
	}
	var s *seal
	if err == nil {
		s, err = c.makeSeal(ctx, c.view.fileNames(), c.base)
	}
	if err == nil {
		err = s.findWaiting(c.Dir, c.base, c.from)
	}
	if err != nil {
		return errors.Join(err, c.Abort())
	}
	return c.replaceSeal(s)
}

// replaceSeal replaces FSTORE, which makes the new state the present state.
func (c *Change) replaceSeal(s *seal) error {
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

// end ends a change after the commit step. Its error says that the change is committed.
func (c *Change) end(err error) error {
	c.done = true
	c.view.end()
	if err = errors.Join(err, c.unlock()); err != nil {
		return fmt.Errorf("committed, but: %w", err)
	}
	return nil
}
