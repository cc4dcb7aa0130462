package dep

import "fstore/index"

// entries are arcs, ascending, each with a number of embeddings (exact below 2^53).
type entries struct {
	arc   []int32
	w     []float64
	start []uint32 // the start of each entry, see startNumbers; 0 for entries beyond the end of this list
}

func (e *entries) reset() { e.arc, e.w, e.start = e.arc[:0], e.w[:0], e.start[:0] }

func (e *entries) add(arc int32, w float64, start uint32) {
	if start != 0 {
		e.pad()
		e.start = append(e.start, start)
	}
	e.arc, e.w = append(e.arc, arc), append(e.w, w)
}

// pad appends zeros to e.start until it is as long as e.arc.
func (e *entries) pad() {
	for len(e.start) < len(e.arc) {
		e.start = append(e.start, 0)
	}
}

func (e *entries) addAll(o *entries) {
	if len(o.start) > 0 {
		e.pad()
		e.start = append(e.start, o.start...)
	}
	e.arc, e.w = append(e.arc, o.arc...), append(e.w, o.w...)
}

// merge adds w to the entry with this arc and start, or appends a new entry. It ignores the entries before
// firstIndex.
func (e *entries) merge(firstIndex int, arc int32, w float64, start uint32) {
	for at := len(e.arc) - 1; at >= firstIndex && e.arc[at] == arc; at-- {
		if e.startOf(at) == start {
			e.w[at] += w
			return
		}
	}
	e.add(arc, w, start)
}

func (e *entries) startOf(i int) uint32 {
	if i >= len(e.start) {
		return 0
	}
	return e.start[i]
}

// occurrences are the embeddings of a pattern, by ascending sample. An entry stands for:
//   - in an ordered space: all embeddings that can grow in the same way
//   - in a space without order: one embedding, as a row of arcs in the order of the code
type occurrences struct {
	entries
	rows   []int32
	stride int // arcs in a row: one for each step but the root's word; the arc of a word is the arc to its node
}

// stream has the arcs that can extend the occurrences of a pattern, in one segment for each Step.Off.
type stream struct {
	entries          // without order only arc is set
	row      []int32 // without order: where in rows the extended row starts
	tie      []bool  // without order: the arc may have the symbol segment.bound
	segments []segment
}

// segment has the entries [from, to) of a stream, all for one Step.Off. They ascend by arc or, in a space
// without order, by sample.
//
// A new symbol must be less than `bound`, or equal to it if the entry has stream.tie. So codes stay
// canonical, and equal siblings count once.
type segment struct {
	off      uint32
	from, to int
	bound    uint32
}

const noBound = ^uint32(0)

// allowed says whether a code that is extended by feature n of entry i stays canonical (see segment).
func (f *forest) allowed(st *stream, seg *segment, i int, n uint32) bool {
	if seg.bound == noBound {
		return true
	}
	sym := f.syms[n]
	return sym < seg.bound || sym == seg.bound && st.tie[i]
}

// anyAllowed says whether some feature of the arc keeps the code canonical (see segment).
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

// extender finds the arcs that extend a pattern, for one goroutine.
type extender struct {
	s     *Space
	f     *forest
	steps []index.Step // the steps of the pattern

	offs   []uint32
	at     []*entries // for each depth of the rightmost path, the arcs at this depth, see chain
	merged []*entries // memory of at
	starts startNumbers
	open   []open
	leaf   bool // extensions do not grow, so their starts do not matter

	rows rowSteps // the pattern without order, see rows.go
	tie  []tie
	held int // arcs in the rows of the pattern and of the patterns that it grew from, without its first step
}

// Limits in a space without order, where an embedding of a pattern is a row of arcs. Beyond a limit, growth
// returns an index.OccurrenceError.
//   - maxRows: the embeddings
//   - maxHeld: the arcs in the rows of a pattern and of its prefixes
//   - maxStream: the entries of a stream
const (
	maxRows   = 1 << 22
	maxHeld   = 1 << 26
	maxStream = 1 << 24
)

// extend sets st to the arcs that can extend the embeddings o, at depths up to `last`.
func (x *extender) extend(o *occurrences, st *stream, last int) error {
	st.reset()
	st.row, st.tie, st.segments = st.row[:0], st.tie[:0], st.segments[:0]
	if x.s.unordered {
		x.rows.layOut(x.s, x.steps)
	} else {
		x.chain(&o.entries)
	}
	x.offs = x.s.appendOffs(x.offs[:0], len(x.steps), x.last())
	for _, off := range x.offs {
		if int(x.s.depthOf(off)) > last {
			break
		}
		seg := segment{off: off, from: len(st.arc), bound: noBound}
		if !x.s.unordered {
			x.segment(st, off)
		} else if err := x.rowSegment(o, st, &seg); err != nil {
			return err
		}
		if seg.to = len(st.arc); seg.to > seg.from {
			st.segments = append(st.segments, seg)
		}
	}
	return nil
}

func (x *extender) last() uint32 { return x.steps[len(x.steps)-1].Off }

// chain sets x.at[d] to the arcs at depth d of the embeddings' rightmost paths.
func (x *extender) chain(o *entries) {
	n := x.s.pathAfter(x.last())
	for len(x.merged) < n {
		x.merged, x.at = append(x.merged, &entries{}), append(x.at, nil)
	}
	x.at[n-1] = o
	for d := n - 2; d >= 0; d-- {
		below, heads := x.at[d+1], x.merged[d]
		x.at[d] = heads
		heads.reset()
		for i, b := range below.arc {
			a, start := &x.f.arcs[b], below.startOf(i)
			if start != 0 && x.f.isWide(a.begin, a.end) {
				start = x.starts.get(start).above
			}
			switch last := len(heads.arc) - 1; {
			case last < 0 || heads.arc[last] != a.up:
				heads.add(a.up, below.w[i], start)
			case heads.startOf(last) == start:
				heads.w[last] += below.w[i]
			default:
				heads.merge(0, a.up, below.w[i], start)
			}
		}
	}
}

// segment appends the arcs that extend the pattern by a step with Step.Off = off.
func (x *extender) segment(st *stream, off uint32) {
	d, path, right := int(x.s.depthOf(off)), x.s.pathAfter(x.last()), x.s.rightOf(off)
	switch {
	case x.s.isWord(off): // a word keeps the occurrences whose node has it
		st.addAll(x.at[path-1])
	case d == path:
		x.children(st, x.at[d-1], right)
	case x.s.rule == adjacent || x.s.rule == side && !right:
		x.neighbours(st, x.at[d])
	default:
		x.siblings(st, x.at[d])
	}
}

// children appends the arcs below the last arc of a pattern. With siblings=side, it takes only those on one
// side.
func (x *extender) children(st *stream, o *entries, right bool) {
	first := len(st.arc)
	for i := 0; i < len(o.arc); {
		a := &x.f.arcs[o.arc[i]]
		next := i + 1 // entries before next have the same arc, with other starts
		for next < len(o.arc) && o.arc[next] == o.arc[i] {
			next++
		}
		from, to := a.kid, a.kidEnd
		if x.s.rule == side && from != to {
			if mid := x.f.arcs[from].mid; right {
				from = mid
			} else {
				to = mid
			}
		}
		wide := x.f.isWide(a.kid, a.kidEnd)
		for c := from; c < to; c++ {
			for k := i; k < next; k++ {
				start := o.startOf(k)
				if wide && !x.leaf {
					start = x.starts.numberOf(start, c)
				}
				x.put(st, first, int32(c), o.w[k], start)
			}
		}
		i = next
	}
}

// neighbours appends the arc to the right of each arc in `o`. With siblings=side, it appends only arcs left
// of the head.
func (x *extender) neighbours(st *stream, o *entries) {
	for i, a := range o.arc {
		end := x.f.arcs[a].end
		if x.s.rule == side {
			end = x.f.arcs[a].mid
		}
		if uint32(a)+1 < end && x.goesOn(o, i) {
			st.add(a+1, o.w[i], o.startOf(i))
		}
	}
}

// goesOn says whether max-span allows the embeddings of entry i to take the next arc too.
func (x *extender) goesOn(o *entries, i int) bool {
	start := o.startOf(i)
	return start == 0 || uint32(o.arc[i])+1 < x.endOf(o.arc[i], start)
}

// put appends an extension to the segment that begins at st.arc[first]. If x.leaf is set, neighbouring
// extensions with the same arc are merged.
func (x *extender) put(st *stream, first int, arc int32, w float64, start uint32) {
	last := len(st.arc) - 1
	switch {
	case !x.leaf:
		st.add(arc, w, start)
	case last >= first && st.arc[last] == arc:
		st.w[last] += w
	default:
		st.add(arc, w, 0)
	}
}

// siblings appends the arcs that can follow an arc of o in its family. With siblings=side, these are only
// arcs right of the head.
func (x *extender) siblings(st *stream, o *entries) {
	first, sided := len(st.arc), x.s.rule == side
	for i := 0; i < len(o.arc); {
		family := &x.f.arcs[o.arc[i]]
		c, end := uint32(o.arc[i]), family.end
		free := 0.0 // number of embeddings without a start: any later arc may follow
		x.open = x.open[:0]
		if sided {
			for c = family.mid; i < len(o.arc) && uint32(o.arc[i]) < c; i++ {
				free += x.follow(o, i)
			}
		}
		for ; c < end; c++ {
			if free > 0 {
				st.add(int32(c), free, 0)
			}
			if len(x.open) > 0 {
				x.putOpen(st, first, c)
			}
			if !sided {
				for ; i < len(o.arc) && uint32(o.arc[i]) == c; i++ {
					free += x.follow(o, i)
				}
				continue
			}
			for ; i < len(o.arc) && uint32(o.arc[i]) < c; i++ {
				switch {
				case !x.goesOn(o, i):
				case x.leaf:
					x.put(st, first, int32(c), o.w[i], 0)
				default:
					st.merge(first, int32(c), o.w[i], o.startOf(i))
				}
			}
		}
		for i < len(o.arc) && uint32(o.arc[i]) < end {
			i++
		}
	}
}

// open stands for embeddings that only arcs with numbers below `end` can extend (span.go).
type open struct {
	start, end uint32
	w          float64
}

// follow returns the number of embeddings of entry i that max-span does not limit (span.go). It adds the
// others to x.open.
func (x *extender) follow(o *entries, i int) (free float64) {
	start := o.startOf(i)
	if start == 0 {
		return o.w[i]
	}
	for k := range x.open {
		if x.open[k].start == start {
			x.open[k].w += o.w[i]
			return 0
		}
	}
	x.open = append(x.open, open{start, x.endOf(o.arc[i], start), o.w[i]})
	return 0
}

// putOpen extends the embeddings in x.open by arc c. It removes those that cannot take the arc.
func (x *extender) putOpen(st *stream, first int, c uint32) {
	kept := x.open[:0]
	for _, r := range x.open {
		if c < r.end {
			x.put(st, first, int32(c), r.w, r.start)
			kept = append(kept, r)
		}
	}
	x.open = kept
}

// take fills o with the occurrences of an extended pattern. `entries` are their indices in st.
func (x *extender) take(o, from *occurrences, st *stream, entries []uint32, off uint32) error {
	o.reset()
	if x.s.unordered {
		return x.takeRows(o, from, st, entries, off)
	}
	for _, e := range entries {
		o.arc, o.w = append(o.arc, st.arc[e]), append(o.w, st.w[e])
	}
	if len(st.start) > 0 {
		for _, e := range entries {
			o.start = append(o.start, st.startOf(int(e)))
		}
	}
	return nil
}

// takeFirst fills o with the arcs of a first step. With siblings=side, it leaves out arcs on the wrong side
// of their heads.
func (x *extender) takeFirst(o *occurrences, arcs []int32, right bool) {
	o.reset()
	o.rows, o.stride = o.rows[:0], 1
	if x.s.unordered {
		o.rows = append(o.rows, arcs...)
		return
	}
	x.starts.reset(x.f.len())
	for _, a := range arcs {
		switch f := &x.f.arcs[a]; {
		case x.s.rule == side && (uint32(a) >= f.mid) != right:
		case x.f.isWide(f.begin, f.end):
			o.add(a, 1, x.starts.numberOf(0, uint32(a)))
		default:
			o.add(a, 1, 0)
		}
	}
}
