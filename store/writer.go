package store

import (
	"errors"

	"fstore/index"
	"fstore/store/disk"
	"fstore/store/runfile"
)

// Writer is the only writer of a store. Only one goroutine may call its methods. There are three exceptions:
// (1) methods whose comments say so, (2) methods of its Store, (3) each of its loaders has a goroutine of its
// own.
type Writer struct {
	opts   WriteOptions
	change *disk.Change

	store     *Store // reads what is written, with meta as its Meta
	symbols   *index.Symbols
	meta      *Meta // what Commit will write
	committed *Meta // meta of the last commit; nil in a new store
	resumed   bool

	labels     labelSet
	fragments  map[uint32]*fragmentSet
	created    map[string]FileInfo // files beside the database that are closed, or that the last state has
	expansions int                 // how many of these files were created
	loading    bool                // samples are being added
	selecting  int                 // selections that are not closed
	numbers    uint32              // how many numbers this generation has given to selections and models

	done bool
}

// Begin opens dir for writing. Its errors are those of disk.Begin. Until Commit returns, other processes see
// no difference.
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

// resume goes on from an unfinished run, if that run has saved a state that can be read.
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

// beginAnew begins a run that does not go on from an earlier one.
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

// pend makes w.meta, which Commit will write, from the committed meta.
func (w *Writer) pend() (err error) {
	w.fragments = map[uint32]*fragmentSet{}
	w.created = map[string]FileInfo{}
	w.meta = new(Meta)
	if w.committed != nil {
		b, err := encodeMeta(w.committed)
		if err != nil {
			return err
		}
		if w.meta, err = decodeMeta(w.change.Dir, b); err != nil { // decoding makes a deep copy
			return err
		}
	}
	w.meta.Version, w.meta.Generation = FormatVersion, uint32(w.change.Number())
	if w.resumed { // the meta is from the same run
		w.expansions = len(w.meta.Files)
	}
	w.store.meta = w.meta
	for _, f := range w.meta.Files {
		w.created[f.Name] = f
	}
	w.symbols, err = w.store.Symbols()
	return err
}

// Meta returns the Meta that Commit will write. The caller may change it, except the counts of samples and
// symbols, and Spaces[i].Generation.
func (w *Writer) Meta() *Meta { return w.meta }

// Store returns a store that reads the existing data and the new data: samples after SampleWriter.Close,
// fragments of a space after FinishFragments.
func (w *Writer) Store() *Store { return w.store }

// Symbols returns the tables that the samples' trees refer to. Callers intern new symbols into them. In a new
// store they are empty. Commit writes the new symbols.
func (w *Writer) Symbols() *index.Symbols { return w.symbols }

// Resumed says whether the writer goes on from a Checkpoint. Meta, Symbols and Store then begin with the
// saved data.
func (w *Writer) Resumed() bool { return w.resumed }

// Scratch returns a directory for the run's own files. They are deleted when the writer is closed, except
// saved states and kept files (runfile.File), see WriteOptions.Keep. Any goroutine may call Scratch.
func (w *Writer) Scratch() *runfile.Dir { return runfile.In(w.change.FS, w.change.Load().Path) }
