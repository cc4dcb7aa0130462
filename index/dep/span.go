package dep

import (
	"fmt"

	"fstore/index"
)

// With max-span=N the dependents that a fragment has of one head lie among N neighbouring
// ones. Only wide families, those of more than N arcs, feel it.
//
// In a wide family the rightmost arc of an embedding does not tell what may follow: that
// depends on the first arc too. So embeddings that pass through wide families are merged
// only where the first arcs in all of these are the same. A start stands for these first
// arcs. It is a number, and 0 where no family on the rightmost path is wide. As families
// are rarely wide, a list of embeddings without any start has no column of them, and is
// extended as if there were no max-span.

// Span implements index.Spanned.
func (s *Space) Span() (option, unbounded string) {
	return fmt.Sprint("max-span=", s.maxSpan), "max-span=0"
}

// Wide implements index.Spanned: it counts the heads with more than max-span dependents.
// Neighbours are never too many if the order is at most max-span.
func (s *Space) Wide(t *index.Tree, l index.Limits) (heads int) {
	n := int(s.maxSpan)
	if n == 0 || len(t.Tokens) <= n || l.MaxOrder == 1 || s.rule == adjacent && l.MaxOrder > 0 && l.MaxOrder <= n {
		return 0
	}
	p := s.planter()
	defer s.planters.Put(p)
	p.plan(t, s.rootArcs)
	for i := 0; i < len(p.order); {
		end := p.family(t, i)
		if end-i > n {
			heads++
		}
		i = end
	}
	return heads
}

// starts numbers the starts. Arc a alone is a+1; several families have numbers above
// those of all arcs.
type starts struct {
	arcs   uint32 // numbers up to this are of one family
	chains []start
	number map[start]uint32 // of chains, which are arcs+1 and so on
}

// start is the first arc in a wide family, and the start of the wide families above it.
type start struct{ above, first uint32 }

// reset forgets the starts of several families.
func (s *starts) reset(arcs int) {
	s.arcs = uint32(arcs)
	if len(s.chains) > 0 {
		s.chains = s.chains[:0]
		clear(s.number)
	}
}

// of returns the number of a start.
func (s *starts) of(above, first uint32) uint32 {
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

// get returns the start with a number, which is not 0.
func (s *starts) get(n uint32) start {
	if n <= s.arcs {
		return start{0, n - 1}
	}
	return s.chains[n-s.arcs-1]
}

// isWide says whether the family of arcs from:to is wide.
func (f *forest) isWide(from, to uint32) bool { return f.maxSpan > 0 && to-from > f.maxSpan }

// startOf returns the start of entry i.
func (o *occurrences) startOf(i int) uint32 {
	if len(o.start) == 0 {
		return 0
	}
	return o.start[i]
}

// run returns entries i:j without their starts.
func (o *occurrences) run(i, j int) *occurrences {
	return &occurrences{arc: o.arc[i:j], w: o.w[i:j]}
}

// endOf returns where the arcs end that an embedding with this start may take in the
// family of arc a.
func (x *extender) endOf(a int32, start uint32) uint32 {
	f := &x.f.arcs[a]
	if !x.f.isWide(f.begin, f.end) {
		return f.end
	}
	return min(f.end, x.starts.get(start).first+x.f.maxSpan)
}

// put appends an extension to the segment that starts at from, or merges it with an equal
// one. Where extensions are only counted their starts do not matter.
func (x *extender) put(st *stream, from int, c uint32, w float64, start uint32) {
	if x.countOnly {
		start = 0
	}
	for int(start) >= len(x.where) {
		x.where = append(x.where, make([]uint32, 1+len(x.where))...)
	}
	st.pad()
	if at := int(x.where[start]); at >= from && at < len(st.arc) && st.arc[at] == int32(c) && st.start[at] == start {
		st.w[at] += w
		return
	}
	x.where[start] = uint32(len(st.arc))
	st.add(c, w)
	st.start = append(st.start, start)
}

// pad gives every entry a start.
func (st *stream) pad() {
	for len(st.start) < len(st.arc) {
		st.start = append(st.start, 0)
	}
}

// firstStarts gives the occurrences of a first step their starts.
func (x *extender) firstStarts(o *occurrences) {
	x.starts.reset(x.f.len())
	any := uint32(0)
	for _, a := range o.arc {
		start := uint32(0)
		if f := &x.f.arcs[a]; x.f.isWide(f.begin, f.end) {
			start = x.starts.of(0, uint32(a))
		}
		o.start = append(o.start, start)
		any |= start
	}
	if any == 0 {
		o.start = o.start[:0]
	}
}

// takeStarts gives the occurrences of an extension the starts of their entries.
func (x *extender) takeStarts(o *occurrences, st *stream, entries []uint32) {
	if len(st.start) == 0 {
		return
	}
	any := uint32(0)
	for _, e := range entries {
		o.start = append(o.start, st.start[e])
		any |= st.start[e]
	}
	if any == 0 {
		o.start = o.start[:0]
	}
}

// chainStarts fills a with the arcs of the heads of below, merged, where some of below
// have starts.
func (x *extender) chainStarts(a, below *occurrences) {
	a.arc, a.w, a.start = a.arc[:0], a.w[:0], a.start[:0]
	from, any := 0, uint32(0) // where the entries of the present head begin
	for i, b := range below.arc {
		f := &x.f.arcs[b]
		start := below.start[i]
		if start != 0 && x.f.isWide(f.begin, f.end) {
			start = x.starts.get(start).above
		}
		if n := len(a.arc); n > 0 && a.arc[n-1] != f.up {
			from = n
		}
		at := from
		for at < len(a.arc) && a.start[at] != start {
			at++
		}
		if at < len(a.arc) {
			a.w[at] += below.w[i]
			continue
		}
		a.arc, a.w, a.start = append(a.arc, f.up), append(a.w, below.w[i]), append(a.start, start)
		any |= start
	}
	if any == 0 {
		a.start = a.start[:0]
	}
}

// childrenStarts are the first children, where some families are wide.
func (x *extender) childrenStarts(st *stream, o *occurrences, right bool) {
	from := len(st.arc)
	for i := 0; i < len(o.arc); {
		j := i + 1 // entries i:j have one arc
		for j < len(o.arc) && o.arc[j] == o.arc[i] {
			j++
		}
		lo, hi := x.kids(o.arc[i], right)
		f := &x.f.arcs[o.arc[i]]
		wide := x.f.isWide(f.kid, f.kidEnd)
		if !wide && o.startOf(i) == 0 {
			for c := lo; c < hi; c++ {
				st.add(c, o.w[i])
			}
			i = j
			continue
		}
		for c := lo; c < hi; c++ {
			for k := i; k < j; k++ {
				start := o.startOf(k)
				if wide {
					start = x.starts.of(start, c)
				}
				x.put(st, from, c, o.w[k], start)
			}
		}
		i = j
	}
}

// siblingsStarts are the siblings that may follow, where some embeddings have starts.
// Those of one family all have one, or none has.
func (x *extender) siblingsStarts(st *stream, o *occurrences, right bool) {
	from := len(st.arc)
	for i := 0; i < len(o.arc); {
		j := i + 1
		if o.start[i] == 0 {
			for j < len(o.arc) && o.start[j] == 0 {
				j++
			}
			x.siblings(st, o.run(i, j), right)
			i = j
			continue
		}
		for end := x.f.arcs[o.arc[i]].end; j < len(o.arc) && uint32(o.arc[j]) < end; j++ {
		}
		switch x.s.rule {
		case adjacent:
			x.nextStarts(st, from, o, i, j)
		case side:
			x.sideStarts(st, from, o, i, j, right)
		default:
			x.laterStarts(st, from, o, i, j)
		}
		i = j
	}
}

// nextStarts does for embeddings with starts what nextSiblings does for others. Those from i up to j-1
// are of one family.
func (x *extender) nextStarts(st *stream, from int, o *occurrences, i, j int) {
	for ; i < j; i++ {
		if c := uint32(o.arc[i]) + 1; c < x.endOf(o.arc[i], o.start[i]) {
			x.put(st, from, c, o.w[i], o.start[i])
		}
	}
}

// open is embeddings with one start that arcs up to end may follow.
type open struct {
	start, end uint32
	w          float64
}

// follow adds entry i to the open embeddings.
func (x *extender) follow(o *occurrences, i int) {
	start := o.start[i]
	for k := range x.open {
		if x.open[k].start == start {
			x.open[k].w += o.w[i]
			return
		}
	}
	x.open = append(x.open, open{start, x.endOf(o.arc[i], start), o.w[i]})
}

// putOpen puts arc c behind the open embeddings, and closes those that it is too far from.
func (x *extender) putOpen(st *stream, from int, c uint32) {
	kept := x.open[:0]
	for _, r := range x.open {
		if c < r.end {
			x.put(st, from, c, r.w, r.start)
			kept = append(kept, r)
		}
	}
	x.open = kept
}

// laterStarts does for embeddings with starts what laterSiblings does for others. Those from i up to
// j-1 are of one family.
func (x *extender) laterStarts(st *stream, from int, o *occurrences, i, j int) {
	x.open = x.open[:0]
	end := x.f.arcs[o.arc[i]].end
	for c := uint32(o.arc[i]); c < end && (i < j || len(x.open) > 0); c++ {
		x.putOpen(st, from, c)
		for ; i < j && uint32(o.arc[i]) == c; i++ {
			x.follow(o, i)
		}
	}
}

// sideStarts does for embeddings with starts what sideSiblings does for others: it puts into st the next
// sibling on the left, or any on the right. The embeddings from i up to j-1 are of one family.
func (x *extender) sideStarts(st *stream, from int, o *occurrences, i, j int, right bool) {
	x.open = x.open[:0]
	f := &x.f.arcs[o.arc[i]]
	for ; i < j && uint32(o.arc[i]) < f.mid; i++ {
		if c := uint32(o.arc[i]) + 1; right {
			x.follow(o, i)
		} else if c < min(f.mid, x.endOf(o.arc[i], o.start[i])) {
			x.put(st, from, c, o.w[i], o.start[i])
		}
	}
	if !right {
		return
	}
	for c := f.mid; c < f.end; c++ {
		x.putOpen(st, from, c)
		for ; i < j && uint32(o.arc[i]) < c; i++ {
			if c < x.endOf(o.arc[i], o.start[i]) {
				x.put(st, from, c, o.w[i], o.start[i])
			}
		}
	}
}

// within returns the arcs of a wide family, from:to, that may join a row. They must lie near enough to
// the arcs of sibling and of the siblings before it.
func (x *extender) within(row []int32, sibling int32, from, to uint32) (uint32, uint32) {
	first, last := uint32(row[sibling]), uint32(row[sibling])
	for sibling = x.pat.before[sibling]; sibling >= 0; sibling = x.pat.before[sibling] {
		first, last = min(first, uint32(row[sibling])), max(last, uint32(row[sibling]))
	}
	if n := x.f.maxSpan; last >= from+n {
		from = last + 1 - n
	}
	return from, min(to, first+x.f.maxSpan)
}
