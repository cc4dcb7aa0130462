package store

import (
	"context"
	"encoding/binary"
	"errors"
	"fmt"
	"io/fs"

	"github.com/cockroachdb/pebble/v2"
	"github.com/zeebo/xxh3"
)

// The state of a running miner is kept in the store that it builds or changes, so that a
// run with Resume can go on from it. It has generation 0, which no meta names: a
// plain run deletes it, and so does Commit. What is read must say whose state it is.
func statePlace(number uint32) place { return place{KindRun, 0, number} }

// PutState replaces state number by data, for good: with it, everything written
// so far whose loaders are closed is on disk. Killed meanwhile, there is the old state.
// In a store that is appended to, what is written but for kept files goes with the run,
// and the state is one of these.
func (w *Writer) PutState(number uint32, data []byte) (err error) {
	if w.opts.Mode == Append {
		return w.keepState(number, data)
	}
	p := statePlace(number)
	if err := w.putParts(p, data); err != nil {
		return fmt.Errorf("state %d: %w", number, err)
	}
	return w.ingest(p.span())
}

// State returns state number, ErrNotFound where there is none.
func (w *Writer) State(number uint32) ([]byte, error) {
	if w.opts.Mode == Append {
		return w.keptState(number)
	}
	p := statePlace(number)
	if some, err := w.store.some(p.span()); err != nil || !some {
		return nil, firstError(err, ErrNotFound)
	}
	return w.store.parts(p)
}

// keepState writes a state into a kept file, after its sum, as a whole.
func (w *Writer) keepState(number uint32, data []byte) error {
	path := w.fs.PathJoin(w.bulk.dir, stateName(number))
	b := append(binary.BigEndian.AppendUint64(nil, xxh3.Hash(data)), data...)
	if err := writeFile(w.fs, path+tempSuffix, b); err != nil {
		return err
	}
	if err := w.fs.Rename(path+tempSuffix, path); err != nil {
		return err
	}
	return syncDir(w.fs, w.bulk.dir)
}

// keptState reads what keepState wrote; what is damaged is not there.
func (w *Writer) keptState(number uint32) ([]byte, error) {
	b, err := readFile(w.fs, w.fs.PathJoin(w.bulk.dir, stateName(number)))
	if errors.Is(err, fs.ErrNotExist) {
		return nil, ErrNotFound
	}
	if err != nil {
		return nil, readError(w.dir, "state", err)
	}
	if len(b) < 8 || binary.BigEndian.Uint64(b) != xxh3.Hash(b[8:]) {
		return nil, ErrNotFound
	}
	return b[8:], nil
}

const tempSuffix = ".new"

func stateName(number uint32) string { return fmt.Sprintf("%sstate-%d", keptPrefix, number) }

// excise deletes the keys of p, if there are any. Tables that hold nothing else
// are dropped whole.
func (w *Writer) excise(p span) error {
	some, err := w.store.some(p)
	if err != nil || !some {
		return err
	}
	return w.store.fatal.do(func() error {
		return w.store.db.Excise(context.Background(), pebble.KeyRange{Start: p.lo, End: p.hi})
	})
}

func firstError(errs ...error) error {
	for _, err := range errs {
		if err != nil {
			return err
		}
	}
	return nil
}
