package dep

import "fstore/index"

// tie asks that row[later] > row[earlier]; later is -1 for the new arc.
type tie struct{ later, earlier int32 }

// bound returns the largest symbol that an extension with this Off may have, 0 if it may have none. It
// sets x.tie to the ties that must hold with that symbol. x.seconds must be set.
//
// The children of a node descend by code, so the subtree that grows, at each depth
// of the rightmost path, must not exceed its sibling before. While it is a prefix
// of that sibling, the sibling's next step bounds the new one.
func (x *extender) bound(off uint32) uint32 {
	p := &x.pat
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
	if d < len(p.path) && !word { // the new arc is itself the next sibling of one
		before := p.path[d]
		limit(p.sym[before], int(before) == len(p.sym)-1, tie{-1, before})
	}
	for _, i := range x.seconds {
		if int(i) >= d {
			break
		}
		grows := int(p.path[i])
		y := int(p.before[grows])
		n, whole := len(p.sym)-grows, grows-y // steps of both
		k := 0
		for k < n && k < whole && p.sym[grows+k] == p.sym[y+k] && p.off[grows+k] == p.off[y+k] {
			k++
		}
		switch {
		case k < n && k < whole: // less already
		case k == whole, p.off[y+k] < off:
			return 0
		case p.off[y+k] == off:
			limit(p.sym[y+k], k+1 == whole, tie{int32(grows), int32(y)})
		}
	}
	return best
}

// extendRows is extend without order: any dependent of a node on the rightmost path
// that is not in the embedding, as far as the code stays canonical.
func (x *extender) extendRows(o *occurrences, st *stream, last int) error {
	p := &x.pat
	stride := len(p.sym)
	x.seconds = x.seconds[:0]
	for i, s := range p.path {
		if p.before[s] >= 0 {
			x.seconds = append(x.seconds, int32(i))
		}
	}
	for _, off := range x.offsUpTo(last) {
		if x.s.isWord(off) {
			x.sameRows(o, st, off)
			continue
		}
		d, seg := int(x.s.depthOf(off)), segment{off: off, from: len(st.arc), bound: x.bound(off)}
		if seg.bound == 0 {
			continue
		}
		for at := 0; at < len(o.rows); at += stride {
			if err := x.extendRow(o.rows[at:at+stride], int32(at), st, d, seg.bound); err != nil {
				return err
			}
		}
		if seg.to = len(st.arc); seg.to > seg.from {
			st.segments = append(st.segments, seg)
		}
	}
	return nil
}

func (x *extender) extendRow(row []int32, at int32, st *stream, d int, bound uint32) error {
	p := &x.pat
	var from, to uint32
	if d == 0 {
		from, to = x.f.arcs[row[0]].begin, x.f.arcs[row[0]].end
	} else {
		head := &x.f.arcs[row[p.path[d-1]]]
		from, to = head.kid, head.kidEnd
	}
	if d < len(p.path) && x.f.isWide(from, to) {
		from, to = x.within(row, p.path[d], from, to)
	}
	holds, above := true, int32(-1) // the ties, but that the new arc exceeds another
	for _, t := range x.tie {
		if t.later < 0 {
			above = row[t.earlier]
		} else if row[t.later] < row[t.earlier] {
			holds = false
		}
	}
next:
	for c := int32(from); c < int32(to); c++ {
		if d < len(p.path) {
			for s := p.path[d]; s >= 0; s = p.before[s] {
				if row[s] == c {
					continue next
				}
			}
		}
		tie := holds && c > above
		if !x.f.anyAllowed(c, bound, tie) {
			continue
		}
		st.arc, st.row, st.tie = append(st.arc, c), append(st.row, at), append(st.tie, tie)
	}
	if len(st.arc) > maxStream {
		return &index.OccurrenceError{Order: len(p.sym) + 1, Limit: maxStream, Sample: x.f.arcs[row[0]].sample + 1}
	}
	return nil
}
