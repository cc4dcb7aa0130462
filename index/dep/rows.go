package dep

import (
	"slices"

	"fstore/index"
	"fstore/index/internal/growth"
)

// rowSteps has the steps of a code that have an arc in occurrences.rows: all but the step for the root's
// word.
type rowSteps struct {
	steps   []index.Step
	before  []int32 // for each step: the step of the sibling before, or -1
	path    []int32 // for each depth: the step of the arc on the rightmost path
	seconds []int   // the depths at which the arc on the rightmost path has a sibling before
}

// layOut sets p to the steps of a code.
func (p *rowSteps) layOut(s *Space, steps []index.Step) {
	p.steps, p.before, p.path, p.seconds = p.steps[:0], p.before[:0], p.path[:0], p.seconds[:0]
	for _, st := range steps {
		before := int32(-1)
		switch s.kindOf(st.Off) {
		case headWord:
			continue
		case anArc:
			depth := int(s.depthOf(st.Off))
			if depth < len(p.path) {
				before = p.path[depth]
			}
			p.path = append(p.path[:depth], int32(len(p.steps)))
		}
		p.steps, p.before = append(p.steps, st), append(p.before, before)
	}
	for d, i := range p.path {
		if p.before[i] >= 0 {
			p.seconds = append(p.seconds, d)
		}
	}
}

// tie is a condition on a row of arcs: row[later] > row[earlier], or the new arc > row[earlier] if `later` is
// -1.
type tie struct{ later, earlier int32 }

// bound returns the largest symbol that an extension at this offset can have: noBound for any symbol, 0 for
// none. It sets x.tie to the conditions that a row must meet to have this largest symbol.
//
// Siblings are in descending order of their codes. So no subtree on the rightmost path may exceed the sibling
// before it.
func (x *extender) bound(off uint32) uint32 {
	p := &x.rows
	d, word := int(x.s.depthOf(off)), x.s.isWord(off)
	x.tie = x.tie[:0]
	best := noBound
	limit := func(sym uint32, complete bool, t tie) {
		if sym < best {
			best = sym
			x.tie = x.tie[:0]
		}
		if sym == best && complete {
			x.tie = append(x.tie, t)
		}
	}
	if d < len(p.path) && !word { // the new arc itself has a sibling before it
		before := p.path[d]
		limit(p.steps[before].Sym, int(before) == len(p.steps)-1, tie{-1, before})
	}
	for _, i := range p.seconds {
		if i >= d {
			break
		}
		grows := int(p.path[i])
		y := int(p.before[grows])
		n, whole := len(p.steps)-grows, grows-y // steps of the subtree that grows, and of its sibling before
		k := 0
		for k < n && k < whole && p.steps[grows+k] == p.steps[y+k] {
			k++
		}
		switch {
		case k < n && k < whole: // the subtree that grows is less already
		case k == whole, p.steps[y+k].Off < off:
			return 0
		case p.steps[y+k].Off == off:
			limit(p.steps[y+k].Sym, k+1 == whole, tie{int32(grows), int32(y)})
		}
	}
	return best
}

// rowSegment sets seg.bound, and appends to st the arcs that can extend the rows at the offset seg.off.
func (x *extender) rowSegment(o *occurrences, st *stream, seg *segment) error {
	if seg.bound = x.bound(seg.off); seg.bound == 0 {
		return nil
	}
	for at := 0; at < len(o.rows); at += o.stride {
		row := o.rows[at : at+o.stride]
		holds, above := true, int32(-1) // whether the row's ties hold; the arc that the new one must exceed
		for _, t := range x.tie {
			if t.later < 0 {
				above = row[t.earlier]
			} else if row[t.later] < row[t.earlier] {
				holds = false
			}
		}
		if x.s.isWord(seg.off) {
			st.addRow(row[x.rows.path[len(x.rows.path)-1]], at, holds)
			continue
		}
		d := int(x.s.depthOf(seg.off))
		from, to := x.reachable(row, d)
	next:
		for c := int32(from); c < int32(to); c++ {
			if d < len(x.rows.path) {
				for s := x.rows.path[d]; s >= 0; s = x.rows.before[s] {
					if row[s] == c {
						continue next
					}
				}
			}
			if tie := holds && c > above; x.f.anyAllowed(c, seg.bound, tie) {
				st.addRow(c, at, tie)
			}
		}
		if len(st.arc) > maxStream {
			return &index.OccurrenceError{Order: len(x.rows.steps) + 1, Limit: maxStream, Sample: x.f.arcs[row[0]].sample + 1}
		}
	}
	return nil
}

func (st *stream) addRow(arc int32, at int, tie bool) {
	st.arc, st.row, st.tie = append(st.arc, arc), append(st.row, int32(at)), append(st.tie, tie)
}

// reachable returns the arcs [from, to) that max-span allows below the node at depth d of the rightmost path.
// The row may contain some of these arcs already.
func (x *extender) reachable(row []int32, d int) (from, to uint32) {
	if d == 0 {
		from, to = x.f.arcs[row[0]].begin, x.f.arcs[row[0]].end
	} else {
		head := &x.f.arcs[row[x.rows.path[d-1]]]
		from, to = head.kid, head.kidEnd
	}
	if d < len(x.rows.path) && x.f.isWide(from, to) {
		from, to = x.inSpan(row, x.rows.path[d], from, to)
	}
	return from, to
}

// inSpan limits [from, to) to the arcs that max-span allows beside the siblings in the row.
func (x *extender) inSpan(row []int32, sibling int32, from, to uint32) (uint32, uint32) {
	first, last := uint32(row[sibling]), uint32(row[sibling])
	for sibling = x.rows.before[sibling]; sibling >= 0; sibling = x.rows.before[sibling] {
		first, last = min(first, uint32(row[sibling])), max(last, uint32(row[sibling]))
	}
	if n := x.f.maxSpan; last >= from+n {
		from = last + 1 - n
	}
	return from, min(to, first+x.f.maxSpan)
}

// takeRows is the method `take` for a space without order (ordered=false).
func (x *extender) takeRows(o, from *occurrences, st *stream, entries []uint32, off uint32) error {
	added := 1 // number of arcs that each row gets
	if x.s.kindOf(off) == headWord {
		added = 0
	}
	o.rows, o.stride = o.rows[:0], from.stride+added
	if most := min(maxRows, (maxHeld-x.held)/o.stride); added > 0 && len(entries) > most {
		sample := growth.MostOften(func(add func(uint32, float64)) {
			for _, e := range entries {
				add(x.f.arcs[st.arc[e]].sample, 1)
			}
		})
		return &index.OccurrenceError{Order: o.stride, Limit: uint64(most), Sample: sample + 1}
	}
	o.rows = slices.Grow(o.rows, len(entries)*o.stride)
	for _, e := range entries {
		at := int(st.row[e])
		o.rows = append(o.rows, from.rows[at:at+from.stride]...)
		if added > 0 {
			o.rows = append(o.rows, st.arc[e])
		}
	}
	return nil
}
