package seq

import (
	"fstore/index"
	"fstore/index/internal/option"
)

// The Off of a step names the class of its symbol, which is one for all symbols of a
// sample.
const (
	offWord  = 0 // index.Words
	offLabel = 1 // index.Labels: tags of constituency trees, and words in one alphabet
)

func classOf(off uint32) index.Class {
	if off == offLabel {
		return index.Labels
	}
	return index.Words
}

// sequence is a sample as the space reads it.
type sequence struct {
	off  uint32
	syms []uint32 // of each word, 0 where it has none: that word can be skipped only
	at   []int32  // the node or token that the word is
}

// read fills q with the words of t, in order.
func (s *Space) read(t *index.Tree, q *sequence) {
	q.off, q.syms, q.at = offWord, q.syms[:0], q.at[:0]
	if t.Kind == index.Dependency {
		for i := range t.Tokens {
			q.syms, q.at = append(q.syms, s.unit.Of(&t.Tokens[i])), append(q.at, int32(i))
		}
		return
	}
	ofParent := s.unit != option.Form
	if ofParent || t.OneAlphabet {
		q.off = offLabel
	}
	for i := range t.Nodes {
		if !t.IsWord(i) {
			continue
		}
		sym := t.Nodes[i].Sym
		if ofParent {
			sym = 0
			if p := t.Nodes[i].Parent; p >= 0 {
				sym = t.Nodes[p].Sym
			}
		}
		q.syms, q.at = append(q.syms, sym), append(q.at, int32(i))
	}
}

// step is the step of the i-th word; ok is false where it has no symbol.
func (q *sequence) step(i int) (st index.Step, ok bool) {
	return index.Step{Off: q.off, Sym: q.syms[i]}, q.syms[i] != 0
}
