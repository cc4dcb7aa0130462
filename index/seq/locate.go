package seq

import "fstore/index"

// Locate implements index.Space. A match lists its words. Matches come in lexicographic order.
func (s *Space) Locate(t *index.Tree, c index.Code, _ *index.Symbols) []index.Occurrence {
	steps, ok := c.Steps(nil)
	if !ok || len(steps) == 0 {
		return nil
	}
	l := &locator{maxGap: s.maxGap, row: make([]int32, len(steps))}
	s.read(t, &l.q)
	l.findNext(steps)
	l.place(0, 0, len(l.q.syms))
	return l.found
}

// locator maps the symbols of a fragment to positions of a sequence.
type locator struct {
	maxGap int
	q      sequence
	// next[k][p] is the first position ≥ p where the symbols k, k+1, … match, or else the length of the
	// sequence.
	next  [][]int
	row   []int32
	found []index.Occurrence
}

func (l *locator) findNext(steps []index.Step) {
	n := len(l.q.syms)
	l.next = make([][]int, len(steps))
	for k := len(steps) - 1; k >= 0; k-- {
		row := make([]int, n+1)
		row[n] = n
		for p := n - 1; p >= 0; p-- {
			row[p] = row[p+1]
			if l.q.syms[p] != steps[k].Sym {
				continue
			}
			if k == len(steps)-1 || l.near(p, l.next[k+1][p+1]) {
				row[p] = p
			}
		}
		l.next[k] = row
	}
}

// near says whether a match can continue from position p to q.
func (l *locator) near(p, q int) bool { return q < len(l.q.syms) && q-p-1 <= l.maxGap }

// place lists the matches of the symbols from the k-th on. The k-th symbol must be in [from, to).
func (l *locator) place(k, from, to int) {
	for p := l.next[k][from]; p < to && len(l.found) < index.MaxLocated; p = l.next[k][p+1] {
		l.row[k] = l.q.at[p]
		if k+1 == len(l.row) {
			l.found = append(l.found, append(index.Occurrence(nil), l.row...))
			continue
		}
		l.place(k+1, p+1, min(len(l.q.syms), p+1+min(l.maxGap, len(l.q.syms))+1))
	}
}
