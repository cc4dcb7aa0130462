package dep

import (
	"cmp"
	"slices"

	"fstore/index"
	"fstore/index/internal/growth"
)

// packView is packs as far as growth needs them: with the candidates that matter, and the
// features that do, numbered by falling frequency.
type packView struct {
	packForest
	syms     []uint32                // by number
	numberOf []uint32                // by symbol, noNumber
	with     growth.Inverted[uint32] // the arcs with each feature
	wide     map[uint32]bool         // where wide families begin; nil: none is wide
}

// view makes one: arcs have the candidates that of leaves of theirs, and those features
// that keep wants.
func (p *Packs) view(of func(pack uint32, mask uint64) uint64, keep func(sym uint32) bool) *packView {
	v := &packView{packForest: packForest{s: p.s, above: p.above, packs: p.packs}}
	v.arcs = slices.Clone(p.arcs)
	v.next = slices.Clone(p.next)
	count := make([]uint32, p.syms.Len(index.Features)+1)
	words := 0
	for i := range v.arcs {
		a := &v.arcs[i]
		a.mask = of(a.pack, a.mask)
		for k := a.next; k < a.nextEnd; k++ {
			v.next[k].mask = of(a.pack, v.next[k].mask)
		}
		if a.mask != 0 {
			for _, f := range p.feats[a.feat:a.featEnd] {
				count[f]++
			}
			for _, sym := range a.words {
				if sym != 0 {
					count[sym]++
					words++
				}
			}
		}
	}
	all := -words
	for f, n := range count {
		if n > 0 && keep(uint32(f)) {
			v.syms = append(v.syms, uint32(f))
			all += int(n)
		}
	}
	slices.SortFunc(v.syms, func(a, b uint32) int {
		return cmp.Or(cmp.Compare(count[b], count[a]), cmp.Compare(a, b))
	})
	for f := range count {
		count[f] = noNumber
	}
	for n, f := range v.syms {
		count[f] = uint32(n)
	}
	v.numberOf = count
	v.feats = make([]uint32, 0, max(all, 0)) // they are most of a view
	for i := range v.arcs {
		a := &v.arcs[i]
		from, to := a.feat, a.featEnd
		a.feat = uint32(len(v.feats))
		if a.mask != 0 {
			for _, f := range p.feats[from:to] {
				if n := v.numberOf[f]; n != noNumber {
					v.feats = append(v.feats, n)
				}
			}
		}
		a.featEnd = uint32(len(v.feats))
		a.words.number(func(sym uint32) uint32 { return v.numberOf[sym] })
	}
	v.invert()
	v.findWide()
	return v
}

// invert lists the arcs with each feature.
func (v *packView) invert() {
	v.with.Begin(len(v.syms))
	for _, f := range v.feats {
		v.with.Count(f)
	}
	v.with.Counted()
	for i := range v.arcs {
		for _, f := range v.featsOf(uint32(i)) {
			v.with.Put(f, uint32(i))
		}
	}
}

func (v *packView) featsOf(arc uint32) []uint32 {
	a := &v.arcs[arc]
	return v.feats[a.feat:a.featEnd]
}

// arcsWith returns the arcs with a feature, by its number.
func (v *packView) arcsWith(f uint32) []uint32 { return v.with.Of(int(f), int(f)+1) }

// Tally counts the arcs by feature (and side).
func (v *packView) Tally(t *index.Tally) {
	for i := range v.arcs {
		a := &v.arcs[i]
		off := v.s.offOf(0, a.right)
		for _, f := range v.featsOf(uint32(i)) {
			t.Add(index.Step{Off: off, Sym: v.syms[f]}, a.pack)
		}
	}
}

// eachFirst calls f with the first steps in r that some arc has, ascending, and the number
// of the feature.
func (v *packView) eachFirst(r index.Range, f func(right bool, off, number uint32) error) error {
	for _, right := range [2]bool{false, true} {
		if right && v.s.rule != side {
			break
		}
		off := v.s.offOf(0, right)
		lo, hi := max(r.Lo, index.Step{Off: off, Sym: 1}.Packed()), min(r.Hi, index.Step{Off: off + 1}.Packed())
		if hi <= lo {
			continue
		}
		for sym := uint32(lo); sym <= uint32(hi-1) && int(sym) < len(v.numberOf); sym++ {
			if n := v.numberOf[sym]; n != noNumber {
				if err := f(right, off, n); err != nil {
					return err
				}
			}
		}
	}
	return nil
}

// packOccurrence is where patterns occur: the rightmost arc, and the candidates.
type packOccurrence struct {
	mask uint64
	arc  uint32
	pack uint32
}

// first appends the occurrences of a first step.
func (v *packView) first(o []packOccurrence, number uint32, right bool) []packOccurrence {
	for _, a := range v.arcsWith(number) {
		if x := &v.arcs[a]; v.s.rule != side || x.right == right {
			o = append(o, packOccurrence{x.mask, a, x.pack})
		}
	}
	return o
}

// packExtender finds what extends a pattern, for one goroutine.
type packExtender struct {
	*packView
	at     [][]packOccurrence // the occurrences seen from each depth of the rightmost path
	memory [][]packOccurrence // of at
	where  []uint32           // where the occurrence of each arc stands in the list that is made
	packStarts
}

func newPackExtender(v *packView) packExtender {
	x := packExtender{packView: v, where: make([]uint32, len(v.arcs))}
	if v.wide != nil {
		x.ownArcs()
	}
	return x
}

// add appends an occurrence to list, which starts at from, or merges it with that of the
// same arc.
func (x *packExtender) add(list []packOccurrence, from int, arc, pack uint32, mask uint64) []packOccurrence {
	if at := int(x.where[arc]); at >= from && at < len(list) && list[at].arc == arc {
		list[at].mask |= mask
		return list
	}
	x.where[arc] = uint32(len(list))
	return append(list, packOccurrence{mask, arc, pack})
}

// chain fills at for the depths from lowest on: occ has the occurrences by the arc at the
// last depth, n-1.
func (x *packExtender) chain(occ []packOccurrence, n, lowest int) {
	for len(x.at) < n {
		x.at, x.memory = append(x.at, nil), append(x.memory, nil)
	}
	x.at[n-1] = occ
	for d := n - 2; d >= lowest; d-- {
		list := x.memory[d][:0]
		for _, o := range x.at[d+1] {
			if x.wide != nil {
				list = x.headsStarts(list, o)
				continue
			}
			a := &x.arcs[o.arc]
			for _, up := range x.above[a.above:a.aboveEnd] {
				if mask := o.mask & x.arcs[up].mask; mask != 0 {
					list = x.add(list, 0, up, o.pack, mask)
				}
			}
		}
		x.at[d], x.memory[d] = list, list
	}
}

// segment appends to st the arcs that can follow with the head at depth d of n, under the
// rule side those on one side of it.
func (x *packExtender) segment(st []packOccurrence, n, d int, right bool) []packOccurrence {
	from := len(st)
	if x.wide != nil {
		return x.segmentStarts(st, n, d, right)
	}
	if d == n {
		for _, o := range x.at[n-1] {
			a := &x.arcs[o.arc]
			st = x.beyond(st, from, o, a.kid, a.kidEnd, right)
		}
		return st
	}
	for _, o := range x.at[d] {
		a := &x.arcs[o.arc]
		switch {
		case x.s.rule == anyChild:
			st = x.beyond(st, from, o, o.arc+1, a.end, true)
		case x.s.rule == side && a.right != right:
			if right {
				st = x.beyond(st, from, o, o.arc+1, a.end, true)
			}
		default:
			for _, next := range x.next[a.next:a.nextEnd] {
				if mask := o.mask & next.mask; mask != 0 {
					st = x.add(st, from, next.arc, o.pack, mask)
				}
			}
		}
	}
	return st
}

// beyond appends those of the arcs from:to that a candidate of o has, under the rule side
// those on one side of the head.
func (x *packExtender) beyond(st []packOccurrence, start int, o packOccurrence, from, to uint32, right bool) []packOccurrence {
	for c := from; c < to; c++ {
		a := &x.arcs[c]
		if mask := o.mask & a.mask; mask != 0 && (x.s.rule != side || a.right == right) {
			st = x.add(st, start, c, o.pack, mask)
		}
	}
	return st
}
