package grow

import (
	"slices"
	"sort"

	"fstore/index"
)

// stepVisitor passes on only fragments in its range. Growth itself visits all fragments of a first step.
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

// cut sets v.part to the extensions [from, to) of b. Changes of v.part.Descend also change b.Descend.
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

// Divisible says whether the growth of one first step can be divided in this space.
func Divisible(space index.Space) bool {
	_, flat := space.(index.Flat)
	return !flat
}
