package grow

import (
	"fstore/index"
	"fstore/mine/template"
)

// Tallied is a space being indexed.
type Tallied struct {
	SpaceLimits
	Tally *index.Tally
	Items index.Items // nil once it has outgrown the budget
	Wide  uint64      // heads, as index.Spanned counts them

	Templates *template.Templates // of what is indexed; nil where the space has none

	first []root // those of Tally, once asked for
}

// roots lists the first steps of the tally, which is then complete, ascending.
func (s *Tallied) roots() []root {
	if s.first == nil {
		s.Tally.Each(func(step index.Step, occ, support uint32) {
			s.first = append(s.first, root{step, uint64(occ), support})
		})
	}
	return s.first
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
