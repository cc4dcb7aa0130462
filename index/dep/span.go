package dep

import (
	"fmt"

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
