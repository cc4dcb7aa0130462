package index

// Packing is implemented by spaces that can lay out the candidates of a sentence as a packed forest:
// what they have in common is there once, with the candidates that have it (index/README.md, "Growth").
// It tells the presence of fragments, not their number.
type Packing interface {
	// NewPacks returns an empty collection, to be grown to fragments of so many building blocks; nil if
	// the space cannot.
	NewPacks(s *Symbols, maxOrder int) Packs
}

// MaxPack is how many candidates a pack has at most: they are the bits of a mask.
const MaxPack = 64

// Packs are candidates, pack by pack. After Seal they are read-only, and goroutines share them.
type Packs interface {
	// Add appends a pack: at most MaxPack candidates over the same words.
	Add(candidates []*Tree)
	// Seal ends adding.
	Seal()
	// Frequent are the fragments that more than c packs have in the candidate of side A, or more than c
	// in that of side B; sides are by pack.
	Frequent(sides []Sides, c uint32) FrequentPacks
	// Stored are the fragments of x in the candidates of either side, or in all if sides is nil.
	Stored(sides []Sides, x Automaton) StoredPacks
}

// Sides are the candidates of a pack on two sides, as masks. A side has at most one candidate.
type Sides struct{ A, B uint64 }

// Of returns the sides that have a candidate of the mask: 1 for side A, plus 2 for side B.
func (s Sides) Of(mask uint64) (sides uint64) {
	if mask&s.A != 0 {
		sides = 1
	}
	if mask&s.B != 0 {
		sides |= 2
	}
	return sides
}

// OnSides returns a function that drops from a mask the candidates that are on neither side of their
// pack. If sides is nil, it drops none.
func OnSides(sides []Sides) func(pack uint32, mask uint64) uint64 {
	if sides == nil {
		return func(_ uint32, mask uint64) uint64 { return mask }
	}
	return func(pack uint32, mask uint64) uint64 { return mask & (sides[pack].A | sides[pack].B) }
}

// Add appends that a pack has fragment id in the candidates of a mask; 0 is no fragment.
func (h *PackHits) Add(id, pack uint32, mask uint64) {
	if id != 0 {
		h.ID, h.Pack, h.Mask = append(h.ID, id), append(h.Pack, pack), append(h.Mask, mask)
	}
}

// HandOver calls f with the hits, where there are any, and empties them.
func (h *PackHits) HandOver(f func(*PackHits) error) error {
	if len(h.ID) == 0 {
		return nil
	}
	err := f(h)
	h.ID, h.Pack, h.Mask = h.ID[:0], h.Pack[:0], h.Mask[:0]
	return err
}

// FrequentPacks is shared by goroutines.
type FrequentPacks interface {
	// Tally counts the first steps of fragments.
	Tally(t *Tally)
	// Grow visits every fragment whose first step lies in r, as Items.Grow does. Batch.A and B are the
	// packs that have it on side A and on side B. Else only Parent, Order, the suffixes and Descend are
	// set. Counts.Candidates are those that it looked at.
	Grow(r Range, v Visitor) (Counts, error)
}

// StoredPacks is shared by goroutines.
type StoredPacks interface {
	// Tally counts the first steps of fragments.
	Tally(t *Tally)
	// Follow calls f with where the fragments of r occur, always in the same order.
	Follow(r Range, f func(*PackHits) error) error
}

// PackHits are occurrences of stored fragments: fragment ID[i], a feature id, is in the candidates
// Mask[i] of a pack. Several hits of a fragment in a pack have different candidates.
type PackHits struct {
	ID, Pack []uint32
	Mask     []uint64
}
