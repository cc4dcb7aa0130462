package dep

import (
	"cmp"
	"slices"

	"fstore/index"
	"fstore/index/expansion"
)

// packArc is an arc that some candidates of a pack have, all with the same features. A pack holds up to 64
// candidate trees of a sentence.
//
// The arcs of a pack are numbered by head, then by modifier, so the arcs from one head have consecutive
// numbers, in surface order. Within a candidate, each token has only one head. So the last arc of an
// occurrence determines all arcs above it.
type packArc struct {
	mask            uint64 // the candidates that have the arc
	pack            uint32
	kid, kidEnd     uint32 // the arcs from its modifier
	above, aboveEnd uint32 // the arcs to its head are packForest.above[above:aboveEnd]
	begin, end      uint32 // the arcs from its head
	next, nextEnd   uint32 // its neighbours to the right are packForest.next[next:nextEnd]
	feat, featEnd   uint32 // its features are packForest.feats[feat:featEnd]
	words           words  // in a space with words: symbols; in a view, numbers
	modifier        int32
	right           bool // its modifier stands right of its head
}

// packNext is the right neighbour that an arc has in some candidates, those in `mask`. With siblings=side,
// neighbours are on the same side of their head.
type packNext struct {
	arc  uint32
	mask uint64
}

// packForest has the arcs of all packs of candidate trees.
type packForest struct {
	s     *Space
	arcs  []packArc
	above []uint32 // lists of arcs, see packArc
	next  []packNext
	feats []uint32 // symbols; in a view, numbers
	packs uint32
}

// Packs implements index.Packs.
type Packs struct {
	packForest
	syms     *index.Symbols
	maxOrder int
	keys     keyer
	read     []field // the fields of features that read relations, DEPS or MISC

	drafts []packDraft // the arcs of the pack that is being added
	feat   []uint32    // scratch: the features of one arc
	rels   []uint32    // scratch: the values of read for one arc
	pairs  []packPair
}

// packDraft is an arc of the pack that is being added, before it is laid out.
type packDraft struct {
	head, modifier int32 // tokens; -1 is the root
	mask           uint64
	feat           []uint32
	words          words    // symbols, 0 for none
	rels           []uint32 // the values of Packs.read for the arc, if alike is set
	alike          bool     // the tokens are those of the first candidate, except for heads and relations
}

// packPair is an arc and one of its right neighbours.
type packPair struct {
	arc  uint32
	next packNext
}

// NewPacks implements index.Packing. It returns nil if maxOrder is 0 or too large. It also returns nil in a
// space without order, where occurrences of different candidates would share nothing.
func (s *Space) NewPacks(syms *index.Symbols, maxOrder int) index.Packs {
	if s.unordered || maxOrder == 0 || maxOrder > maxPackOrder || s.offOf(maxOrder, true) >= expansion.Skip.Off {
		return nil
	}
	p := &Packs{syms: syms, maxOrder: maxOrder}
	p.s = s
	p.keys.know(s, syms, false)
	for _, f := range s.fields() {
		if (f.isRelation() || f.col == index.Deps || f.col == index.Misc) && !slices.Contains(p.read, f) {
			p.read = append(p.read, f)
		}
	}
	return p
}

// maxPackOrder is the largest maxOrder for which NewPacks makes packs.
const maxPackOrder = 100

// Add implements index.Packs.
func (p *Packs) Add(candidates []*index.Tree) {
	p.drafts = p.drafts[:0]
	for k, t := range candidates {
		alike := alike(t, candidates[0])
		for m := range t.Tokens {
			if t.Tokens[m].Head > 0 || p.s.rootArcs {
				p.draft(t, m, 1<<k, alike)
			}
		}
	}
	slices.SortStableFunc(p.drafts, func(a, b packDraft) int {
		return cmp.Or(cmp.Compare(a.head, b.head), cmp.Compare(a.modifier, b.modifier))
	})
	p.layOut()
	p.neighbours(len(candidates))
	p.packs++
}

// alike says whether the tokens of two candidates are equal, except for their heads and relations.
func alike(t, first *index.Tree) bool {
	if len(t.Tokens) != len(first.Tokens) {
		return false
	}
	for i := range t.Tokens {
		a, b := &t.Tokens[i], &first.Tokens[i]
		for c := index.Form; c < index.Rel; c++ {
			if c.Of(a) != c.Of(b) {
				return false
			}
		}
	}
	return true
}

// draft adds the arc to token m of a candidate, or adds the candidate (a bit in `mask`) to an equal arc. With
// `alike`, it can find an equal arc without looking up features. The look-ups took a fifth of the time of
// mining with orders up to 2.
func (p *Packs) draft(t *index.Tree, m int, mask uint64, alike bool) {
	d := packDraft{head: t.Tokens[m].Head - 1, modifier: int32(m), mask: mask, alike: alike}
	had := func(same func(e *packDraft) bool) bool {
		for i := range p.drafts {
			if e := &p.drafts[i]; e.head == d.head && e.modifier == d.modifier && same(e) {
				e.mask |= mask
				return true
			}
		}
		return false
	}
	p.rels = p.rels[:0]
	if alike {
		for _, f := range p.read {
			p.rels = append(p.rels, p.keys.value(f, t, int(d.head), m))
		}
		if had(func(e *packDraft) bool { return e.alike && slices.Equal(e.rels, p.rels) }) {
			return
		}
	}
	find := func(key []byte) uint32 { return p.syms.Lookup(index.Features, key) }
	p.feat = p.feat[:0]
	p.keys.each(t, m, func(key []byte) {
		if f := find(key); f != 0 {
			p.feat = append(p.feat, f)
		}
	})
	d.words = p.keys.wordsOf(t, int(d.head), m, find)
	if !had(func(e *packDraft) bool { return e.words == d.words && slices.Equal(e.feat, p.feat) }) {
		d.feat, d.rels = slices.Clone(p.feat), slices.Clone(p.rels)
		p.drafts = append(p.drafts, d)
	}
}

// layOut appends an arc for each draft. The drafts must be sorted by head and modifier.
func (p *Packs) layOut() {
	first := uint32(len(p.arcs))
	for i := range p.drafts {
		d := &p.drafts[i]
		a := packArc{mask: d.mask, pack: p.packs, modifier: d.modifier, right: d.modifier > d.head, words: d.words}
		a.feat = uint32(len(p.feats))
		p.feats = append(p.feats, d.feat...)
		a.featEnd = uint32(len(p.feats))
		p.arcs = append(p.arcs, a)
	}
	of := func(head int32) (from, to uint32) {
		by := func(d packDraft, h int32) int { return cmp.Compare(d.head, h) }
		lo, _ := slices.BinarySearchFunc(p.drafts, head, by)
		hi, _ := slices.BinarySearchFunc(p.drafts, head+1, by)
		return first + uint32(lo), first + uint32(hi)
	}
	for i := range p.drafts {
		d, a := &p.drafts[i], &p.arcs[first+uint32(i)]
		a.kid, a.kidEnd = of(d.modifier)
		a.begin, a.end = of(d.head)
		if i > 0 && p.drafts[i-1].head == d.head {
			a.above, a.aboveEnd = p.arcs[first+uint32(i)-1].above, p.arcs[first+uint32(i)-1].aboveEnd
			continue
		}
		a.above = uint32(len(p.above))
		for k := range p.drafts {
			if p.drafts[k].modifier == d.head {
				p.above = append(p.above, first+uint32(k))
			}
		}
		a.aboveEnd = uint32(len(p.above))
	}
}

// neighbours links each arc to its next neighbour in each candidate.
func (p *Packs) neighbours(candidates int) {
	first := len(p.arcs) - len(p.drafts)
	p.pairs = p.pairs[:0]
	for k := range candidates {
		last := -1 // the arc before i that this candidate has
		for i := first; i < len(p.arcs); i++ {
			a := &p.arcs[i]
			if a.mask>>k&1 == 0 {
				continue
			}
			if last >= 0 && p.arcs[last].begin == a.begin && (p.s.rule != side || p.arcs[last].right == a.right) {
				p.pairs = append(p.pairs, packPair{uint32(last), packNext{uint32(i), 1 << k}})
			}
			last = i
		}
	}
	slices.SortFunc(p.pairs, func(a, b packPair) int {
		return cmp.Or(cmp.Compare(a.arc, b.arc), cmp.Compare(a.next.arc, b.next.arc))
	})
	i := 0
	for n := first; n < len(p.arcs); n++ {
		a := &p.arcs[n]
		a.next = uint32(len(p.next))
		for ; i < len(p.pairs) && int(p.pairs[i].arc) == n; i++ {
			x := p.pairs[i].next
			if l := len(p.next); l > int(a.next) && p.next[l-1].arc == x.arc {
				p.next[l-1].mask |= x.mask
				continue
			}
			p.next = append(p.next, x)
		}
		a.nextEnd = uint32(len(p.next))
	}
}

// Seal implements index.Packs.
func (p *Packs) Seal() { p.drafts, p.pairs = nil, nil }
