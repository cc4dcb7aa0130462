package builder

import (
	"context"

	"fstore/index"
	"fstore/mine/grow"
	"fstore/store"
)

// CopyOf copies the fragments of a store's first space, as if they were fragments of s.
func CopyOf(w *store.Writer, s index.Space) error {
	it, err := w.Store().Iter(0, nil, nil)
	if err != nil {
		return err
	}
	defer it.Close()
	b := &builder{Ctx: context.Background(), W: w, Syms: w.Symbols()}
	m := &merge{it: it, rangeLoad: &rangeLoad{b: b, run: &grow.Tallied{SpaceLimits: grow.SpaceLimits{Space: s}}}}
	m.more = it.Next()
	return m.copyTo(nil)
}
