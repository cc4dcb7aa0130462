package store

import (
	"context"
	"fmt"

	"github.com/cockroachdb/pebble/v2"
)

// The state of a running miner is kept in the store that it builds or changes, so that a
// run with Resume can go on from it. It has generation 0, which no meta names: a
// plain run deletes it, and so does Commit. What is read must say whose state it is.
func statePlace(number uint32) place { return place{KindRun, 0, number} }

// PutState replaces state number by data, for good: with it, everything written
// so far whose loaders are closed is on disk. Killed meanwhile, there is the old state.
func (w *Writer) PutState(number uint32, data []byte) (err error) {
	p := statePlace(number)
	if err := w.putParts(p, data); err != nil {
		return fmt.Errorf("state %d: %w", number, err)
	}
	return w.ingest(p.span())
}

// State returns state number, ErrNotFound where there is none.
func (s *Store) State(number uint32) ([]byte, error) {
	p := statePlace(number)
	if some, err := s.some(p.span()); err != nil || !some {
		return nil, firstError(err, ErrNotFound)
	}
	return s.parts(p)
}

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
