package store

import (
	"context"
	"errors"
	"fmt"
	"io"
	"io/fs"
	"maps"
	"math"

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
	// Overwrite makes a new store in the place of the one that is there, if any.
	Overwrite
)

// WriteOptions are how a writer begins.
type WriteOptions struct {
	Options
	Mode Mode
	// Keep leaves, when a run is aborted, what Resume goes on from: the files of a new store
	// up to the last Checkpoint, and the states and the kept files of the run.
	Keep bool
	// Resume goes on from the last Checkpoint of a new store, where there is one, see
	// Writer.Resumed; Writer.State and Writer.OpenKept find what is left, also in a store
	// that is appended to. It implies Keep. A writer that begins without it removes what
	// is left.
	Resume bool
}

// Writer is the one writer of a store. Its methods belong to one goroutine, but for those
// that say so (of states, kept and scratch files), those of its Store, and those of the
// loaders, each of which has a goroutine.
type Writer struct {
	dir  string
	fs   vfs.FS
	opts WriteOptions

	lock    io.Closer // keeps other writers out
	there   found     // when the lock was taken
	made    bool      // the directory, by this run or the one that it goes on from
	base    *seal     // of the state that is there; empty where none is, or it cannot be read
	baseErr error     // why it cannot
	from    uint64    // the writer's files have numbers from this one on; 0 before there are any
	oldEnd  uint64    // those of a run before that did not finish, from this one on

	view      *view  // of the files in dir
	store     *Store // reads what is written; its meta is the pending one
	meta      *Meta  // pending
	committed *Meta  // nil in a new store
	resumed   bool

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

// Begin opens dir for writing. Errors are ErrNotEmpty (there is something else than a store:
// always refused), ErrExists, ErrNotStore, ErrLocked, ErrVersion and
// ErrDamaged, or an error of the file system. Until Commit returns, nobody else
// sees a difference.
func Begin(dir string, o WriteOptions) (_ *Writer, err error) {
	o.Options = o.Options.withDefaults()
	o.Keep = o.Keep || o.Resume
	w := &Writer{fs: o.FS, opts: o, base: &seal{}}
	if w.dir, err = resolve(o.FS, dir); err != nil {
		return nil, err
	}
	if err = w.admit(); err == nil {
		err = w.lockDir()
	}
	if err == nil {
		err = w.admit() // another process may have been there meanwhile
	}
	if err == nil {
		err = w.begin()
	}
	if err != nil {
		return nil, errors.Join(err, w.Abort())
	}
	return w, nil
}

// admit finds out what is there, and refuses it where the mode does not allow it.
func (w *Writer) admit() (err error) {
	if w.there, err = look(w.fs, w.dir); err != nil {
		return err
	}
	detail := whatElse(w.fs, w.dir, w.there)
	switch {
	case w.there == somethingElse:
		return &Error{Dir: w.dir, Kind: ErrNotEmpty, Detail: detail}
	case w.there == aStore && w.opts.Mode == Create:
		return &Error{Dir: w.dir, Kind: ErrExists}
	case w.there != aStore && w.opts.Mode == Append, w.there == aFile, w.there == nothing && detail != "":
		return &Error{Dir: w.dir, Kind: ErrNotStore, Detail: detail}
	}
	return nil
}

// lockDir locks the directory, which it makes where it is missing.
func (w *Writer) lockDir() error {
	why := "another process is writing it"
	if w.there != aStore {
		why = "another process is building it"
	}
	return patiently(func(err error) bool { return errors.Is(err, fs.ErrNotExist) }, func() (err error) {
		names, err := w.fs.List(w.dir)
		if errors.Is(err, fs.ErrNotExist) {
			w.made = true
			err = makeDir(w.fs, w.dir)
		} else if w.there == nothing && len(names) > 0 {
			w.made = true // a run made it that was killed before it could say so
		}
		if err == nil {
			w.lock, err = lockToWrite(w.fs, w.dir, why) // a run that is given up may remove the directory now
		}
		if err == nil {
			_, err = unread(w.fs, w.dir, 0, 0) // makes the file that readers lock, who may not be allowed to
		}
		return err
	})
}

// begin opens the database, and removes what writers before have left.
func (w *Writer) begin() (err error) {
	if w.there == aStore {
		w.base, w.baseErr = readSeal(w.fs, w.dir)
		switch {
		case w.baseErr != nil:
			w.base, err = &seal{}, w.baseErr
		case w.opts.Mode == Append:
			err = w.base.verifySmall(w.fs, w.dir)
		}
		if w.opts.Mode == Append && err != nil {
			return err
		}
		if w.base.version == 1 {
			if err = w.base.findWaiting(w.fs, w.dir, w.base, 0); err != nil {
				return err
			}
		}
	}
	w.oldEnd = math.MaxUint64
	mark, err := readSealFile(w.fs, w.dir, markName)
	switch {
	case errors.Is(err, ErrNotStore), errors.Is(err, ErrDamaged): // it is not there, or of no use
	case err != nil:
		return err
	default:
		w.made, w.oldEnd = w.made || mark.made, mark.next
		if w.opts.Resume && w.opts.Mode != Append && mark.next >= w.base.next {
			if done, err := w.resume(mark.next); done || err != nil {
				return err
			}
		}
	}
	return w.beginAnew()
}

// sweep deletes the files that are of no use with numbers from from to below to. Those of a
// store whose FSTORE cannot be read may be of use.
func (w *Writer) sweep(from, to uint64) error {
	if w.baseErr != nil && (w.from == 0 || from < w.from) {
		return nil
	}
	return sweep(w.fs, w.dir, w.base, from, to)
}

// resume goes on from an unfinished run; done is false where nothing was saved there yet, or
// it cannot be read. Another error, as one of the disk, may be gone the next time, and what is
// there must not.
func (w *Writer) resume(from uint64) (done bool, err error) {
	w.from = from
	if err := w.sweep(0, from); err != nil {
		return false, err
	}
	names, err := w.fs.List(w.dir)
	if err != nil {
		return false, err
	}
	w.view = viewOf(w.fs, w.dir, nil, from)
	for _, name := range names {
		w.view.files[name] = isDataName(name) && w.view.own(name)
	}
	maps.DeleteFunc(w.view.files, func(_ string, own bool) bool { return !own })
	if err = w.open(); err == nil {
		w.committed, err = w.store.readMeta()
	}
	if errors.Is(err, ErrDamaged) || errors.Is(err, ErrVersion) {
		w.committed = nil
		return false, w.closeStore()
	}
	if err == nil {
		w.resumed = true
		err = errors.Join(w.clean(), w.pend())
	}
	return err == nil, err
}

// beginAnew begins a run that goes on from no other.
func (w *Writer) beginAnew() error {
	w.from = 0
	err := w.sweep(0, math.MaxUint64)
	if err != nil {
		return err
	}
	names, err := w.fs.List(w.dir)
	if err == nil {
		w.from, err = freshNumber(names, w.base.next)
	}
	if err != nil {
		return err
	}
	if w.opts.Mode == Append {
		w.view = viewOf(w.fs, w.dir, w.base.files, w.from)
		err = removeFile(w.fs, w.fs.PathJoin(w.dir, markName))
	} else {
		w.view = viewOf(w.fs, w.dir, nil, w.from)
		mark := seal{version: FormatVersion, next: w.from, made: w.made}
		if err = replaceFile(w.fs, w.dir, markName, mark.encode()); err == nil {
			err = w.view.seed()
		}
	}
	if err == nil {
		err = w.open()
	}
	if err == nil && w.opts.Mode == Append {
		w.committed, err = w.store.readMeta()
	}
	if err != nil {
		return err
	}
	return w.pend()
}

// open opens the database in w.dir for writing, of the files in w.view.
func (w *Writer) open() (err error) {
	if err := removeLoad(w.fs, w.dir, w.opts.Resume); err != nil {
		return err
	}
	if err := w.fs.MkdirAll(w.fs.PathJoin(w.dir, loadName), 0o777); err != nil {
		return err
	}
	if w.store, err = openDatabase(w.dir, w.base, w.view, w.opts.Options, false); err != nil {
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
	w.meta = &Meta{Version: FormatVersion, Generation: uint32(w.from)}
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
	w.meta.Version, w.meta.Generation = FormatVersion, uint32(w.from)
	if w.resumed { // the run that made this goes on
		w.expansions = len(w.meta.Files)
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
