package growth

import "fstore/index"

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

// Packs appends an extension that so many packs have.
func (m *Batches) Packs(b *index.Batch, step index.Step, n Packs) {
	m.Step(b, step)
	b.A, b.B = append(b.A, float64(n.A())), append(b.B, float64(n.B()))
}
