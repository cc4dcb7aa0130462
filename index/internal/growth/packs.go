package growth

import (
	"slices"

	"fstore/index"
)

// Packs counts packs that have something (index.FrequentPacks): those that have it on side A,
// and those on side B<<32.
type Packs uint64

// BySide is what a pack counts for the sides of it that have something, see index.Sides.Of.
var BySide = [4]Packs{0, 1, 1 << 32, 1<<32 | 1}

// A is how many have it on side A.
func (n Packs) A() uint32 { return uint32(n) }

// B is how many have it on side B.
func (n Packs) B() uint32 { return uint32(n >> 32) }

// Most is how many have it on the side where more have.
func (n Packs) Most() uint32 { return max(n.A(), n.B()) }

// PackBatches fills the batches of index.FrequentPacks for its visitor, one after another: what
// a batch holds until it is visited only is shared by all.
type PackBatches struct {
	v         index.Visitor
	suffix    []byte
	suffixEnd []uint32
}

// NewPackBatches returns batches for v.
func NewPackBatches(v index.Visitor) PackBatches { return PackBatches{v: v} }

// Start empties b for the extensions of parent, which have this order.
func (p *PackBatches) Start(b *index.Batch, parent index.Code, order int) {
	p.suffix = p.suffix[:0]
	*b = index.Batch{Parent: parent, Order: order, SuffixEnd: p.suffixEnd[:0], A: b.A[:0], B: b.B[:0], Descend: b.Descend[:0]}
}

// Append adds an extension that so many packs have.
func (p *PackBatches) Append(b *index.Batch, step index.Step, n Packs) {
	p.suffix = index.AppendStep(p.suffix, step)
	b.SuffixEnd = append(b.SuffixEnd, uint32(len(p.suffix)))
	b.A, b.B = append(b.A, float64(n.A())), append(b.B, float64(n.B()))
}

// Visit hands b over, where it has extensions.
func (p *PackBatches) Visit(b *index.Batch) error {
	if b.Len() == 0 {
		return nil
	}
	b.Suffix = p.suffix
	b.Descend = slices.Grow(b.Descend, b.Len())[:b.Len()]
	clear(b.Descend)
	err := p.v.Visit(b)
	p.suffixEnd = b.SuffixEnd
	return err
}
