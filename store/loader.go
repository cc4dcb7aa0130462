package store

import (
	"bytes"
	"errors"
	"fmt"
	"slices"
	"sync"

	"fstore/index"
	"fstore/store/disk"
	"fstore/store/runfile"
)

// SetSpace puts a space into Writer.Meta, and begins a new generation of its fragments. A space with the same
// ID is replaced. SetSpace sets Number, Generation and Features. The caller may complete the other fields
// later in Meta().Spaces.
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

// fragmentSet is a space whose fragments are being loaded.
type fragmentSet struct {
	mu       sync.Mutex
	loaders  []*FragmentLoader
	held     int // bytes pending in closed loaders
	finished bool
}

// errAborted is the error with which unfinished tables are closed.
var errAborted = errors.New("aborted")

// smallRange is how many bytes of fragments a loader keeps in memory before it writes a table of its own.
const smallRange = 512 << 10

// heldRanges bounds how many bytes all closed loaders of a space keep in memory together.
const heldRanges = 32 << 20

// FragmentLoader writes the fragments of one range of codes. Several loaders of a space may run at once, one
// goroutine each, on ranges that do not overlap.
type FragmentLoader struct {
	set     *fragmentSet
	t       *disk.Table
	prefix  int
	key     []byte // prefix and the last code
	pending []byte // two blocks for each fragment: its key and its value
	started bool   // pending grew beyond smallRange: fragments go straight into tables

	n      uint32
	first  []byte // the first code
	marks  rankTable
	base   uint32 // how many features are before this range
	err    error
	closed bool
}

// Fragments returns a loader for one range of codes of a space. SetSpace must have been called for the space.
// Any goroutine may call Fragments.
func (w *Writer) Fragments(space uint32) (*FragmentLoader, error) {
	set := w.fragments[space]
	if set == nil {
		return nil, fmt.Errorf("store: Fragments of space %d before SetSpace", space)
	}
	p := place{KindFragment, w.meta.Generation, space}
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

// Put adds a fragment and its posting list. Codes must strictly ascend within a loader. Put copies the code
// and the list.
func (l *FragmentLoader) Put(c index.Code, value []byte) error {
	if l.err != nil {
		return l.err
	}
	if l.n == 0 {
		l.first = bytes.Clone(c)
	} else if bytes.Compare(l.key[l.prefix:], c) >= 0 {
		l.err = fmt.Errorf("store: code %x after %x", []byte(c), l.key[l.prefix:])
		return l.err
	}
	l.key = append(l.key[:l.prefix], c...)
	if l.n%rankStep == 0 {
		l.marks.add(l.n, c)
	}
	l.n++
	if !l.started {
		l.pending = runfile.AppendBlock(runfile.AppendBlock(l.pending, l.key), value)
		if len(l.pending) < smallRange {
			return nil
		}
		l.started = true
		l.err = l.flush(l.t)
		return l.err
	}
	l.err = l.t.Put(l.key, value)
	return l.err
}

// flush writes the pending fragments to t.
func (l *FragmentLoader) flush(t *disk.Table) error {
	for b := l.pending; len(b) > 0; {
		var key, value []byte
		key, b, _ = runfile.CutBlock(b)
		value, b, _ = runfile.CutBlock(b)
		if err := t.Put(key, value); err != nil {
			return err
		}
	}
	l.pending = nil
	return nil
}

// Close ends the range.
func (l *FragmentLoader) Close() error {
	if l.closed {
		return l.err
	}
	l.closed = true
	if l.err == nil && !l.started {
		l.set.mu.Lock()
		l.set.held += len(l.pending)
		l.started = l.set.held > heldRanges
		l.set.mu.Unlock()
		if l.started {
			l.err = l.flush(l.t)
		}
	}
	l.err = l.t.Close(l.err)
	return l.err
}

// FinishFragments ends the loading of a space, after all its loaders are closed. It numbers the fragments,
// writes the rank table, sets Features, and makes the fragments readable through Writer.Store.
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

// writeSmallRanges writes the ranges that have no table yet. Neighbouring ranges share a table.
func writeSmallRanges(t *disk.Table, loaders []*FragmentLoader) error {
	for _, l := range loaders {
		var err error
		if l.started {
			err = t.Close(nil) // the tables of this range lie between
		} else {
			err = l.flush(t)
		}
		if err != nil {
			return t.Close(err)
		}
	}
	return t.Close(nil)
}

func (w *Writer) writeRanks(space uint32, loaders []*FragmentLoader) error {
	p := place{KindRank, w.meta.Generation, space}
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
