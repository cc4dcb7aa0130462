package seq

import (
	"slices"

	"fstore/index"
	"fstore/index/internal/growth"
)

// Items are the sequences of many samples.
type Items struct {
	growth.Rows
	s     *Space
	read  sequence
	reach growth.Memo[reachKey, []float64]
}

// reachKey is the key of bounds in Items.reach: the decay, and how many symbols may be added (0: no limit).
type reachKey struct {
	lambda float64
	more   int
}

// NewItems returns an empty *Items.
func (s *Space) NewItems(*index.Symbols) index.Items { return &Items{s: s} }

// Tally counts the symbols of t.
func (s *Space) Tally(t *index.Tree, _ *index.Symbols, sample uint32, tally *index.Tally) {
	var q sequence
	s.read(t, &q)
	for _, sym := range q.syms {
		if sym != 0 {
			tally.Add(step(sym), sample)
		}
	}
}

// Add appends the words of t, from the first one with which a fragment in r can begin.
func (it *Items) Add(sample uint32, t *index.Tree, r index.Range, _ index.Limits) {
	it.s.read(t, &it.read)
	syms := it.read.syms
	from := slices.IndexFunc(syms, func(sym uint32) bool { return sym != 0 && r.Contains(step(sym).Packed()) })
	if from >= 0 {
		it.AddRow(sample, syms[from:])
	}
}

// Reset implements index.Items.
func (it *Items) Reset() {
	it.Rows.Reset()
	it.reach.Reset()
}

// sequence is a sample as the space reads it.
type sequence struct {
	syms []uint32 // by word, packed; 0 if it has no symbol: then it can only be skipped
	at   []int32  // the node or token of each word
}

// read fills q with the symbols of the words of t, in order. The symbols are all words or all labels.
func (s *Space) read(t *index.Tree, q *sequence) {
	q.syms, q.at = q.syms[:0], q.at[:0]
	if t.Kind == index.Dependency {
		for i := range t.Tokens {
			q.add(index.Child{Sym: s.unit.Of(&t.Tokens[i]), Word: true}, i)
		}
		return
	}
	for i := range t.Nodes {
		n := &t.Nodes[i]
		switch {
		case !t.IsWord(i):
		case s.unit == index.Form:
			q.add(n.Child(), i)
		case n.Parent < 0:
			q.add(index.Child{}, i)
		default:
			q.add(index.Child{Sym: t.Nodes[n.Parent].Sym}, i)
		}
	}
}

func (q *sequence) add(sym index.Child, at int) {
	q.syms, q.at = append(q.syms, sym.Packed()), append(q.at, int32(at))
}

func step(sym uint32) index.Step { return index.Step{Sym: sym} }
