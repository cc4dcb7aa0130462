package store

import (
	"io"

	"fstore/index"
)

// store.NewSource returns the samples of a store as a source, in order, over the
// store's symbols.
func NewSource(s *Store) index.Source { return &storedSamples{s: s} }

type storedSamples struct {
	s    *Store
	next uint32
}

func (r *storedSamples) Next(t *index.Tree) error {
	if r.next == r.s.Meta().Samples {
		return io.EOF
	}
	r.next++
	return r.s.Sample(r.next-1, t)
}
