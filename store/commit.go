package store

import (
	"errors"
	"fmt"
	"io"
	"time"
)

// patience is how long the swap of an overwrite waits for readers to finish.
const patience = 2 * time.Second

// Commit makes everything written part of the store, in one step, and closes the
// writer. In a store that is appended to, the step is the rename of its new FSTORE; in
// a new one it is the rename of the stage. After an error the store is as it was,
// unless the error says otherwise.
func (w *Writer) Commit() error {
	if w.done {
		return errors.New("store: Commit of a writer that is closed")
	}
	err := w.writeMeta()
	if err == nil {
		w.committed = w.meta
		err = w.clean(false) // of the generations before, and the state of the run
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
		return w.sealAppended()
	}
	return w.publish()
}

// sealAppended takes the step for a store that is appended to.
func (w *Writer) sealAppended() error {
	s, err := makeSeal(w.fs, w.dir, w.view.names(), w.sealBefore)
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

// publish gives the stage its name.
func (w *Writer) publish() error {
	if err := w.sealStage(); err != nil {
		return errors.Join(err, w.Abort())
	}
	old := w.target + replacedSuffix
	replaces := w.targetLock != nil
	if replaces {
		if err := w.lockOutReaders(); err != nil {
			return errors.Join(err, w.Abort())
		}
	}
	if !renameLocked {
		if err := w.unlock(); err != nil {
			return errors.Join(err, w.Abort())
		}
	}
	if replaces {
		if err := rename(w.fs, w.target, old); err != nil {
			return errors.Join(err, w.putBack(), w.Abort())
		}
	}
	if err := rename(w.fs, w.dir, w.target); err != nil {
		if replaces {
			err = errors.Join(err, w.putBack())
		}
		return errors.Join(err, w.Abort())
	}
	var err error
	if replaces {
		err = removeStore(w.fs, old)
	}
	return w.end(err)
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

// lockOutReaders waits for the readers of the store to be replaced.
func (w *Writer) lockOutReaders() error {
	return whileLocked(patience, func() (err error) {
		w.noReaders, err = lockOutReaders(w.fs, w.target)
		return err
	})
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
	case w.opts.Mode != Append && w.lock != nil && !w.opts.KeepStage:
		err = errors.Join(err, w.removeStage())
	}
	return errors.Join(err, w.unlock())
}

func (w *Writer) removeStage() (err error) {
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
func (w *Writer) sealStage() error {
	if err := removeLoad(w.fs, w.dir, false); err != nil {
		return err
	}
	s, err := makeSeal(w.fs, w.dir, w.view.names(), nil)
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
