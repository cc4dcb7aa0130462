package grow

import (
	"errors"
	"math"
	"slices"
	"sort"

	"fstore/index"
)

// Within does the same as Ranges for one range, if the samples are neither in memory nor tallied. The list
// some has first steps in the range, ascending, with about how often each step occurs. These numbers show how
// much memory the range takes.
//
// If r.Hi2 is not 0, r is a part of one first step, and the space must be Divisible. The part holds the
// fragments with Lo2 ≤ second step < Hi2 and, if Lo2 is 0, the first step itself. The Counts of all parts of
// a first step add up to those of the whole. In a space that is no index.Splitter, the part with Lo2 = 0
// counts all fragments of orders 1 and 2, and the other parts do not count these fragments.
func (g *Growth) Within(r index.Range, some []Root, task func(index.Range) (Task, error)) error {
	if r.Hi2 != 0 {
		out, err := task(r)
		if err != nil {
			return err
		}
		return end(out, g.growStep(r, out))
	}
	g.end = r.Hi
	g.first = []root{{step: index.Unpack(r.Lo), support: math.MaxUint32}}
	for _, s := range some {
		switch p := s.Step.Packed(); {
		case !r.Contains(p):
		case p == r.Lo:
			g.first[0].occ = s.Occ
		default:
			g.first = append(g.first, root{s.Step, s.Occ, math.MaxUint32})
		}
	}
	return g.readParts(g.first, task)
}

// Divisible says whether Within can take a part of a first step in this space. For this, each step of a code
// must add one to the order, and a longer code must extend its prefix.
func Divisible(space index.Space) bool {
	_, flat := space.(index.Flat)
	return !flat
}

// growStep grows a part of one first step. In a Splitter space, it reads only the data for the part, and cuts
// the part further if these exceed the memory. In other spaces, it reads the data for the whole first step.
func (g *Growth) growStep(r index.Range, out Task) error {
	need := index.Range{Lo: r.Lo, Hi: r.Hi}
	var second index.SecondSteps
	if s, ok := g.Space.(index.Splitter); ok {
		second = s.SecondSteps()
	}
	if second != nil {
		if r.Lo2 == 0 {
			if err := g.itself(need, out); err != nil {
				return err
			}
		}
		need = r
	}
	if g.Limits.MaxOrder == 1 && need == r {
		return nil
	}
	items, support, err := g.read(need, g.Limits, second != nil)
	if errors.Is(err, errShrink) {
		return g.below(second, r, out)
	}
	if err != nil {
		return err
	}
	if need == r {
		return g.belowFirst(items, support, r, out)
	}
	items.Seal()
	return g.into(g.Ctx, items, r, g.Limits, out)
}

// growRange is items.Grow. It can also grow a part of a first step in a space that is no Splitter.
func (g *Growth) growRange(items index.Items, r index.Range, l index.Limits, v index.Visitor) (index.Counts, error) {
	s, ok := g.Space.(index.Splitter)
	if r.Hi2 == 0 || ok && s.SecondSteps() != nil {
		return items.Grow(r, g.Weights, l, v)
	}
	if !Divisible(g.Space) {
		return index.Counts{}, errors.New("space " + g.Space.ID() + ": first steps cannot be divided")
	}
	all, err := items.Grow(index.Range{Lo: r.Lo, Hi: r.Hi}, g.Weights, l, &stepVisitor{Visitor: v, r: r})
	if r.Lo2 == 0 {
		return all, err
	}
	var counts index.Counts
	for order := 3; order < len(all.Candidates); order++ {
		counts.Count(order, all.Candidates[order], all.Below[order])
	}
	return counts, err
}

// stepVisitor passes on the fragments that lie in one part of a first step, while growth visits the whole
// step.
type stepVisitor struct {
	index.Visitor
	r    index.Range
	part index.Batch
}

func (v *stepVisitor) Visit(b *index.Batch) error {
	switch {
	case len(b.Parent) == 0 && v.r.Lo2 > 0:
		for i := range b.Descend {
			b.Descend[i] = true
		}
		return nil
	case len(b.Parent) == 0 || b.Parent.Len() > 1:
		return v.Visitor.Visit(b)
	}
	second := func(i int) uint64 {
		step, _, _ := index.Code(b.SuffixOf(i)).Next()
		return step.Packed()
	}
	from := sort.Search(b.Len(), func(i int) bool { return second(i) >= v.r.Lo2 })
	to := sort.Search(b.Len(), func(i int) bool { return second(i) >= v.r.Hi2 })
	if from >= to {
		return nil
	}
	v.cut(b, from, to)
	return v.Visitor.Visit(&v.part)
}

// cut sets the batch part to the extensions i of b with from ≤ i < to. The two batches share Descend.
func (v *stepVisitor) cut(b *index.Batch, from, to int) {
	p := &v.part
	suffixEnd, sampleEnd := p.SuffixEnd[:0], p.SampleEnd[:0]
	*p = *b
	ends := func(dst, ends []uint32) (moved []uint32, base uint32) {
		if from > 0 {
			base = ends[from-1]
		}
		for _, e := range ends[from:to] {
			dst = append(dst, e-base)
		}
		return dst, base
	}
	var base uint32
	p.SuffixEnd, base = ends(suffixEnd, b.SuffixEnd)
	p.Suffix = b.Suffix[base:]
	p.SampleEnd = sampleEnd
	if len(b.SampleEnd) > 0 {
		p.SampleEnd, base = ends(sampleEnd, b.SampleEnd)
		p.Sample = b.Sample[base:]
		if b.Count != nil {
			p.Count = b.Count[base:]
		}
		if b.Places != nil {
			p.Places = b.Places[base:]
		}
	}
	p.Support, p.Occ, p.Descend = b.Support[from:to], b.Occ[from:to], b.Descend[from:to]
	for _, of := range [...]*[]float64{&p.A, &p.B, &p.Most} {
		if *of != nil {
			*of = slices.Clone((*of)[from:to])
		}
	}
	if b.Closed != nil {
		p.Closed = b.Closed[from:to]
	}
}
