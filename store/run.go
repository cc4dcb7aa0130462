package store

import (
	"context"
	"errors"
	"fmt"
	"io/fs"

	"github.com/cockroachdb/pebble/v2"
)

// The state of a running miner is kept beside the tables of the store that it builds or
// changes, so that a run with Resume can go on from it: in a kept file, summed. It
// goes when the run is committed, and where a plain run begins. What is read must say whose
// state it is.

// PutState replaces state number by data, as a whole and for good. Killed meanwhile, there is
// the old state. What else of the run is there is what Checkpoint and the kept files have. It
// may be called from any goroutine, for one number from one at a time.
func (w *Writer) PutState(number uint32, data []byte) error {
	return replaceFile(w.fs, w.bulk.dir, stateName(number), summed(data))
}

// State returns state number, ErrNotFound where there is none, or it is damaged. It may be
// called from any goroutine.
func (w *Writer) State(number uint32) ([]byte, error) {
	b, err := readFile(w.fs, w.fs.PathJoin(w.bulk.dir, stateName(number)))
	if errors.Is(err, fs.ErrNotExist) {
		return nil, ErrNotFound
	}
	if err != nil {
		return nil, readError(w.dir, "state", err)
	}
	data, ok := unsum(b)
	if !ok {
		return nil, ErrNotFound
	}
	return data, nil
}

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
