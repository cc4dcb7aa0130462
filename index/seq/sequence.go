package seq

import (
	"fstore/index"
)

// sequence is a sample as the space reads it.
type sequence struct {
	syms []uint32 // of each word, packed; 0 where it has none: that word can be skipped only
	at   []int32  // the node or token that the word is
}

// read fills q with the words of t, in order. Their symbols are of one class.
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

// step is the step of a symbol.
func step(sym uint32) index.Step { return index.Step{Sym: sym} }
