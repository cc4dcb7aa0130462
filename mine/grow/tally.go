package grow

import (
	"context"

	"github.com/RoaringBitmap/roaring/v2"

	"fstore/index"
	"fstore/mine/template"
	"fstore/store"
)

// Tallied is a space being indexed.
type Tallied struct {
	SpaceLimits
	Tally *index.Tally
	Items index.Items // nil once it has outgrown the budget
	Wide  uint64      // heads, as index.Spanned counts them

	Templates *template.Templates // of what is indexed; nil where the space has none
}

// Seal ends adding to the items, where they are held.
func (s *Tallied) Seal() {
	if s.Items != nil {
		s.Items.Seal()
	}
}

// CountSample adds a sample to the tally and the items of each space.
func CountSample(spaces []*Tallied, syms *index.Symbols, memory int64, id uint32, t *index.Tree) {
	var held int64
	for _, s := range spaces {
		s.Space.Tally(t, syms, id, s.Tally)
		if x, ok := s.Space.(index.Spanned); ok {
			s.Wide += uint64(x.Wide(t, s.Limits))
		}
		if s.Items != nil {
			s.Items.Add(id, t, index.All, s.Limits)
			held += s.Items.Bytes()
		}
	}
	if held <= memory/2 {
		return
	}
	for _, s := range spaces {
		s.Items = nil
	}
}

// eachSample calls f for the first n samples of a store, in order, but for those of
// without, which may be nil.
func eachSample(st *store.Store, n uint32, without *roaring.Bitmap, f func(id uint32, t *index.Tree) error) error {
	if without == nil {
		return st.Samples(0, n, f)
	}
	return st.Samples(0, n, func(id uint32, t *index.Tree) error {
		if without.Contains(id) {
			return nil
		}
		return f(id, t)
	})
}

// TallyStored counts the root occurrences of the stored samples but for those of without,
// and keeps their items, sealed, where these fit half of memory.
func TallyStored(ctx context.Context, st *store.Store, syms *index.Symbols, without *roaring.Bitmap, l SpaceLimits, memory int64, progress index.Progress) (*Tallied, error) {
	run := &Tallied{SpaceLimits: l, Tally: &index.Tally{}, Items: l.Space.NewItems(syms)}
	progress.Step("read", "samples", int64(st.Meta().Samples))
	err := eachSample(st, st.Meta().Samples, without, func(id uint32, t *index.Tree) error {
		CountSample([]*Tallied{run}, syms, memory, id, t)
		if id&0xFF != 0 {
			return nil
		}
		progress.Add(0x100)
		return ctx.Err()
	})
	run.Seal()
	return run, err
}
