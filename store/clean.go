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

// sweep deletes the files in dir that s does not name, with numbers from from to below to, and
// those that wait for readers where there are none. What cannot be deleted is left to the next
// writer. Only the writer may call it.
func sweep(f vfs.FS, dir string, s *seal, from, to uint64) error {
	names, err := f.List(dir)
	if err != nil {
		return err
	}
	slices.Sort(names)
	names = slices.DeleteFunc(names, func(name string) bool {
		if _, named := s.file(name); named || name == loadName || name == markName {
			return true
		}
		if _, waits := s.waits(name); waits {
			return false
		}
		n := numberOf(name)
		return !isTempName(name) && (!isDataName(name) || n < from || n >= to)
	})
	if names, err = s.withoutReaders(f, dir, names); err != nil || len(names) == 0 {
		return err
	}
	if err := syncDir(f, dir); err != nil { // a power failure must not bring back an older FSTORE now
		return err
	}
	for _, name := range names {
		_ = f.Remove(f.PathJoin(dir, name))
	}
	return nil
}

// withoutReaders returns names without those of files that a reader may need: one of a state
// after the file was made, up to the last that has it.
func (s *seal) withoutReaders(f vfs.FS, dir string, names []string) ([]string, error) {
	if !slices.ContainsFunc(names, func(name string) bool { _, ok := s.waits(name); return ok }) {
		return names, nil
	}
	if none, err := unread(f, dir, 0, max(s.next, 1)-1); err != nil || none {
		return names, err
	}
	var failed error
	names = slices.DeleteFunc(names, func(name string) bool {
		e, waits := s.waits(name)
		if !waits {
			return false
		}
		none, err := unread(f, dir, min(numberOf(name)+1, e.last), e.last)
		failed = errors.Join(failed, err)
		return !none
	})
	return names, failed
}

// findWaiting lists in s the files in dir that it does not name: a state before it may have
// them. before is that state as far as it is known, whose number is at most last.
func (s *seal) findWaiting(f vfs.FS, dir string, before *seal, last uint64) error {
	names, err := f.List(dir)
	slices.Sort(names)
	for _, name := range names {
		if _, named := s.file(name); named || !isDataName(name) {
			continue
		}
		info, serr := f.Stat(f.PathJoin(dir, name))
		if serr != nil {
			return serr
		}
		e, waits := before.waits(name)
		if !waits {
			e = oldFile{name: name, last: last}
			if _, named := before.file(name); named {
				e.last = before.next
			}
		}
		e.size = info.Size()
		s.old = append(s.old, e)
	}
	return err
}
