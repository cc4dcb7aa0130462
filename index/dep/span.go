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
// arcs. It is a number, and 0 where no family on the rightmost path is wide.

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
	p.deps.Fill(t)
	for h := range int32(len(t.Tokens)) + 1 {
		if (h > 0 || s.rootArcs) && len(p.deps.Of(h-1)) > n {
			heads++
		}
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

// endOf returns where the arcs end that an embedding with this start may take in the
// family of arc a.
func (x *extender) endOf(a int32, start uint32) uint32 {
	f := &x.f.arcs[a]
	if !x.f.isWide(f.begin, f.end) {
		return f.end
	}
	return min(f.end, x.starts.get(start).first+x.f.maxSpan)
}

// within returns the arcs of a wide family, from:to, that may join a row. They must lie near enough to
// the arcs of sibling and of the siblings before it.
func (x *extender) within(row []int32, sibling int32, from, to uint32) (uint32, uint32) {
	first, last := uint32(row[sibling]), uint32(row[sibling])
	for sibling = x.rows.before[sibling]; sibling >= 0; sibling = x.rows.before[sibling] {
		first, last = min(first, uint32(row[sibling])), max(last, uint32(row[sibling]))
	}
	if n := x.f.maxSpan; last >= from+n {
		from = last + 1 - n
	}
	return from, min(to, first+x.f.maxSpan)
}
