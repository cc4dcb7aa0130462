package growth

import (
	"slices"

	"fstore/index"
)

// Batches fills one batch after another, and reuses the memory of the fields that only the visitor reads.
type Batches struct {
	Visitor                 index.Visitor
	Samples, Counts, Places []uint32 // Batch.Sample, Count and Places of the batch that is filled now

	suffix                             []byte
	suffixEnd, support, occ, sampleEnd []uint32
}

// Start empties b for extensions of `parent` that have this order.
func (m *Batches) Start(b *index.Batch, parent index.Code, order int) {
	m.suffix, m.Samples, m.Counts, m.Places = m.suffix[:0], m.Samples[:0], m.Counts[:0], m.Places[:0]
	*b = index.Batch{
		Parent: parent, Order: order,
		SuffixEnd: m.suffixEnd[:0], Support: m.support[:0], Occ: m.occ[:0], SampleEnd: m.sampleEnd[:0],
		A: b.A[:0], B: b.B[:0], Most: b.Most[:0], Closed: b.Closed[:0], Descend: b.Descend[:0],
	}
}

// Step appends the step of one more extension.
func (m *Batches) Step(b *index.Batch, s index.Step) {
	m.suffix = index.AppendStep(m.suffix, s)
	b.SuffixEnd = append(b.SuffixEnd, uint32(len(m.suffix)))
}

// Code appends an extension whose suffix is c.
func (m *Batches) Code(b *index.Batch, c index.Code) {
	m.suffix = append(m.suffix, c...)
	b.SuffixEnd = append(b.SuffixEnd, uint32(len(m.suffix)))
}

// Occurrences appends the counts of an extension to b. m.Samples[from:] has one sample for each occurrence of
// the extension. The method is for spaces that do not set Batch.Count.
func (m *Batches) Occurrences(b *index.Batch, from int, support uint32, w index.Weights, l index.Limits) {
	b.Support, b.Occ = append(b.Support, support), append(b.Occ, uint32(len(m.Samples)-from))
	if w.Class != nil || w.Occ != nil {
		pos, neg := weigh(w, m.Samples[from:])
		b.A, b.B = append(b.A, pos), append(b.B, neg)
	}
	if l.NoSamples {
		m.Samples = m.Samples[:from]
	} else {
		b.SampleEnd = append(b.SampleEnd, uint32(len(m.Samples)))
	}
}

// weigh returns the sum of the positive weights and the absolute sum of the negative weights. The samples
// must ascend.
func weigh(w index.Weights, samples []uint32) (pos, neg float64) {
	if w.Occ != nil {
		for _, s := range samples {
			if x := w.Occ[s]; x > 0 {
				pos += x
			} else {
				neg -= x
			}
		}
		return pos, neg
	}
	last := ^uint32(0)
	for _, s := range samples {
		if s == last {
			continue
		}
		last = s
		switch w.Class[s] {
		case 1:
			pos++
		case 2:
			neg++
		}
	}
	return pos, neg
}

// Visit hands b to the visitor if b has extensions.
func (m *Batches) Visit(b *index.Batch) error {
	if b.Len() == 0 {
		return nil
	}
	b.Suffix, b.Sample, b.Count, b.Places = m.suffix, m.Samples, m.Counts, m.Places
	b.Descend = slices.Grow(b.Descend, b.Len())[:b.Len()]
	clear(b.Descend)
	err := m.Visitor.Visit(b)
	m.suffixEnd, m.support, m.occ, m.sampleEnd = b.SuffixEnd, b.Support, b.Occ, b.SampleEnd
	return err
}

// Packs counts the packs (index.Packs) that have a fragment: side A in the low half, side B in the high half.
type Packs uint64

// BySide has what one pack adds to Packs if it has the fragment on no side, on A, on B, or on both
// (index.Sides.Of).
var BySide = [4]Packs{0, 1, 1 << 32, 1<<32 | 1}

// A is the number of packs that have the fragment on side A.
func (n Packs) A() uint32 { return uint32(n) }

// B is the number of packs on side B.
func (n Packs) B() uint32 { return uint32(n >> 32) }

// Most is the larger of A and B.
func (n Packs) Most() uint32 { return max(n.A(), n.B()) }

// Packs appends an extension to b: its step, and its two counts from n.
func (m *Batches) Packs(b *index.Batch, step index.Step, n Packs) {
	m.Step(b, step)
	b.A, b.B = append(b.A, float64(n.A())), append(b.B, float64(n.B()))
}

// Levels hold one state for each depth of growth, or of a walk. A state is kept while greater depths are
// visited.
type Levels[T any] []*T

// At returns the level of depth n. The first call for a depth makes it.
func (l *Levels[T]) At(n int) *T {
	for n >= len(*l) {
		*l = append(*l, new(T))
	}
	return (*l)[n]
}
