package store

import (
	"cmp"
	"context"
	"errors"
	"fmt"
	"maps"
	"slices"
	"strings"

	"fstore/index"
)

// Commit makes all written data part of the store, in one step, and closes the writer. After an error the
// store is as it was before, unless the error says otherwise.
func (w *Writer) Commit() error { return w.CommitContext(context.Background()) }

// CommitContext is like Commit, but returns the error of ctx if ctx is done before the commit step.
func (w *Writer) CommitContext(ctx context.Context) error {
	if w.done {
		return errors.New("store: Commit of a writer that is closed")
	}
	err := w.writeMeta()
	if err == nil {
		w.committed = w.meta
		err = w.clean() // removes keys and files of earlier generations
	}
	if err != nil {
		return errors.Join(err, w.Abort())
	}
	w.end()
	return w.change.Commit(ctx, w.metaCopy)
}

// Checkpoint saves all data written so far, so that a later run with Resume can continue from there. In mode
// Append, it does nothing.
func (w *Writer) Checkpoint() error {
	if w.opts.Mode == Append {
		return nil
	}
	return w.writeMeta()
}

// writeMeta makes meta and all data that were written before part of the database, in one step.
func (w *Writer) writeMeta() error {
	for _, step := range []func() error{w.checkFinished, w.flushSymbols, w.writeLabels, w.nameFiles} {
		if err := step(); err != nil {
			return err
		}
	}
	if err := w.meta.check(); err != nil {
		return fmt.Errorf("%s: %w", w.change.Path, err)
	}
	b, err := encodeMeta(w.meta)
	if err != nil {
		return err
	}
	t := w.change.Table()
	if err := t.Close(t.Put(metaKey, b)); err != nil {
		return err
	}
	return w.change.Ingest(metaKey, prefixSpan(metaKey).hi)
}

// checkFinished returns an error if samples, a selection or a space are written only in part.
func (w *Writer) checkFinished() error {
	if w.loading {
		return errors.New("store: Commit before SampleWriter.Close")
	}
	if w.selecting > 0 {
		return errors.New("store: Commit before SelectionWriter.Close")
	}
	for space, set := range w.fragments {
		if !set.finished {
			return fmt.Errorf("store: Commit before FinishFragments of space %d", space)
		}
	}
	return nil
}

// writeLabels writes the bitmaps of all labels in a new generation, if they have changed.
func (w *Writer) writeLabels() error {
	if !w.labels.dirty {
		return nil
	}
	w.meta.LabelGeneration = w.meta.Generation
	w.meta.Labels = uint32(len(w.labels.m))
	prefix := w.store.labelPlace().prefix()
	t := w.change.Table()
	for _, label := range slices.Sorted(maps.Keys(w.labels.m)) {
		b := w.labels.m[label]
		b.RunOptimize()
		v, err := b.ToBytes()
		if err == nil {
			err = t.Put(append(prefix[:len(prefix):len(prefix)], label...), v)
		}
		if err != nil {
			return t.Close(fmt.Errorf("label %q: %w", label, err))
		}
	}
	w.labels.dirty = false
	return t.Close(nil)
}

// metaCopy returns the copy of meta that Commit puts beside the database. Unlike meta, it names the tables.
func (w *Writer) metaCopy(names []string) ([]byte, error) {
	m := *w.meta
	m.Tables = slices.DeleteFunc(names, func(name string) bool { return !strings.HasSuffix(name, ".sst") })
	return encodeMeta(&m)
}

// Abort drops all uncommitted data and closes the writer, see disk.Change.Abort. After Commit it does
// nothing.
func (w *Writer) Abort() error {
	if w.done {
		return nil
	}
	w.end()
	return w.change.Abort()
}

// end closes everything that the writer has opened, except the database.
func (w *Writer) end() {
	if w.store != nil {
		w.store.hot.close()
	}
	w.done, w.store = true, nil
	for _, set := range w.fragments {
		for _, l := range set.loaders {
			_ = l.t.Close(errAborted)
		}
	}
}

// deadKeys are keys that meta does not name. They are from a killed writer, or from before the last commit.
type deadKeys struct {
	what string
	keyRange
}

func (s *Store) dead(m *Meta) (all []deadKeys, err error) {
	all = []deadKeys{{"uncommitted samples", keyRange{sampleKey(nil, m.Samples), kindSpan(KindSample).hi}}}
	for c := range index.NumClasses {
		all = append(all, deadKeys{"uncommitted " + c.String() + "s", keyRange{symbolKey(c, m.Symbols[c]+1), classSpan(c).hi}})
	}
	all = slices.DeleteFunc(all, func(d deadKeys) bool {
		some, serr := s.db.Some(d.lo, d.hi)
		err = cmp.Or(err, serr)
		return !some
	})
	if err != nil {
		return nil, err
	}
	live := m.live()
	err = s.eachPlace(func(p keyspace, _ []byte, ok bool) {
		if _, used := live[p]; ok && !used { // not keys without a place, which Check reports
			all = append(all, deadKeys{"old or uncommitted " + p.kind.String(), p.span()})
		}
	})
	return all, s.db.ReadError("generations", err)
}

// eachPlace calls f for each keyspace that has keys, with its first key. For a key without a keyspace, ok is
// false.
func (s *Store) eachPlace(f func(p keyspace, first []byte, ok bool)) error {
	it, err := s.iter(keyRange{[]byte{byte(KindLabel)}, kindSpan(KindModel).hi})
	if err != nil {
		return err
	}
	for more := it.First(); more; {
		p, _, ok := parsePlace(it.Key())
		if f(p, it.Key(), ok); ok {
			more = it.SeekGE(p.span().hi)
		} else {
			more = it.Next()
		}
	}
	return it.Close()
}

// clean deletes keys and files that the committed meta does not name.
func (w *Writer) clean() error {
	dead, err := w.store.dead(w.committed)
	for _, d := range dead {
		if err == nil {
			err = w.change.Excise(d.lo, d.hi)
		}
	}
	for _, name := range w.committed.deadFiles(w.store.db.Names()) {
		if err == nil {
			err = w.change.Drop(name)
		}
	}
	return err
}
