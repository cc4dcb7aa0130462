package seq

import (
	"slices"

	"fstore/index"
	"fstore/index/expansion"
	"fstore/index/internal/growth"
	"fstore/index/internal/walk"
)

// Matcher grows the stored fragments along a sequence, depth first (index/README.md, "Matching"). For each
// position, it has the number of the matches that end there, and the sum of their values.
type Matcher struct {
	walk.Walk
	s      *Space
	q      sequence
	at     growth.Inverted[int32] // the positions of each symbol
	power  []float64              // powers of λ
	levels growth.Levels[matchLevel]
}

// end is a position where matches of a state end, with the number and the value of these matches.
type end struct {
	at           int32
	count, value float64
}

// matchLevel has the data of one depth of the walk.
type matchLevel struct {
	state    expansion.Record
	ends     []end
	gathered []sums // by position
}

// sums has the number of matches that can continue at a position, and the sum of their decayed values.
type sums struct{ count, value float64 }

// NewMatcher implements index.Space.
func (s *Space) NewMatcher(x index.Automaton, _ *index.Symbols, lambda float64) index.Matcher {
	return &Matcher{Walk: walk.Walk{Index: x.(*expansion.Index)}, s: s, power: []float64{1, lambda}}
}

// Match implements index.Matcher. A visit is one position where a stored code, or a prefix of it, ends.
func (m *Matcher) Match(t *index.Tree, budget int64) ([]index.Hit, error) {
	m.Begin(budget)
	m.load(t)
	root := m.Index.Root()
	for i, sym := range m.Symbols {
		r, ok := m.Index.Find(&root, 0, sym)
		if !ok {
			continue
		}
		lv := m.levels.At(1)
		lv.state, lv.ends = r, lv.ends[:0]
		for _, p := range m.positions(i, 0) {
			lv.ends = append(lv.ends, end{p, 1, 1})
		}
		if err := m.enter(1); err != nil {
			return nil, err
		}
	}
	return m.Hits(), nil
}

// load lists the symbols of t that occur in codes, with their positions.
func (m *Matcher) load(t *index.Tree) {
	m.s.read(t, &m.q)
	for _, sym := range m.q.syms {
		if sym != 0 && m.Index.Live(sym) {
			m.Symbols = append(m.Symbols, sym)
		}
	}
	m.Numbered()
	m.at.Fill(len(m.Symbols), func() {
		for p, sym := range m.q.syms {
			if n, ok := m.NumberOf(sym); ok {
				m.at.Put(n, int32(p))
			}
		}
	})
	for len(m.power) < len(m.q.syms) {
		m.power = append(m.power, m.power[len(m.power)-1]*m.power[1])
	}
}

// positions returns the positions of the i-th symbol, from position `start` on.
func (m *Matcher) positions(i int, start int32) []int32 {
	all := m.at.Of(i, i+1)
	at, _ := slices.BinarySearch(all, start)
	return all[at:]
}

// enter adds the hit of the code at level n, and walks on to the stored extensions of the code.
func (m *Matcher) enter(n int) error {
	lv := m.levels.At(n)
	r := &lv.state
	if err := m.Visit(len(lv.ends)); err != nil {
		return err
	}
	if r.Out != 0 {
		var all sums
		for _, e := range lv.ends {
			all.count += e.count
			all.value += e.value
		}
		m.Hit(r.Out, n, all.count, all.value)
	}
	if r.N == 0 {
		return nil
	}
	m.gather(lv)
	if edges := m.Index.Ordered(r); edges > 0 && edges <= min(scanMax, len(m.Symbols)) {
		// Few edges: look up the symbol of each.
		for k := range edges {
			c := m.Index.Child(r, k)
			if i, ok := m.NumberOf(c.Sym); ok {
				if err := m.apply(lv, c, int(i), n+1); err != nil {
					return err
				}
			}
		}
		return nil
	}
	for i, sym := range m.Symbols {
		if c, ok := m.Index.Find(r, 0, sym); ok {
			if err := m.apply(lv, c, i, n+1); err != nil {
				return err
			}
		}
	}
	return nil
}

// scanMax is the largest number of stored extensions that are looked up in the sample one by one. If there
// are more, each symbol of the sample is looked up among the extensions.
const scanMax = 64

// gather sets lv.gathered[p] to the sums of the matches that can continue at position p. Positions before the
// first end in lv.ends are not set.
func (m *Matcher) gather(lv *matchLevel) {
	n := len(m.q.syms)
	lv.gathered = slices.Grow(lv.gathered[:0], n)[:n]
	if m.s.maxGap >= n {
		var g sums
		next := 0
		for p := int(lv.ends[0].at); p < n; p++ {
			lv.gathered[p] = g
			g.value = float64(g.value * m.power[1])
			if next < len(lv.ends) && int(lv.ends[next].at) == p {
				g.count += lv.ends[next].count
				g.value += lv.ends[next].value
				next++
			}
		}
		return
	}
	clear(lv.gathered[lv.ends[0].at:])
	for _, e := range lv.ends {
		for p := int(e.at) + 1; p <= min(int(e.at)+1+m.s.maxGap, n-1); p++ {
			lv.gathered[p].count += e.count
			lv.gathered[p].value += float64(e.value * m.power[p-int(e.at)-1])
		}
	}
}

// apply goes from the state in lv to the state r at depth n, by the symbol m.Symbols[i].
func (m *Matcher) apply(lv *matchLevel, r expansion.Record, i, n int) error {
	next := m.levels.At(n)
	next.state, next.ends = r, next.ends[:0]
	for _, p := range m.positions(i, lv.ends[0].at+1) {
		if g := lv.gathered[p]; g.count > 0 {
			next.ends = append(next.ends, end{p, g.count, g.value})
		}
	}
	if len(next.ends) == 0 {
		return nil
	}
	return m.enter(n)
}
