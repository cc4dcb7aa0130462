package dep

import (
	"fmt"
	"math/bits"

	"fstore/index"
)

// With max-span=N, the dependents of one head in a fragment lie among N neighbouring dependents. This matters
// only in wide families: those of heads with more than N dependents.
//
// What can follow in a wide family depends on the first arc of an embedding there. So embeddings are merged
// only if their first arcs in all wide families of the rightmost path are equal. A number, called the start,
// stands for these first arcs; it is 0 if no family there is wide.

// Span implements index.Spanned.
func (s *Space) Span() (option, unbounded string) {
	return fmt.Sprint("max-span=", s.maxSpan), "max-span=0"
}

// Wide implements index.Spanned. It counts the heads with more than max-span dependents. The count is 0 if
// max-span never excludes a fragment within the limits.
func (s *Space) Wide(t *index.Tree, l index.Limits) (heads int) {
	n := int(s.maxSpan)
	if n == 0 || len(t.Tokens) <= n || l.MaxOrder == 1 || s.rule == adjacent && l.MaxOrder > 0 && l.MaxOrder <= n {
		return 0
	}
	p := s.planter()
	defer s.planters.Put(p)
	p.deps.Fill(t)
	for h := range int32(len(t.Tokens)) + 1 {
		if (h > 0 || s.rootArcs) && len(p.deps.Of(h-1)) > n {
			heads++
		}
	}
	return heads
}

// startNumbers numbers starts (lists of arcs) from 1. The start with the single arc i has the number i+1.
type startNumbers struct {
	arcs   uint32 // numbers up to this are starts of one family
	chains []start
	number map[start]uint32 // the number of each of chains: arcs+1 and so on
}

// start lists first arcs of an embedding in wide families, from the lowest family up. After `first` come the
// arcs of the start with the number `above` (0: no more).
type start struct{ above, first uint32 }

// reset prepares for a forest with this number of arcs.
func (s *startNumbers) reset(arcs int) {
	s.arcs = uint32(arcs)
	if len(s.chains) > 0 {
		s.chains = s.chains[:0]
		clear(s.number)
	}
}

func (s *startNumbers) numberOf(above, first uint32) uint32 {
	if above == 0 {
		return first + 1
	}
	key := start{above, first}
	n, ok := s.number[key]
	if !ok {
		if s.number == nil {
			s.number = map[start]uint32{}
		}
		s.chains = append(s.chains, key)
		n = s.arcs + uint32(len(s.chains))
		s.number[key] = n
	}
	return n
}

func (s *startNumbers) get(n uint32) start {
	if n <= s.arcs {
		return start{0, n - 1}
	}
	return s.chains[n-s.arcs-1]
}

// endOf returns the index after the last sibling of arc a that max-span allows.
func (x *extender) endOf(a int32, start uint32) uint32 {
	f := &x.f.arcs[a]
	if !x.f.isWide(f.begin, f.end) {
		return f.end
	}
	return min(f.end, x.starts.get(start).first+x.f.maxSpan)
}

// In packs, occurrences in and below a wide family use copies of arcs, one for each packStart.

// packStart is an arc and the number of a start, which is never 0.
type packStart struct{ arc, start uint32 }

// packStarts has a copy of each arc in or below a wide family, for each start.
type packStarts struct {
	starts startNumbers
	real   int         // arcs from here on are copies; without wide families there are none
	of     []packStart // the arc and the start of each copy
	ids    map[packStart]uint32
}

// findWide finds the families with more than max-span arcs in some candidate, and puts their first arcs into
// v.wide.
func (v *packView) findWide() {
	n := int(v.s.maxSpan)
	for i := 0; n > 0 && i < len(v.arcs); i = int(v.arcs[i].end) {
		if int(v.arcs[i].end)-i <= n {
			continue
		}
		var has [64]int // number of arcs in each candidate
		for k := i; k < int(v.arcs[i].end); k++ {
			for mask := v.arcs[k].mask; mask != 0; mask &= mask - 1 {
				has[bits.TrailingZeros64(mask)]++
			}
		}
		for _, arcs := range has {
			if arcs > n {
				if v.wide == nil {
					v.wide = map[uint32]bool{}
				}
				v.wide[uint32(i)] = true
			}
		}
	}
}

// near returns the candidates in `mask` that have at most max-span arcs from `firstArc` to `c`.
func (x *packExtender) near(firstArc, c uint32, mask uint64) uint64 {
	if c-firstArc < x.s.maxSpan {
		return mask
	}
	for rest := mask; rest != 0; rest &= rest - 1 {
		one, n := rest&-rest, uint32(0)
		for _, a := range x.arcs[firstArc : c+1] {
			if a.mask&one != 0 {
				n++
			}
		}
		if n > x.s.maxSpan {
			mask &^= one
		}
	}
	return mask
}

// ownArcs gives x its own copy of all arcs, so that x can append to it.
func (x *packExtender) ownArcs() {
	own := *x.packView
	own.arcs = append(make([]packArc, 0, 2*len(own.arcs)), own.arcs...)
	x.packView = &own
	x.real, x.ids = len(own.arcs), map[packStart]uint32{}
}

// copyOf returns the index of an arc's copy for this start, and makes the copy if needed.
func (x *packExtender) copyOf(arc, start uint32) uint32 {
	key := packStart{arc, start}
	id, ok := x.ids[key]
	if !ok {
		id = uint32(len(x.arcs))
		x.arcs, x.where = append(x.arcs, x.arcs[arc]), append(x.where, 0)
		x.of = append(x.of, key)
		x.ids[key] = id
	}
	return id
}

// split returns the arc and the start that a copy stands for. An arc that is no copy has start 0.
func (x *packExtender) split(arc uint32) (_, start uint32) {
	if int(arc) < x.real {
		return arc, 0
	}
	of := x.of[int(arc)-x.real]
	return of.arc, of.start
}

// takeFirst is packView.takeFirst, but replaces each arc of a wide family by a copy (see packStart).
func (x *packExtender) takeFirst(o []packOccurrence, number uint32, right bool) []packOccurrence {
	from := len(o)
	o = x.packView.takeFirst(o, number, right)
	if x.wide == nil {
		return o
	}
	x.starts.reset(x.real)
	x.arcs, x.where, x.of = x.arcs[:x.real], x.where[:x.real], x.of[:0]
	clear(x.ids)
	for i := range o[from:] {
		if a := o[from+i].arc; x.wide[x.arcs[a].begin] {
			o[from+i].arc = x.copyOf(a, x.starts.numberOf(0, a))
		}
	}
	return o
}
