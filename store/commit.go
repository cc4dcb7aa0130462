package store

import (
	"context"
	"errors"
	"fmt"
	"io"
	"io/fs"
	"time"

	"fstore/index"
)

// patience is how long it is waited for what others do in moments.
const patience = 2 * time.Second

// Commit makes everything written part of the store, in one step, and closes the
// writer. In a store that is appended to, the step is the rename of its new FSTORE; in
// a new one it is the rename of the stage. After an error the store is as it was,
// unless the error says otherwise. It is an ErrLocked where a store that is replaced is
// read, and that does not end in a moment.
func (w *Writer) Commit() error {
	return w.commit(context.Background(), func() error { return whileLocked(patience, w.lockOutReaders) })
}

// CommitUnread is Commit that waits for the readers of a store that is replaced until
// there are none, however long they read, and tells progress of the seconds; or until ctx is
// done, whose error it then returns.
func (w *Writer) CommitUnread(ctx context.Context, progress index.Progress) error {
	return w.commit(ctx, func() error { return w.awaitReaders(ctx, progress) })
}

// commit is Commit. lockOut gets the lock that keeps readers from a store to be replaced.
func (w *Writer) commit(ctx context.Context, lockOut func() error) error {
	if w.done {
		return errors.New("store: Commit of a writer that is closed")
	}
	err := w.writeMeta()
	if err == nil {
		w.committed = w.meta
		err = w.clean() // of the generations before
	}
	if err == nil {
		err = w.writeMetaCopy()
	}
	if err == nil {
		err = w.closeStore()
	}
	if err != nil {
		return errors.Join(err, w.Abort())
	}
	if w.opts.Mode == Append {
		return w.sealAppended(ctx)
	}
	return w.publish(ctx, lockOut)
}

// sealAppended takes the step for a store that is appended to.
func (w *Writer) sealAppended(ctx context.Context) error {
	s, err := makeSeal(ctx, w.fs, w.dir, w.view.names(), w.sealBefore)
	if err != nil {
		return errors.Join(err, w.Abort())
	}
	if err := writeSeal(w.fs, w.dir, s); err != nil {
		switch taken, rerr := isSealedBy(w.fs, w.dir, s); {
		case rerr != nil: // the files of both states stay
			return fmt.Errorf("it is not known whether this was committed: %w", errors.Join(err, rerr, w.end(nil)))
		case !taken:
			return errors.Join(err, w.Abort())
		}
		return w.end(err) // it may be undone when the power fails: both states stay
	}
	// From here on it is the new store. What stays of the old one is no reason to fail:
	// the next writer deletes it too.
	_ = removeLoad(w.fs, w.dir, false)
	_ = sweep(w.fs, w.dir, s)
	return w.end(nil)
}

// Checkpoint makes what is written so far what a later run with Resume begins
// with, and goes on. It does nothing in a store that is appended to.
func (w *Writer) Checkpoint() error {
	if w.opts.Mode == Append {
		return nil
	}
	return w.writeMeta()
}

// writeMeta ingests what is left to ingest, and the meta key with it.
func (w *Writer) writeMeta() error {
	if err := w.checkFinished(); err != nil {
		return err
	}
	if err := w.flushSymbols(); err != nil {
		return err
	}
	if err := w.writeLabels(); err != nil {
		return err
	}
	if err := w.nameFiles(); err != nil {
		return err
	}
	if err := w.meta.check(); err != nil {
		return fmt.Errorf("%s: %w", w.dir, err)
	}
	b, err := encodeMeta(w.meta)
	if err != nil {
		return err
	}
	t := w.bulk.sorted()
	if err := errors.Join(t.put(metaKey, b), t.close()); err != nil {
		return err
	}
	return w.ingest(prefixSpan(metaKey))
}

// checkFinished refuses to commit what is half written.
func (w *Writer) checkFinished() error {
	if w.loading {
		return errors.New("store: Commit before SampleWriter.Close")
	}
	if w.selecting > 0 {
		return errors.New("store: Commit before SelectionWriter.Close")
	}
	for space, set := range w.fragments {
		if !set.finished {
			return fmt.Errorf("store: Commit before FinishFragments of space %d", space)
		}
	}
	return nil
}

// publish gives the stage its name. What a run with Resume goes on from stays until then.
func (w *Writer) publish(ctx context.Context, lockOut func() error) error {
	replaces := w.targetLock != nil
	err := w.sealStage(ctx)
	if err == nil && replaces {
		err = lockOut()
	}
	if err == nil && !renameLocked {
		err = w.unlock()
	}
	if err == nil {
		err = w.swap(replaces)
	}
	if err != nil {
		return errors.Join(err, w.Abort())
	}
	return w.end(w.tidy(replaces))
}

// swap gives the stage the name of the store, which replaces says there is.
func (w *Writer) swap(replaces bool) error {
	if !replaces {
		return rename(w.fs, w.dir, w.target)
	}
	err := rename(w.fs, w.target, w.target+replacedSuffix)
	if err == nil {
		err = rename(w.fs, w.dir, w.target)
	}
	if err != nil {
		return errors.Join(err, w.putBack())
	}
	return nil
}

// tidy removes what the swap has left: the files of the run, which the next writer deletes
// as well, and the store that was replaced.
func (w *Writer) tidy(replaced bool) error {
	if !renameLocked { // others may write and read already
		if replaced {
			if err := settle(w.fs, w.target); !errors.Is(err, ErrLocked) {
				return err
			}
		}
		return nil
	}
	_ = removeLoad(w.fs, w.target, false)
	if replaced {
		return removeStore(w.fs, w.target+replacedSuffix)
	}
	return nil
}

// putBack gives the store that was to be replaced its name again, where a rename took it
// that then failed. Its lock is held, or is no hindrance.
func (w *Writer) putBack() error {
	old := w.target + replacedSuffix
	if what, err := look(w.fs, w.target); err != nil || what != nothing {
		return err
	}
	if what, err := look(w.fs, old); err != nil || what != aStore {
		return err
	}
	return rename(w.fs, old, w.target)
}

// lockOutReaders keeps readers from the store to be replaced, an ErrLocked where there are.
func (w *Writer) lockOutReaders() (err error) {
	w.noReaders, err = lockOutReaders(w.fs, w.target)
	return err
}

// awaitReaders is lockOutReaders that waits until ctx is done.
func (w *Writer) awaitReaders(ctx context.Context, progress index.Progress) error {
	for waited := false; ctx.Err() == nil; waited = true {
		err := whileLocked(time.Second, w.lockOutReaders)
		if !errors.Is(err, ErrLocked) {
			return err
		}
		if !waited {
			progress.Step("wait for the readers of "+w.target, "seconds", 0)
		}
		progress.Add(1)
	}
	return ctx.Err()
}

// Abort gives up what was not committed and closes the writer: a stage goes,
// unless KeepStage. After Commit it does nothing.
func (w *Writer) Abort() error {
	if w.done {
		return nil
	}
	w.done = true
	said := w.store != nil && w.store.fatal.broken() // by what failed
	err := w.closeStore()
	if said {
		err = nil
	}
	if w.view != nil {
		w.view.end(w.sealBefore != nil)
	}
	switch {
	case w.sealBefore != nil:
		err = errors.Join(err, removeLoad(w.fs, w.dir, w.opts.KeepStage))
	case w.staged && !w.opts.KeepStage:
		err = errors.Join(err, w.removeStage())
	}
	return errors.Join(err, w.unlock())
}

// removeStage removes the stage, unless another writer has it: its lock may have been given
// up for the renames.
func (w *Writer) removeStage() (err error) {
	if w.lock == nil {
		w.lock, err = lockToWrite(w.fs, w.dir)
		if errors.Is(err, ErrLocked) || errors.Is(err, fs.ErrNotExist) {
			return nil
		}
		if err != nil {
			return err
		}
	}
	if !renameLocked {
		err = w.lock.Close()
		w.lock = nil
	}
	return errors.Join(err, removeStore(w.fs, w.dir))
}

// end ends a writer whose step is taken, and says so of an error after it.
func (w *Writer) end(err error) error {
	w.done = true
	w.view.end(false)
	if err = errors.Join(err, w.unlock()); err != nil {
		return fmt.Errorf("committed, but: %w", err)
	}
	return nil
}

// closeStore closes the database, if it is open. It is an error where the database gave
// up and cannot be closed.
func (w *Writer) closeStore() error {
	if w.store == nil {
		return nil
	}
	s := w.store
	w.store = nil
	for _, set := range w.fragments {
		set.abandon()
	}
	if s.fatal.broken() {
		return errors.Join(s.fatal.err, s.Close())
	}
	return s.Close()
}

// sealStage seals the stage, whose database is closed.
func (w *Writer) sealStage(ctx context.Context) error {
	s, err := makeSeal(ctx, w.fs, w.dir, w.view.names(), nil)
	if err != nil {
		return err
	}
	return writeSeal(w.fs, w.dir, s)
}

// unlock releases what is locked.
func (w *Writer) unlock() (err error) {
	for _, l := range []*io.Closer{&w.noReaders, &w.lock, &w.targetLock} {
		if *l != nil {
			err = errors.Join(err, (*l).Close())
			*l = nil
		}
	}
	return err
}
