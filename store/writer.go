package store

import (
	"errors"

	"fstore/index"
	"fstore/store/disk"
	"fstore/store/runfile"
)

// Writer is the one writer of a store. Its methods belong to one goroutine, but for those
// that say so, those of its Store, and those of the loaders, each of which has a goroutine.
type Writer struct {
	opts   WriteOptions
	change *disk.Change

	store     *Store // reads what is written; its meta is the pending one
	symbols   *index.Symbols
	meta      *Meta // pending
	committed *Meta // nil in a new store
	resumed   bool

	labels     labelSet
	fragments  map[uint32]*fragmentSet
	created    map[string]FileInfo // files beside the database, closed, or of the state before
	expansions int                 // of the files, that were created
	loading    bool                // samples are being added
	selecting  int                 // selections that are not closed
	numbers    uint32              // given to selections and models of this generation

	done bool
}

// Begin opens dir for writing. Its errors are those of disk.Begin. Until Commit returns, nobody else
// sees a difference.
func Begin(dir string, o WriteOptions) (*Writer, error) {
	w := &Writer{opts: o}
	d := o.disk()
	d.Mode, d.Keep, d.Resume = o.Mode, o.Keep, o.Resume
	var err error
	if w.change, err = disk.Begin(dir, d); err != nil {
		return nil, err
	}
	if err = w.resume(); err == nil && !w.resumed {
		err = w.beginAnew()
	}
	if err == nil {
		err = w.pend()
	}
	if err != nil {
		return nil, errors.Join(err, w.Abort())
	}
	return w, nil
}

// resume goes on from an unfinished run, where something was saved there that can be read.
func (w *Writer) resume() error {
	db, err := w.change.Resume()
	if err != nil || db == nil {
		return err
	}
	w.store = w.opts.over(db)
	switch w.committed, err = w.store.readMeta(); {
	case errors.Is(err, ErrDamaged), errors.Is(err, ErrVersion):
		return nil
	case err != nil:
		return err
	}
	w.resumed = true
	return w.clean()
}

// beginAnew begins a run that goes on from no other.
func (w *Writer) beginAnew() error {
	db, err := w.change.Anew()
	if err != nil {
		return err
	}
	w.store = w.opts.over(db)
	if w.opts.Mode == Append {
		w.committed, err = w.store.readMeta()
	}
	return err
}

// pend makes the pending meta out of the committed one.
func (w *Writer) pend() (err error) {
	w.fragments = map[uint32]*fragmentSet{}
	w.created = map[string]FileInfo{}
	w.meta = new(Meta)
	if w.committed != nil {
		b, err := encodeMeta(w.committed)
		if err != nil {
			return err
		}
		if w.meta, err = decodeMeta(w.change.Dir, b); err != nil { // a deep copy
			return err
		}
	}
	w.meta.Version, w.meta.Generation = FormatVersion, uint32(w.change.Number())
	if w.resumed { // the run that made this goes on
		w.expansions = len(w.meta.Files)
	}
	w.store.meta = w.meta
	for _, f := range w.meta.Files {
		w.created[f.Name] = f
	}
	w.symbols, err = w.store.Symbols()
	return err
}

// Meta is what Commit will write. The caller may change it, but for the counts of samples and symbols
// and Spaces[i].Generation.
func (w *Writer) Meta() *Meta { return w.meta }

// Store reads what is there and what has been written: samples after
// SampleWriter.Close, the fragments of a space after FinishFragments.
func (w *Writer) Store() *Store { return w.store }

// Symbols are the tables that the samples' trees refer to, to be interned into:
// empty in a new store. Commit writes what is new.
func (w *Writer) Symbols() *index.Symbols { return w.symbols }

// Resumed says whether the writer goes on from a Checkpoint: Meta, Symbols and
// Store then begin with what was there.
func (w *Writer) Resumed() bool { return w.resumed }

// Scratch is a directory for the run's own files. They are gone when the writer is closed, but
// for states and kept files, see WriteOptions.Keep. It may be called from any goroutine.
func (w *Writer) Scratch() *runfile.Dir { return runfile.In(w.change.FS, w.change.Load().Path) }
