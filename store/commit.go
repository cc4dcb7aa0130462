package store

import (
	"errors"
	"fmt"
	"time"
)

// patience is how long the swap of an overwrite waits for readers to finish.
const patience = 2 * time.Second

// Commit makes everything written part of the store, in one step, and closes the
// writer. In a store that is appended to, the step is one ingestion that also
// sets the meta key; in a new one it is the rename of the stage. After an error
// the store is as it was, unless the error says otherwise.
func (w *Writer) Commit() error {
	if w.done {
		return errors.New("store: Commit of a writer that is closed")
	}
	if err := w.writeMeta(); err != nil {
		err = errors.Join(err, w.Abort())
		if w.committed != nil && w.committed.Generation == w.meta.Generation && w.opts.Mode == Append {
			err = fmt.Errorf("committed, but: %w", err) // the step was taken all the same
		}
		return err
	}
	w.committed = w.meta
	if w.opts.Mode == Append {
		// From here on it is the new store. What stays of the old one is no
		// reason to fail: the next writer deletes it too.
		_ = w.clean(false)
		if err := w.close(true); err != nil {
			return fmt.Errorf("committed, but: %w", err)
		}
		return nil
	}
	if err := w.clean(false); err != nil { // the state of the run
		return errors.Join(err, w.Abort())
	}
	return w.publish()
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
	if err := w.closeStore(); err != nil {
		return errors.Join(err, w.Abort())
	}
	if err := w.sealDir(false); err != nil {
		return errors.Join(err, w.Abort())
	}
	old := w.target + replacedSuffix
	replaces := w.targetLock != nil
	if replaces {
		if err := w.lockTarget(); err != nil {
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
			return errors.Join(err, w.Abort())
		}
	}
	if err := rename(w.fs, w.dir, w.target); err != nil {
		if replaces {
			err = errors.Join(err, settle(w.fs, w.target))
		}
		return errors.Join(err, w.Abort())
	}
	w.done = true
	var err error
	if replaces {
		err = removeStore(w.fs, old)
	}
	if err = errors.Join(err, w.unlock()); err != nil {
		return fmt.Errorf("committed, but: %w", err)
	}
	return nil
}

// lockTarget turns the shared lock of the store to be replaced into an exclusive one.
func (w *Writer) lockTarget() (err error) {
	err = w.targetLock.Close()
	w.targetLock = nil
	if err != nil {
		return err
	}
	w.targetLock, err = lockPatiently(w.fs, w.target, patience)
	return err
}

// Abort gives up what was not committed and closes the writer: a stage goes,
// unless KeepStage. After Commit it does nothing.
func (w *Writer) Abort() error {
	if w.done {
		return nil
	}
	if w.opts.Mode == Append && w.store != nil && !w.store.fatal.broken() {
		// An ingestion that returned an error may yet have happened.
		if m, err := w.store.readMeta(); err == nil {
			w.committed = m
			_ = w.clean(w.opts.KeepStage)
		}
	}
	return w.close(false)
}

// close ends the writer. A store that is appended to is sealed; a stage that is
// not whole goes.
func (w *Writer) close(committed bool) (err error) {
	w.done = true
	err = w.closeStore()
	switch {
	case w.lock == nil:
	case w.opts.Mode == Append:
		if err == nil && !w.broken && w.committed != nil {
			err = w.sealDir(!committed && w.opts.KeepStage)
		}
	case !committed && !w.opts.KeepStage:
		if !renameLocked {
			err = errors.Join(err, w.lock.Close())
			w.lock = nil
		}
		err = errors.Join(err, removeStore(w.fs, w.dir))
	}
	return errors.Join(err, w.unlock())
}

// closeStore closes the database, if it is open and can be closed.
func (w *Writer) closeStore() error {
	if w.store == nil {
		return nil
	}
	s := w.store
	w.store = nil
	for _, set := range w.fragments {
		set.abandon()
	}
	w.broken = s.fatal.broken()
	return s.Close()
}

// sealDir seals the directory, whose database is closed; keep is removeLoad's.
func (w *Writer) sealDir(keep bool) error {
	if err := removeLoad(w.fs, w.dir, keep); err != nil {
		return err
	}
	s, err := makeSeal(w.fs, w.dir, w.sealBefore)
	if err != nil {
		return err
	}
	return writeSeal(w.fs, w.dir, s)
}

// unlock releases what is locked.
func (w *Writer) unlock() (err error) {
	if w.lock != nil {
		err = w.lock.Close()
		w.lock = nil
	}
	if w.targetLock != nil {
		err = errors.Join(err, w.targetLock.Close())
		w.targetLock = nil
	}
	return err
}
