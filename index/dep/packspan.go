package dep

import "math/bits"

// A family (the arcs of one head) with more than max-span arcs is wide. In and below a wide family,
// occurrences use copies of arcs, one for each packStart.

// packStart is an arc and the number of a start (span.go), which is never 0.
type packStart struct{ arc, start uint32 }

// packStarts has the copies of arcs in and below wide families.
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
