package decode

import (
	"io"

	"fstore/index"
	"fstore/store"
)

// StoredSamples returns the samples of a store as a source, in order, over the
// store's symbols.
func StoredSamples(s *store.Store) index.Source { return &storedSamples{s: s} }

type storedSamples struct {
	s    *store.Store
	next uint32
}

func (r *storedSamples) Next(t *index.Tree) error {
	if r.next == r.s.Meta().Samples {
		return io.EOF
	}
	r.next++
	return r.s.Sample(r.next-1, t)
}
