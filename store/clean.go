package store

import (
	"errors"
	"slices"

	"github.com/cockroachdb/pebble/v2/vfs"

	"fstore/index"
)

// dead calls f for every span of keys that m does not name, with what it is:
// what a killed writer, or the commit before, left.
func (s *Store) dead(m *Meta, f func(what string, p span) error) error {
	uncommitted := []struct {
		what string
		p    span
	}{{"samples", span{sampleKey(nil, m.Samples), kindSpan(KindSample).hi}}}
	for c := index.Class(0); c < index.NumClasses; c++ {
		p := span{symbolKey(c, m.Symbols[c]+1), prefixSpan([]byte{byte(KindSymbol), byte(c)}).hi}
		uncommitted = append(uncommitted, struct {
			what string
			p    span
		}{c.String() + "s", p})
	}
	for _, u := range uncommitted {
		some, err := s.some(u.p)
		if err == nil && some {
			err = f("uncommitted "+u.what, u.p)
		}
		if err != nil {
			return err
		}
	}
	return s.deadPlaces(m, f)
}

// deadPlaces finds the generations that m does not name, one seek a place.
func (s *Store) deadPlaces(m *Meta, f func(what string, p span) error) error {
	it, err := s.iter(span{[]byte{byte(KindLabel)}, kindSpan(KindModel).hi})
	if err != nil {
		return err
	}
	live := m.live()
	var dead []place
	for ok := it.First(); ok; {
		p, _, ok2 := parsePlace(it.Key())
		if !ok2 {
			ok = it.Next() // Check reports it
			continue
		}
		if !live[p] {
			dead = append(dead, p)
		}
		ok = it.SeekGE(p.span().hi)
	}
	if err := it.Close(); err != nil {
		return readError(s.dir, "generations", err)
	}
	for _, p := range dead {
		if err := f("old or uncommitted "+p.kind.String(), p.span()); err != nil {
			return err
		}
	}
	return nil
}

// some says whether any key lies in p.
func (s *Store) some(p span) (bool, error) {
	it, err := s.iter(p)
	if err != nil {
		return false, err
	}
	ok := it.First()
	return ok, readError(s.dir, "iterate", it.Close())
}

// clean deletes what the committed meta does not name: keys, whose tables are
// dropped whole, and files.
func (w *Writer) clean() error {
	var spans []span
	err := w.store.dead(w.committed, func(_ string, p span) error {
		spans = append(spans, p)
		return nil
	})
	for _, p := range spans {
		if err == nil {
			err = w.excise(p)
		}
	}
	if err != nil {
		return err
	}
	return deadFiles(w.view.names(), w.committed, func(name string) error {
		return w.view.Remove(w.fs.PathJoin(w.dir, name))
	})
}

// sweep deletes the files that the seal of a store does not name, unless somebody reads
// the store, who may need them. What cannot be deleted is left to the next writer. Only the
// writer may call it.
func sweep(f vfs.FS, dir string, s *seal) error {
	l, err := lockOutReaders(f, dir)
	if errors.Is(err, ErrLocked) {
		return nil
	}
	if err != nil {
		return err
	}
	names, err := f.List(dir)
	unused := slices.DeleteFunc(names, func(name string) bool { return !s.leftOver(name) || name == loadName })
	if err == nil && len(unused) > 0 {
		err = syncDir(f, dir) // a power failure must not bring back an older FSTORE now
	}
	if err == nil {
		for _, name := range unused {
			_ = f.Remove(f.PathJoin(dir, name))
		}
	}
	return errors.Join(err, l.Close())
}
