package grow

import (
	"context"

	"github.com/RoaringBitmap/roaring/v2"

	"fstore/index"
	"fstore/mine/template"
	"fstore/store"
)

// Source says which samples growth reads, and how many workers and how much memory it uses.
type Source struct {
	Ctx      context.Context
	St       *store.Store
	Trees    Trees // the samples; nil: the samples of St
	Syms     *index.Symbols
	Samples  uint32          // the number of samples to read, from the first
	Without  *roaring.Bitmap // skip these samples; nil: none
	Workers  int
	Memory   int64 // bytes; the data that growth reads gets half of it
	Progress index.Progress
}

// Trees is a source of samples that are not in a store. Both methods call f for each sample, in order.
type Trees interface {
	Each(f func(id uint32, t *index.Tree) error) error
	// Expand calls f with the productions of each sample. It decodes them with begin(ids), where ids maps the
	// symbol ids of the sample to those of Source.Syms.
	Expand(begin func(*index.Renumbering) *index.Expander, f func(id uint32, tree []index.Expansion) error) error
}

// itemBytes is how many bytes the items may take.
func (s *Source) itemBytes() int64 { return s.Memory / 2 }

func (s *Source) each(f func(id uint32, t *index.Tree) error) error {
	if s.Trees != nil {
		return s.Trees.Each(f)
	}
	return s.St.Samples(0, s.Samples, outside(s.Without, f))
}

func (s *Source) expand(begin func(*index.Renumbering) *index.Expander, f func(id uint32, tree []index.Expansion) error) error {
	if s.Trees != nil {
		return s.Trees.Expand(begin, f)
	}
	return s.St.SampleExpansions(0, s.Samples, begin(nil), outside(s.Without, f))
}

// outside returns a function that calls f for each sample that is not in leftOut.
func outside[T any](leftOut *roaring.Bitmap, f func(id uint32, of T) error) func(id uint32, of T) error {
	return func(id uint32, of T) error {
		if leftOut != nil && leftOut.Contains(id) {
			return nil
		}
		return f(id, of)
	}
}

// TallyStored counts the root occurrences of the samples. It keeps the items of the samples if they fit in
// half of the memory.
func (s *Source) TallyStored(l SpaceLimits) (*Tallied, error) {
	run := &Tallied{SpaceLimits: l, Tally: &index.Tally{}, Items: l.Space.NewItems(s.Syms)}
	s.Progress.Step("read", "samples", int64(s.Samples))
	err := s.each(func(id uint32, t *index.Tree) error {
		CountSample([]*Tallied{run}, s.Syms, s.Memory, id, t)
		if id&0xFF != 0 {
			return nil
		}
		s.Progress.Add(0x100)
		return s.Ctx.Err()
	})
	run.Seal()
	return run, err
}

// Tallied is a space that is being indexed, with the counts so far.
type Tallied struct {
	SpaceLimits
	Tally *index.Tally
	Items index.Items // nil once they exceed the budget
	Wide  uint64      // number of heads where an option leaves out fragments, see index.Spanned

	Templates *template.Templates // templates of the fragments; nil if the space has none

	first []root // steps of Tally; nil until roots is called
}

// roots lists the first steps in s.Tally, ascending. After the first call, no sample may be added to the
// tally.
func (s *Tallied) roots() []root {
	if s.first == nil {
		s.Tally.Each(func(step index.Step, occ, support uint32) {
			s.first = append(s.first, root{step, uint64(occ), support})
		})
	}
	return s.first
}

// Seal calls s.Items.Seal, if there are items. It must be called after the last sample is added.
func (s *Tallied) Seal() {
	if s.Items != nil {
		s.Items.Seal()
	}
}

// CountSample adds a sample to the tally and to the items of each space. It drops all items if together they
// exceed half of the memory.
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
