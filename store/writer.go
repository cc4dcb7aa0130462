package store

import (
	"bytes"
	"errors"
	"fmt"
	"slices"

	"fstore/index"
	"fstore/store/disk"
	"fstore/store/runfile"
)

// Writer is the only writer of a store. Its methods are for one goroutine, unless their comments say
// otherwise. Any goroutine may use Writer.Store, and each loader may have its own goroutine.
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

// Meta returns the Meta that Commit will write. The caller may change it, except the counts of samples and
// symbols, and Spaces[i].Generation.
func (w *Writer) Meta() *Meta { return w.meta }

// Store returns a store that reads the data of the last commit and new data. New samples can be read after
// SampleWriter.Close, and new fragments after FinishFragments.
func (w *Writer) Store() *Store { return w.store }

// Symbols returns the symbol tables of the store, to which the trees of added samples refer. Callers intern
// new symbols, and Commit writes them.
func (w *Writer) Symbols() *index.Symbols { return w.symbols }

// Resumed says whether the writer continues from a Checkpoint of an earlier run. If so, Meta, Symbols and
// Store begin with the saved data.
func (w *Writer) Resumed() bool { return w.resumed }

// Scratch returns a directory for temporary files, which are deleted when the writer is closed. Saved states
// and kept files (runfile.File) can stay, see WriteOptions.Keep. Any goroutine may call Scratch.
func (w *Writer) Scratch() *runfile.Dir { return runfile.In(w.change.FS, w.change.Load().Path) }

// SetSpace adds a space to Writer.Meta, or replaces the space with the same ID. It begins a new generation of
// the space's fragments, and sets Number, Generation and Features. The caller can set other fields later.
func (w *Writer) SetSpace(info SpaceInfo) (number uint32) {
	old := w.meta.Space(info.ID)
	if old == nil {
		w.meta.Spaces = append(w.meta.Spaces, SpaceInfo{Number: uint32(len(w.meta.Spaces))})
		old = &w.meta.Spaces[len(w.meta.Spaces)-1]
	}
	info.Number, info.Generation, info.Features = old.Number, w.meta.Generation, 0
	*old = info
	w.fragments[info.Number] = &fragmentSet{}
	return info.Number
}

// Fragments returns a loader for one range of a space's codes. Any goroutine may call it after SetSpace.
func (w *Writer) Fragments(space uint32) (*FragmentLoader, error) {
	set := w.fragments[space]
	if set == nil {
		return nil, fmt.Errorf("store: Fragments of space %d before SetSpace", space)
	}
	p := keyspace{KindFragment, w.meta.Generation, space}
	l := &FragmentLoader{set: set, t: w.change.Table(), key: p.prefix()}
	l.prefix = len(l.key)
	set.mu.Lock()
	defer set.mu.Unlock()
	if set.finished {
		return nil, fmt.Errorf("store: Fragments of space %d after FinishFragments", space)
	}
	set.loaders = append(set.loaders, l)
	return l, nil
}

// OldFragments is like Store.Iter, for the fragments that the space had before SetSpace.
func (w *Writer) OldFragments(space uint32, lo, hi index.Code) (*FragmentIter, error) {
	if w.committed == nil || int(space) >= len(w.committed.Spaces) {
		return nil, fmt.Errorf("space %d: %w", space, ErrNotFound)
	}
	return w.store.fragmentsAt(keyspace{KindFragment, w.committed.Spaces[space].Generation, space}, lo, hi)
}

// FinishFragments ends the loading of a space, after all its loaders are closed. It returns the number of
// fragments, which Writer.Store can now read.
func (w *Writer) FinishFragments(space uint32) (features uint32, err error) {
	set := w.fragments[space]
	if set == nil || set.finished {
		return 0, fmt.Errorf("store: FinishFragments of space %d without SetSpace", space)
	}
	loaders := slices.DeleteFunc(slices.Clone(set.loaders), func(l *FragmentLoader) bool { return l.n == 0 && l.closed })
	slices.SortFunc(loaders, func(a, b *FragmentLoader) int { return bytes.Compare(a.first, b.first) })
	total := uint64(0)
	for i, l := range loaders {
		switch {
		case l.err != nil:
			return 0, l.err
		case !l.closed:
			return 0, errors.New("store: FinishFragments before FragmentLoader.Close")
		case i > 0 && bytes.Compare(loaders[i-1].key[l.prefix:], l.first) >= 0:
			return 0, fmt.Errorf("store: ranges of codes overlap at %x", l.first)
		}
		l.base = uint32(total)
		if total += uint64(l.n); total > 1<<32-1 {
			return 0, errors.New("store: too many fragments for 32-bit feature ids")
		}
	}
	if err := writeSmallRanges(w.change.Table(), loaders); err != nil {
		return 0, err
	}
	if err := w.writeRanks(space, loaders); err != nil {
		return 0, err
	}
	if err := w.change.Ingest(nil, nil); err != nil {
		return 0, err
	}
	set.finished = true
	w.meta.Spaces[space].Features = uint32(total)
	return uint32(total), nil
}

func (w *Writer) writeRanks(space uint32, loaders []*FragmentLoader) error {
	p := keyspace{KindRank, w.meta.Generation, space}
	t := w.change.Table()
	for _, l := range loaders {
		for i, n := range l.marks.ids {
			if err := t.Put(p.numbered(l.base+n+1), l.marks.codes[i]); err != nil {
				return t.Close(err)
			}
		}
		l.marks = rankTable{}
	}
	return t.Close(nil)
}
