package dep

import (
	"slices"

	"fstore/index"
	"fstore/index/internal/growth"
)

// occurrences are the embeddings of a pattern, by ascending sample. With order, embeddings with one
// rightmost arc are merged. That arc decides how an embedding can grow, as the rightmost path is its
// chain of heads. arc ascends, and w is the number of embeddings, exact below 2^53. Without order
// each embedding is a row of arcs, in preorder of the code.
type occurrences struct {
	arc   []int32
	w     []float64
	start []uint32 // where their dependents start, see starts; empty where none has one
	rows  []int32  // of stride len(pattern.sym): a word has the arc to its node
}

// stream is the arcs that can extend the occurrences of a pattern, by segments.
type stream struct {
	arc      []int32
	w        []float64 // embeddings, where order counts
	start    []uint32  // their starts; empty where none has one
	row      []int32   // the row extended, where it does not
	tie      []bool    // without order: the arc may have segment.bound, see there
	segments []segment
}

// segment is the part of a stream with one off: entries from:to, ascending by arc
// (by sample, where order does not count).
//
// Without order, only features with a symbol up to bound keep the code canonical;
// with bound itself the new arc completes a subtree that equals its sibling before,
// and of the two ways to lay them on the tree only the one with ascending arcs
// counts: tie says which entries these are.
type segment struct {
	off      uint32
	from, to int
	bound    uint32
}

const noBound = ^uint32(0)

// allowed says whether entry i of a segment may have feature n.
func (f *forest) allowed(st *stream, seg *segment, i int, n uint32) bool {
	if seg.bound == noBound {
		return true
	}
	sym := f.syms[n]
	return sym < seg.bound || sym == seg.bound && st.tie[i]
}

// anyAllowed says whether arc a has a feature up to bound, or below it without tie.
func (f *forest) anyAllowed(a int32, bound uint32, tie bool) bool {
	if bound == noBound {
		return true
	}
	for _, n := range f.featsOf(a) {
		if sym := f.syms[n]; sym < bound || sym == bound && tie {
			return true
		}
	}
	return false
}

// extender finds what extends a pattern.
type extender struct {
	s   *Space
	f   *forest
	pat pattern
	tie []tie

	offs    []uint32
	seconds []int32 // the depths at which the rightmost path has an arc with a sibling before

	held int // arcs in the rows of what the pattern grew from, but for its first step's

	at     []*occurrences // the occurrences seen from each depth, see chain
	merged []*occurrences // memory of at

	starts    starts
	where     []uint32 // by start: where the last entry with it stands in the stream
	open      []open
	countOnly bool // extensions do not grow: where they start does not matter
}

// maxRows bounds the embeddings of a pattern that are kept as rows, maxHeld the arcs in
// rows of it and all the patterns that it grew from, and maxStream the entries of a stream
// of rows: more is an index.OccurrenceError.
const (
	maxRows   = 1 << 22
	maxHeld   = 1 << 26
	maxStream = 1 << 24
)

// extend fills st with what extends the pattern, whose occurrences are o, with
// heads at depths up to last.
func (x *extender) extend(o *occurrences, st *stream, last int) error {
	st.arc, st.w, st.start, st.row = st.arc[:0], st.w[:0], st.start[:0], st.row[:0]
	st.tie, st.segments = st.tie[:0], st.segments[:0]
	if x.s.unordered {
		return x.extendRows(o, st, last)
	}
	x.chain(o)
	for _, off := range x.offsUpTo(last) {
		if x.s.isWord(off) {
			x.same(st, o, off)
		} else {
			x.segment(st, off)
		}
	}
	if len(st.start) > 0 {
		st.pad()
	}
	return nil
}

// offsUpTo returns the Offs of the steps that may follow the pattern, with depths up to last.
func (x *extender) offsUpTo(last int) []uint32 {
	x.offs = x.s.appendOffs(x.offs[:0], x.pat.len(), x.pat.last())
	n := len(x.offs)
	for n > 0 && int(x.s.depthOf(x.offs[n-1])) > last {
		n--
	}
	return x.offs[:n]
}

// chain fills at: for each depth of the rightmost path its arc in each embedding,
// merged, with the number of embeddings.
func (x *extender) chain(o *occurrences) {
	n := len(x.pat.path)
	for len(x.merged) < n {
		x.merged = append(x.merged, &occurrences{})
		x.at = append(x.at, nil)
	}
	arcs := x.f.arcs
	for d := n - 1; d >= 0; d-- {
		if d == n-1 {
			x.at[d] = o
			continue
		}
		below, a := x.at[d+1], x.merged[d]
		x.at[d] = a
		if len(below.start) > 0 {
			x.chainStarts(a, below)
			continue
		}
		a.arc, a.w, a.start = a.arc[:0], a.w[:0], a.start[:0]
		last := int32(-1)
		for i, b := range below.arc {
			up := arcs[b].up
			if up == last {
				a.w[len(a.w)-1] += below.w[i]
				continue
			}
			last = up
			a.arc, a.w = append(a.arc, up), append(a.w, below.w[i])
		}
	}
}

// segment appends the extensions by steps with this Off.
func (x *extender) segment(st *stream, off uint32) {
	seg, d, right := segment{off: off, from: len(st.arc), bound: noBound}, int(x.s.depthOf(off)), x.s.rightOf(off)
	switch {
	case d == len(x.pat.path) && x.f.wide:
		x.childrenStarts(st, x.at[d-1], right)
	case d == len(x.pat.path):
		x.children(st, x.at[d-1], right)
	case len(x.at[d].start) > 0:
		x.siblingsStarts(st, x.at[d], right)
	default:
		x.siblings(st, x.at[d], right)
	}
	if seg.to = len(st.arc); seg.to > seg.from {
		st.segments = append(st.segments, seg)
	}
}

// siblings are the siblings that may follow.
func (x *extender) siblings(st *stream, o *occurrences, right bool) {
	switch x.s.rule {
	case adjacent:
		x.nextSiblings(st, o)
	case side:
		x.sideSiblings(st, o, right)
	default:
		x.laterSiblings(st, o)
	}
}

func (st *stream) add(a uint32, w float64) {
	st.arc, st.w = append(st.arc, int32(a)), append(st.w, w)
}

// children are the first children: any dependent of the modifier.
func (x *extender) children(st *stream, o *occurrences, right bool) {
	for i, a := range o.arc {
		from, to := x.kids(a, right)
		for c := from; c < to; c++ {
			st.add(c, o.w[i])
		}
	}
}

// kids returns the arcs of the modifier's dependents, under the rule side those on one
// side of it.
func (x *extender) kids(a int32, right bool) (from, to uint32) {
	arcs := x.f.arcs
	from, to = arcs[a].kid, arcs[a].kidEnd
	if x.s.rule == side && from != to {
		if mid := arcs[from].mid; right {
			from = mid
		} else {
			to = mid
		}
	}
	return from, to
}

// nextSiblings are the neighbours to the right.
func (x *extender) nextSiblings(st *stream, o *occurrences) {
	for i, a := range o.arc {
		if c := uint32(a) + 1; c < x.f.arcs[a].end {
			st.add(c, o.w[i])
		}
	}
}

// laterSiblings are all siblings to the right: each with the embeddings that end
// before it.
func (x *extender) laterSiblings(st *stream, o *occurrences) {
	for i := 0; i < len(o.arc); {
		c := uint32(o.arc[i])
		end := x.f.arcs[c].end
		sum := 0.0
		for ; c < end; c++ {
			if sum > 0 {
				st.add(c, sum)
			}
			if i < len(o.arc) && uint32(o.arc[i]) == c {
				sum += o.w[i]
				i++
			}
		}
	}
}

// sideSiblings are, on the left, the neighbours to the right; on the right, these,
// and for an embedding that ends on the left every right dependent.
func (x *extender) sideSiblings(st *stream, o *occurrences, right bool) {
	for i := 0; i < len(o.arc); {
		f := &x.f.arcs[o.arc[i]]
		left := 0.0
		for ; i < len(o.arc) && uint32(o.arc[i]) < f.mid; i++ {
			if c := uint32(o.arc[i]) + 1; !right && c < f.mid {
				st.add(c, o.w[i])
			}
			left += o.w[i]
		}
		from := i
		for i < len(o.arc) && uint32(o.arc[i]) < f.end {
			i++
		}
		if !right {
			continue
		}
		k := from
		for c := f.mid; c < f.end; c++ {
			w := left
			if k < i && uint32(o.arc[k])+1 == c {
				w += o.w[k]
				k++
			}
			if w > 0 {
				st.add(c, w)
			}
		}
	}
}

// take fills o with the occurrences of an extension: entries of st whose pattern
// was extended by one step with this Off; from has the occurrences before.
func (x *extender) take(o, from *occurrences, st *stream, entries []uint32, off uint32) error {
	o.arc, o.w, o.start, o.rows = o.arc[:0], o.w[:0], o.start[:0], o.rows[:0]
	if !x.s.unordered {
		for _, e := range entries {
			o.arc, o.w = append(o.arc, st.arc[e]), append(o.w, st.w[e])
		}
		x.takeStarts(o, st, entries)
		return nil
	}
	stride := len(x.pat.sym) // before the extension is pushed
	if off == 0 && x.s.isWord(off) {
		for _, e := range entries {
			at := int(st.row[e])
			o.rows = append(o.rows, from.rows[at:at+stride]...)
		}
		return nil
	}
	if most := min(maxRows, (maxHeld-x.held)/(stride+1)); len(entries) > most {
		sample := growth.MostOften(func(add func(uint32, float64)) {
			for _, e := range entries {
				add(x.f.arcs[st.arc[e]].sample, 1)
			}
		})
		return &index.OccurrenceError{Order: stride + 1, Limit: uint64(most), Sample: sample + 1}
	}
	o.rows = slices.Grow(o.rows, len(entries)*(stride+1))
	for _, e := range entries {
		at := int(st.row[e])
		o.rows = append(o.rows, from.rows[at:at+stride]...)
		o.rows = append(o.rows, st.arc[e])
	}
	return nil
}

// first fills o with the occurrences of a first step: arcs with its feature.
func (x *extender) first(o *occurrences, arcs []int32, right bool) {
	o.arc, o.w, o.start, o.rows = o.arc[:0], o.w[:0], o.start[:0], o.rows[:0]
	switch {
	case x.s.unordered:
		o.rows = append(o.rows, arcs...)
		return
	case x.s.rule == side:
		for _, a := range arcs {
			if (uint32(a) >= x.f.arcs[a].mid) == right {
				o.arc = append(o.arc, a)
			}
		}
	default:
		o.arc = append(o.arc, arcs...)
	}
	for range o.arc {
		o.w = append(o.w, 1)
	}
	if x.f.wide {
		x.firstStarts(o)
	}
}

// push adds a step to the pattern.
func (x *extender) push(off, sym uint32) {
	p := &x.pat
	which := x.s.which(off)
	if which == headWord {
		p.rooted = true
		return
	}
	before := int32(-1)
	if depth := int(x.s.depthOf(off)); which == anArc {
		if depth < len(p.path) {
			before = p.path[depth]
		}
		p.paths = append(p.paths, p.path[depth:]...)
		p.paths = append(p.paths, int32(len(p.path)-depth))
		p.path = append(p.path[:depth], int32(len(p.sym)))
	}
	p.sym, p.off, p.before = append(p.sym, sym), append(p.off, off), append(p.before, before)
}

// pop takes the last step back.
func (x *extender) pop() {
	p := &x.pat
	n := len(p.sym) - 1
	if p.rooted && n == 0 {
		p.rooted = false
		return
	}
	off := p.off[n]
	p.sym, p.off, p.before = p.sym[:n], p.off[:n], p.before[:n]
	if x.s.isWord(off) {
		return
	}
	depth := x.s.depthOf(off)
	end := len(p.paths) - 1
	k := int(p.paths[end])
	p.path = append(p.path[:depth], p.paths[end-k:end]...)
	p.paths = p.paths[:end-k]
}
