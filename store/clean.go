package store

import "fstore/index"

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
		some, err := s.db.Some(u.p.lo, u.p.hi)
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
		return s.db.ReadError("generations", err)
	}
	for _, p := range dead {
		if err := f("old or uncommitted "+p.kind.String(), p.span()); err != nil {
			return err
		}
	}
	return nil
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
			err = w.change.Excise(p.lo, p.hi)
		}
	}
	if err != nil {
		return err
	}
	return deadFiles(w.store.db.Names(), w.committed, w.change.Drop)
}
