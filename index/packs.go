package index

// Packing is implemented by spaces that can store the candidates of a sentence as a packed forest
// (index/README.md, "Growth"). A pack says which fragments a candidate has, not how often.
type Packing interface {
	// NewPacks returns an empty collection for fragments up to order maxOrder, or nil if the space cannot
	// pack candidates.
	NewPacks(s *Symbols, maxOrder int) Packs
}

// MaxPack is the largest number of candidates in a pack, because a mask has one bit for each candidate.
const MaxPack = 64

// Packs holds candidates, pack by pack. A pack has the candidates of one sentence. After Seal, Packs is
// read-only, and goroutines share it.
type Packs interface {
	// Add appends a pack: at most MaxPack candidates over the same words.
	Add(candidates []*Tree)
	// Seal must be called after the last Add, and before Frequent and Stored.
	Seal()
	// Frequent returns the fragments that more than c packs have on the same side, A or B. sides[p] is for
	// pack p.
	Frequent(sides []Sides, c uint32) FrequentPacks
	// Stored finds the stored fragments of x in the candidates that are on a side. If `sides` is nil, all
	// candidates count.
	Stored(sides []Sides, x Automaton) StoredPacks
}

// Sides has two masks: the bit of the candidate on side A, and the bit of the candidate on side B. A mask is
// 0 if no candidate is on the side.
type Sides struct{ A, B uint64 }

// Of returns 1 if the mask has the candidate of side A, plus 2 if the mask has the candidate of side B.
func (s Sides) Of(mask uint64) (sides uint64) {
	if mask&s.A != 0 {
		sides = 1
	}
	if mask&s.B != 0 {
		sides |= 2
	}
	return sides
}

// OnSides returns a function that keeps only the candidates on side A or B in a mask. With nil sides, it
// keeps all.
func OnSides(sides []Sides) func(pack uint32, mask uint64) uint64 {
	if sides == nil {
		return func(_ uint32, mask uint64) uint64 { return mask }
	}
	return func(pack uint32, mask uint64) uint64 { return mask & (sides[pack].A | sides[pack].B) }
}

// Add adds a hit: the candidates in mask have the fragment with this id. It ignores id 0, which is no
// fragment.
func (h *PackHits) Add(id, pack uint32, mask uint64) {
	if id != 0 {
		h.ID, h.Pack, h.Mask = append(h.ID, id), append(h.Pack, pack), append(h.Mask, mask)
	}
}

// HandOver calls f with the hits, if there are any, and then removes them.
func (h *PackHits) HandOver(f func(*PackHits) error) error {
	if len(h.ID) == 0 {
		return nil
	}
	err := f(h)
	h.ID, h.Pack, h.Mask = h.ID[:0], h.Pack[:0], h.Mask[:0]
	return err
}

// FrequentPacks grows frequent fragments, see Packs.Frequent. Goroutines share it.
type FrequentPacks interface {
	// Tally adds the first steps of fragments to t.
	Tally(t *Tally)
	// Grow visits every fragment whose first step lies in r, as Items.Grow does. A batch has only Parent,
	// Order, the suffixes of the codes, Descend, and the numbers of packs with the fragment on each side (A
	// and B).
	Grow(r Range, v Visitor) (Counts, error)
}

// StoredPacks finds stored fragments in packs. Goroutines share it.
type StoredPacks interface {
	// Tally adds the first steps of fragments to t.
	Tally(t *Tally)
	// Follow calls f with the hits of the fragments in r, always in the same order.
	Follow(r Range, f func(*PackHits) error) error
}

// PackHits is a list of hits: the candidates in Mask[i] of pack Pack[i] have the feature ID[i]. No candidate
// is in two hits of one feature.
type PackHits struct {
	ID, Pack []uint32
	Mask     []uint64
}
