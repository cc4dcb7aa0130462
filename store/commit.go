package store

import (
	"context"
	"errors"
	"fmt"
	"io/fs"
	"math"
	"slices"
)

// Commit makes everything written part of the store, in one step, and closes the
// writer. The step is the rename of the new FSTORE. After an error the store is as it was,
// unless the error says otherwise.
func (w *Writer) Commit() error { return w.CommitContext(context.Background()) }

// CommitContext is Commit that ends before its step where ctx is done, with its error.
func (w *Writer) CommitContext(ctx context.Context) error {
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
	var s *seal
	if err == nil {
		s, err = makeSeal(ctx, w.fs, w.dir, w.view.names(), w.base)
	}
	if err == nil {
		err = s.findWaiting(w.fs, w.dir, w.base, w.from)
	}
	if err != nil {
		return errors.Join(err, w.Abort())
	}
	return w.seal(s)
}

// seal takes the step.
func (w *Writer) seal(s *seal) error {
	if err := writeSeal(w.fs, w.dir, s); err != nil {
		switch taken, rerr := isSealedBy(w.fs, w.dir, s); {
		case errors.Is(rerr, fs.ErrNotExist), rerr == nil && !taken:
			return errors.Join(err, w.Abort())
		case rerr != nil: // the files of both states stay
			return fmt.Errorf("it is not known whether this was committed: %w", errors.Join(err, rerr, w.end(nil)))
		}
		return w.end(err) // it may be undone when the power fails: both states stay
	}
	// From here on it is the new store. What stays of the old one, or of this run, is no
	// reason to fail: the next writer deletes it too.
	_ = removeFile(w.fs, w.fs.PathJoin(w.dir, markName))
	_ = removeLoad(w.fs, w.dir, false)
	_ = sweep(w.fs, w.dir, s, 0, math.MaxUint64)
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

// Abort gives up what was not committed and closes the writer: its files go, unless Keep,
// and with those of a new store the directory that was made for it. After Commit it does
// nothing.
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
		w.view.end()
	}
	if w.lock == nil {
		return err
	}
	if w.opts.Mode == Append || !w.opts.Keep {
		err = errors.Join(err, removeLoad(w.fs, w.dir, w.opts.Keep))
		if w.from > 0 {
			err = errors.Join(err, w.sweep(w.from, math.MaxUint64))
		}
		if w.opts.Mode != Append {
			err = errors.Join(err, w.unmake())
		}
	}
	return errors.Join(err, w.unlock())
}

// unmake removes what says that a new store was being made, and, where there was none, the
// directory that was made for it. Foreign files stay, and with them the directory. So does
// UNFINISHED beside what could not be removed, and that of another run.
func (w *Writer) unmake() error {
	names, err := w.fs.List(w.dir)
	marked := slices.Contains(names, markName)
	left := func(name string) bool { return name != markName && (isDataName(name) || isTempName(name)) }
	if err != nil || marked && w.from == 0 || w.there != aStore && slices.ContainsFunc(names, left) {
		return err
	}
	if marked {
		err = errors.Join(syncDir(w.fs, w.dir), removeFile(w.fs, w.fs.PathJoin(w.dir, markName)))
	}
	if err != nil || w.there == aStore {
		return err
	}
	_ = w.fs.Remove(w.fs.PathJoin(w.dir, lockName))
	path := w.fs.PathJoin(w.dir, writerLockName)
	busy := w.fs.Remove(path) // where the system allows it: who opened it meanwhile sees that it is gone
	if err = w.unlock(); busy != nil {
		_ = w.fs.Remove(path)
	}
	if names, _ := w.fs.List(w.dir); w.made && len(names) == 0 {
		_ = w.fs.Remove(w.dir)
	}
	return err
}

// end ends a writer whose step is taken, and says so of an error after it.
func (w *Writer) end(err error) error {
	w.done = true
	w.view.end()
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

// unlock lets other writers in.
func (w *Writer) unlock() error {
	if w.lock == nil {
		return nil
	}
	l := w.lock
	w.lock = nil
	return l.Close()
}
