package store

import (
	"bytes"
	"errors"
	"fmt"
	"sync"

	"fstore/index"
	"fstore/store/disk"
	"fstore/store/runfile"
)

// fragmentSet is the state of loading a space's fragments.
type fragmentSet struct {
	mu       sync.Mutex
	loaders  []*FragmentLoader
	held     int // bytes pending in closed loaders
	finished bool
}

// errAborted is the error with which unfinished tables are closed, so that they are dropped.
var errAborted = errors.New("aborted")

// smallRange bounds the bytes of fragments that a loader keeps in memory. A larger range has tables of its
// own.
const smallRange = 512 << 10

// heldRanges bounds the bytes that all closed loaders of a space keep in memory together.
const heldRanges = 32 << 20

// FragmentLoader writes the fragments of one range of codes. Loaders of different ranges may run at the same
// time, each in its own goroutine.
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

// Put adds a fragment and its posting list, and copies both. Codes must strictly ascend within a loader.
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

// Close ends the range of codes. It must be called before FinishFragments.
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

// writeSmallRanges writes the ranges that are still in memory. Neighbouring ranges share a table.
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
