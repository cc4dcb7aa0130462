package store

import (
	"context"
	"errors"
	"fmt"
	"io"

	"github.com/cockroachdb/pebble/v2"
	"github.com/cockroachdb/pebble/v2/vfs"

	"fstore/index"
)

// Mode says what Begin expects to find.
type Mode uint8

const (
	// Create makes a new store: ErrExists where there is one.
	Create Mode = iota
	// Append changes the store that is there, ErrNotStore where there is none.
	Append
	// Overwrite makes a new store and then replaces the one that is there, if any.
	Overwrite
)

// WriteOptions are how a writer begins.
type WriteOptions struct {
	Options
	Mode Mode
	// KeepStage leaves, when a run is aborted, what Resume goes on from: STORE.building,
	// or in a store that is appended to the states and the kept files of the run.
	KeepStage bool
	// Resume goes on from the last Checkpoint in STORE.building, where there is one, see
	// Writer.Resumed; Writer.State and Writer.OpenKept find what is left, also in a store
	// that is appended to. It implies KeepStage.
	Resume bool
}

// Writer is the one writer of a store. Its methods belong to one goroutine, but for those
// that say so (of states, kept and scratch files), those of its Store, and those of the
// loaders, each of which has a goroutine.
type Writer struct {
	target string // the store's directory
	dir    string // where is written: the target, or the stage
	fs     vfs.FS
	opts   WriteOptions

	lock       io.Closer // keeps other writers from dir
	targetLock io.Closer // and from a target that will be replaced; or nil
	noReaders  io.Closer // keeps readers from that while it is replaced; or nil
	staged     bool      // dir is a stage that is this writer's

	view       *view  // of the files in dir
	store      *Store // reads what is written; its meta is the pending one
	meta       *Meta  // pending
	committed  *Meta  // nil in a new store
	resumed    bool
	sealBefore *seal // of the state that is appended to; or nil

	bulk       *bulk
	written    [index.NumClasses]uint32 // symbols
	labels     labelSet
	fragments  map[uint32]*fragmentSet
	created    map[string]FileInfo // files beside the database, closed
	expansions int                 // of the files, that were created
	loading    bool                // samples are being added
	selecting  int                 // selections that are not closed
	numbers    uint32              // given to selections and models of this generation

	done bool
}

// Begin opens dir for writing. Errors are ErrNotEmpty (a directory that is no store
// has files, or one that would be removed has files that are not the store's:
// always refused), ErrExists, ErrNotStore, ErrLocked, ErrVersion and
// ErrDamaged, or an error of the file system. Until Commit returns, nobody else
// sees a difference.
func Begin(dir string, o WriteOptions) (*Writer, error) {
	o.Options = o.Options.withDefaults()
	o.KeepStage = o.KeepStage || o.Resume
	f := o.FS
	dir = f.PathJoin(dir)
	if b := f.PathBase(dir); dir == "" || b == "." || b == ".." {
		return nil, fmt.Errorf("%q: a store needs a directory with a name", dir)
	}
	if err := settle(f, dir); err != nil {
		return nil, err
	}
	what, err := look(f, dir)
	if err != nil {
		return nil, err
	}
	switch {
	case what == somethingElse:
		return nil, &Error{Dir: dir, Kind: ErrNotEmpty, Detail: "it is no store"}
	case what == aStore && o.Mode == Create:
		return nil, &Error{Dir: dir, Kind: ErrExists}
	case what == nothing && o.Mode == Append:
		return nil, &Error{Dir: dir, Kind: ErrNotStore}
	case what == aStore && o.Mode == Overwrite:
		if err := checkReplaceable(f, dir); err != nil {
			return nil, err
		}
	}
	w := &Writer{target: dir, dir: dir, fs: f, opts: o}
	if o.Mode == Append {
		err = w.beginAppend()
	} else {
		err = w.beginStage(what == aStore)
	}
	if err != nil {
		return nil, errors.Join(err, w.Abort())
	}
	return w, nil
}

// beginAppend opens the database in place. What is there stays as it is until the
// writer seals its own state; readers may come and go.
func (w *Writer) beginAppend() (err error) {
	if w.lock, err = lockToWrite(w.fs, w.dir); err != nil {
		return err
	}
	before, err := readSeal(w.fs, w.dir)
	if err != nil {
		return err
	}
	if !before.sealed {
		if before, err = w.sealUnsealed(); err != nil {
			return err
		}
	}
	if err := before.verifySmall(w.fs, w.dir); err != nil {
		return err
	}
	if err := sweep(w.fs, w.dir, before); err != nil {
		return err
	}
	w.sealBefore, w.view = before, viewOf(w.fs, w.dir, before)
	if err := errors.Join(w.view.spare(), w.open()); err != nil {
		return err
	}
	if w.committed, err = w.store.readMeta(); err != nil {
		return err
	}
	return w.pend()
}

// sealUnsealed seals a store without a seal: a program that changed what was there was
// killed. It is an ErrLocked where somebody reads it.
func (w *Writer) sealUnsealed() (s *seal, err error) {
	if w.noReaders, err = lockOutReaders(w.fs, w.dir); err != nil {
		return nil, err
	}
	if w.view, err = viewOfDir(w.fs, w.dir); err != nil {
		return nil, err
	}
	w.view.takeOver()
	if w.store, err = openDatabase(w.dir, nil, w.view, w.opts.Options, false); err != nil {
		return nil, err
	}
	if w.committed, err = w.store.readMeta(); err != nil {
		return nil, err
	}
	if err := errors.Join(w.clean(), w.closeStore()); err != nil {
		return nil, err
	}
	if s, err = makeSeal(context.Background(), w.fs, w.dir, w.view.names(), nil); err != nil {
		return nil, err
	}
	err = errors.Join(writeSeal(w.fs, w.dir, s), w.noReaders.Close())
	w.noReaders = nil
	return s, err
}

// beginStage opens a new database in the stage.
func (w *Writer) beginStage(replaces bool) (err error) {
	w.dir = w.target + buildingSuffix
	var kept bool
	if w.lock, kept, err = openStage(w.fs, w.target, w.opts.Resume); err != nil {
		return err
	}
	w.staged = true
	if replaces {
		if err := w.holdTarget(); err != nil {
			return err
		}
	}
	err = w.openStage()
	if err == nil && kept {
		w.committed, err = w.store.readMeta()
	}
	if kept && isLost(err) { // from the start
		w.committed = nil
		if err := errors.Join(w.closeStore(), w.lock.Close()); err != nil {
			return err
		}
		if w.lock, kept, err = openStage(w.fs, w.target, false); err != nil {
			return err
		}
		err = w.openStage()
	}
	if err != nil {
		return err
	}
	w.resumed = kept
	if kept {
		if err := w.clean(); err != nil {
			return err
		}
	}
	return w.pend()
}

// holdTarget keeps other writers from the store to be replaced until the swap;
// readers may come and go, but there is none at the beginning, as the end would have to
// wait for it.
func (w *Writer) holdTarget() (err error) {
	if w.targetLock, err = lockToWrite(w.fs, w.target); err != nil {
		return err
	}
	l, err := lockOutReaders(w.fs, w.target)
	if err != nil {
		return err
	}
	return l.Close()
}

// openStage opens the database in the stage, all of whose files are the writer's.
func (w *Writer) openStage() (err error) {
	if w.view, err = viewOfDir(w.fs, w.dir); err != nil {
		return err
	}
	w.view.takeOver()
	return w.open()
}

// open opens the database in w.dir for writing, of the files in w.view.
func (w *Writer) open() (err error) {
	if err := removeLoad(w.fs, w.dir, w.opts.Resume); err != nil {
		return err
	}
	if err := w.fs.MkdirAll(w.fs.PathJoin(w.dir, loadName), 0o777); err != nil {
		return err
	}
	if w.store, err = openDatabase(w.dir, w.sealBefore, w.view, w.opts.Options, false); err != nil {
		return err
	}
	w.bulk = &bulk{
		fs: w.fs, dir: w.fs.PathJoin(w.dir, loadName),
		opts: tableOptions(databaseOptions(w.view, w.store.fatal, false)),
	}
	return nil
}

// pend makes the pending meta out of the committed one.
func (w *Writer) pend() error {
	w.fragments = map[uint32]*fragmentSet{}
	w.created = map[string]FileInfo{}
	w.meta = &Meta{Version: FormatVersion, Generation: 1}
	w.store.meta = w.meta
	if w.committed == nil {
		w.store.symbols = index.NewSymbols()
		return nil
	}
	b, err := encodeMeta(w.committed)
	if err != nil {
		return err
	}
	if w.meta, err = decodeMeta(w.dir, b); err != nil { // a deep copy
		return err
	}
	if w.resumed { // the run that made this goes on
		w.expansions = len(w.meta.Files)
	} else {
		w.meta.Generation++
	}
	w.store.meta = w.meta
	w.written = w.meta.Symbols
	w.store.symbols, err = w.store.loadSymbols()
	return err
}

// Meta is what Commit will write: the writer's own counts, and whatever the caller
// changes. Spaces[i].Generation and the counts of samples and symbols are the
// writer's business.
func (w *Writer) Meta() *Meta { return w.meta }

// Store reads what is there and what has been written: samples after
// SampleWriter.Close, the fragments of a space after FinishFragments.
func (w *Writer) Store() *Store { return w.store }

// Symbols are the tables that the samples' trees refer to, to be interned into:
// empty in a new store. Commit writes what is new.
func (w *Writer) Symbols() *index.Symbols { return w.store.symbols }

// Resumed says whether the writer goes on from a Checkpoint: Meta, Symbols and
// Store then begin with what was there.
func (w *Writer) Resumed() bool { return w.resumed }

// ingest makes the whole tables part of the database, in one step. The keys in
// replaced go in the same step.
func (w *Writer) ingest(replaced span) error {
	tables := w.bulk.take()
	if len(tables) == 0 {
		return nil
	}
	err := w.store.fatal.do(func() (err error) {
		if replaced.lo == nil {
			return w.store.db.Ingest(context.Background(), tables)
		}
		_, err = w.store.db.IngestAndExcise(context.Background(), tables, nil, nil,
			pebble.KeyRange{Start: replaced.lo, End: replaced.hi})
		return err
	})
	if err != nil {
		return fmt.Errorf("%s: ingest: %w", w.dir, err)
	}
	return nil
}

// flushSymbols writes the symbols that are not written yet.
func (w *Writer) flushSymbols() error {
	syms := w.store.symbols
	t := w.bulk.sorted()
	if err := writeSymbols(t, syms, w.written); err != nil {
		t.abandon()
		return err
	}
	if err := t.close(); err != nil {
		return err
	}
	for c := range w.written {
		w.written[c] = uint32(syms.Len(index.Class(c)))
	}
	w.meta.Symbols = w.written
	return nil
}
