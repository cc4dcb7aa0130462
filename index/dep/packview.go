package dep

import (
	"iter"
	"slices"

	"fstore/index"
	"fstore/index/internal/growth"
)

// packView has the part of the packs that one task needs. Features are numbered by falling frequency.
type packView struct {
	packForest
	syms     []uint32                // the symbol of each number
	numberOf []uint32                // the number of each symbol, or noNumber
	with     growth.Inverted[uint32] // the arcs with each feature
	wide     map[uint32]bool         // the first arcs of wide families; nil: there are none
}

// view returns a view of p without the features and the candidates that a task does not need.
func (p *Packs) view(narrow func(pack uint32, mask uint64) uint64, keepSym func(sym uint32) bool) *packView {
	v := &packView{packForest: packForest{s: p.s, above: p.above, packs: p.packs}}
	v.arcs = slices.Clone(p.arcs)
	v.next = slices.Clone(p.next)
	count := make([]uint32, p.syms.Len(index.Features)+1)
	words := 0
	for i := range v.arcs {
		a := &v.arcs[i]
		a.mask = narrow(a.pack, a.mask)
		for k := a.next; k < a.nextEnd; k++ {
			v.next[k].mask = narrow(a.pack, v.next[k].mask)
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
		if n > 0 && keepSym(uint32(f)) {
			v.syms = append(v.syms, uint32(f))
			all += int(n)
		}
	}
	byFrequency(v.syms, count)
	v.numberOf = numbersOf(v.syms, count)
	v.feats = make([]uint32, 0, max(all, 0)) // features take most of the memory of a view
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

func (v *packView) invert() {
	v.with.Fill(len(v.syms), func() {
		for i := range v.arcs {
			for _, f := range v.featsOf(uint32(i)) {
				v.with.Put(f, uint32(i))
			}
		}
	})
}

func (v *packView) featsOf(arc uint32) []uint32 {
	a := &v.arcs[arc]
	return v.feats[a.feat:a.featEnd]
}

// symbolsOf does what forest.symbolsOf does.
func (v *packView) symbolsOf(arc uint32, which stepKind) []uint32 {
	if which != anArc {
		return v.arcs[arc].words.list(which)
	}
	return v.featsOf(arc)
}

func (v *packView) arcsWith(f uint32) []uint32 { return v.with.Of(int(f), int(f)+1) }

// Tally counts in t, for each feature, the arcs that have it. With siblings=side, it counts the two sides of
// the heads separately.
func (v *packView) Tally(t *index.Tally) {
	for i := range v.arcs {
		a := &v.arcs[i]
		off := v.s.offOf(0, a.right)
		for _, f := range v.featsOf(uint32(i)) {
			t.Add(index.Step{Off: off, Sym: v.syms[f]}, a.pack)
		}
	}
}

// firstSteps yields the first steps in r whose feature is in the view, ascending. Each is given by its Off
// and the number of its feature.
func (v *packView) firstSteps(r index.Range) iter.Seq2[uint32, uint32] {
	return func(yield func(off, number uint32) bool) {
		for off, sym := range v.s.firstSteps(r, len(v.numberOf)) {
			if n := v.numberOf[sym]; n != noNumber && !yield(off, n) {
				return
			}
		}
	}
}

// packOccurrence says that the candidates in `mask` have an occurrence of a pattern. `arc` is the rightmost
// arc of the occurrence.
type packOccurrence struct {
	mask uint64
	arc  uint32
	pack uint32
}

// takeFirst appends to o an occurrence for each arc with feature `number`. With siblings=side, it takes only
// the arcs on one side of their heads.
func (v *packView) takeFirst(o []packOccurrence, number uint32, right bool) []packOccurrence {
	for _, a := range v.arcsWith(number) {
		if x := &v.arcs[a]; v.s.rule != side || x.right == right {
			o = append(o, packOccurrence{x.mask, a, x.pack})
		}
	}
	return o
}

// packExtender finds the arcs that extend a pattern, for one goroutine.
type packExtender struct {
	*packView
	at     [][]packOccurrence // for each depth of the rightmost path, the occurrences by their arc there
	memory [][]packOccurrence // memory of at
	where  []uint32           // for each arc: the index of its occurrence in the list that is being made
	offs   []uint32           // Offs of the steps that may follow the present pattern
	packStarts
}

func newPackExtender(v *packView) packExtender {
	x := packExtender{packView: v, where: make([]uint32, len(v.arcs))}
	x.real = len(v.arcs)
	if v.wide != nil {
		x.ownArcs()
	}
	return x
}

// add adds the candidates in `mask` to the occurrence at this arc in list[from:], or appends an occurrence.
func (x *packExtender) add(list []packOccurrence, from int, arc, pack uint32, mask uint64) []packOccurrence {
	if at := int(x.where[arc]); at >= from && at < len(list) && list[at].arc == arc {
		list[at].mask |= mask
		return list
	}
	x.where[arc] = uint32(len(list))
	return append(list, packOccurrence{mask, arc, pack})
}

// chain sets x.at[minDepth:n] for the occurrences of a pattern whose rightmost path has n arcs.
func (x *packExtender) chain(occ []packOccurrence, n, minDepth int) {
	for len(x.at) < n {
		x.at, x.memory = append(x.at, nil), append(x.memory, nil)
	}
	x.at[n-1] = occ
	for d := n - 2; d >= minDepth; d-- {
		list := x.memory[d][:0]
		for _, o := range x.at[d+1] {
			list = x.heads(list, o)
		}
		x.at[d], x.memory[d] = list, list
	}
}

// segment appends to st the arcs that extend a pattern by a step whose Off is `off`. The pattern's rightmost
// path has n arcs.
func (x *packExtender) segment(st []packOccurrence, n int, off uint32) []packOccurrence {
	from, d, right := len(st), int(x.s.depthOf(off)), x.s.rightOf(off)
	if d == n {
		for _, o := range x.at[n-1] {
			st = x.kids(st, from, o, right)
		}
		return st
	}
	for _, o := range x.at[d] {
		st = x.siblings(st, from, o, right)
	}
	return st
}

// heads adds to the list the arcs directly above o's arc, each with the candidates that have both arcs.
func (x *packExtender) heads(list []packOccurrence, o packOccurrence) []packOccurrence {
	arc, start := x.split(o.arc)
	a := &x.arcs[arc]
	if start != 0 && x.wide[a.begin] {
		start = x.starts.get(start).above
	}
	for _, up := range x.above[a.above:a.aboveEnd] {
		if mask := o.mask & x.arcs[up].mask; mask != 0 {
			if start != 0 {
				up = x.copyOf(up, start)
			}
			list = x.add(list, 0, up, o.pack, mask)
		}
	}
	return list
}

// kids adds to st[from:] the arcs directly below o.arc. With siblings=side, it takes only the arcs on one
// side.
func (x *packExtender) kids(st []packOccurrence, from int, o packOccurrence, right bool) []packOccurrence {
	arc, start := x.split(o.arc)
	a := &x.arcs[arc]
	wide := x.wide != nil && x.wide[a.kid]
	for c := a.kid; c < a.kidEnd; c++ {
		b := &x.arcs[c]
		mask := o.mask & b.mask
		if mask == 0 || x.s.rule == side && b.right != right {
			continue
		}
		s, kid := start, c
		if wide {
			s = x.starts.numberOf(start, c)
		}
		if s != 0 {
			kid = x.copyOf(c, s)
		}
		st = x.add(st, from, kid, o.pack, mask)
	}
	return st
}

// siblings adds to st[from:] the arcs that can follow o.arc under its head.
func (x *packExtender) siblings(st []packOccurrence, from int, o packOccurrence, right bool) []packOccurrence {
	arc, start := x.split(o.arc)
	a := &x.arcs[arc]
	if x.s.rule == adjacent || x.s.rule == side && a.right == right {
		for _, next := range x.next[a.next:a.nextEnd] {
			if mask := o.mask & next.mask; mask != 0 {
				st = x.sibling(st, from, o.pack, start, next.arc, mask)
			}
		}
		return st
	}
	if x.s.rule == side && !right {
		return st
	}
	for c := arc + 1; c < a.end; c++ {
		b := &x.arcs[c]
		if mask := o.mask & b.mask; mask != 0 && (x.s.rule != side || b.right == right) {
			st = x.sibling(st, from, o.pack, start, c, mask)
		}
	}
	return st
}

// sibling adds arc c to st[from:], with those candidates of `mask` in which max-span allows the arc.
func (x *packExtender) sibling(st []packOccurrence, from int, pack, start, c uint32, mask uint64) []packOccurrence {
	if start != 0 {
		if x.wide[x.arcs[c].begin] {
			mask = x.near(x.starts.get(start).first, c, mask)
		}
		if mask == 0 {
			return st
		}
		c = x.copyOf(c, start)
	}
	return x.add(st, from, c, pack, mask)
}
