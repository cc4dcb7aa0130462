package store

import "fstore/index"

// dead calls f for every span of keys that m does not name, with what it is:
// what a killed writer, or the commit before, left.
func (s *Store) dead(m *Meta, f func(what string, p span) error) error {
	uncommitted := func(what string, p span) error {
		some, err := s.db.Some(p.lo, p.hi)
		if err == nil && some {
			err = f("uncommitted "+what, p)
		}
		return err
	}
	err := uncommitted("samples", span{sampleKey(nil, m.Samples), kindSpan(KindSample).hi})
	for c := index.Class(0); c < index.NumClasses && err == nil; c++ {
		err = uncommitted(c.String()+"s", span{symbolKey(c, m.Symbols[c]+1), prefixSpan([]byte{byte(KindSymbol), byte(c)}).hi})
	}
	if err != nil {
		return err
	}
	return s.deadPlaces(m, f)
}

// deadPlaces finds the generations that m does not name, one seek a place.
func (s *Store) deadPlaces(m *Meta, f func(what string, p span) error) error {
	live := m.live()
	var dead []place
	err := s.eachPlace(func(p place, _ []byte, ok bool) {
		if ok && !live[p] { // Check reports what is none
			dead = append(dead, p)
		}
	})
	if err != nil {
		return s.db.ReadError("generations", err)
	}
	for _, p := range dead {
		if err := f("old or uncommitted "+p.kind.String(), p.span()); err != nil {
			return err
		}
	}
	return nil
}

// eachPlace calls f for each place that has keys, with the first, and for each key of none, where
// ok is false.
func (s *Store) eachPlace(f func(p place, first []byte, ok bool)) error {
	it, err := s.iter(span{[]byte{byte(KindLabel)}, kindSpan(KindModel).hi})
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
