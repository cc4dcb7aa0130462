// Package pcfg learns a probabilistic context-free grammar from trees, and finds the k most probable trees of
// a sentence. Experiments with rerankers use these trees as K-best lists (Collins & Duffy 2001, §4). The
// grammar is weak on purpose: do not use it as a parser.
//
// Start reading: grammar.go has the rules and how they are counted, lexicon.go the tags of words, chart.go
// the best tree over each span (CKY), kbest.go the k best trees (Huang & Chiang 2005, algorithm 3).
package pcfg

// Tree is a node. A tag has a Word, any other node has Kids. Trees of one sentence share nodes, so do not
// change them.
type Tree struct {
	Label, Word string
	Kids        []*Tree
}

// Append appends the tree in brackets to dst.
func (t *Tree) Append(dst []byte) []byte {
	dst = append(append(dst, '('), t.Label...)
	if len(t.Kids) == 0 {
		dst = append(append(dst, ' '), t.Word...)
	}
	for _, k := range t.Kids {
		dst = k.Append(append(dst, ' '))
	}
	return append(dst, ')')
}

// walk calls f for each node of t, with the label of that node's parent.
func (t *Tree) walk(parent string, f func(t *Tree, parent string)) {
	f(t, parent)
	for _, k := range t.Kids {
		k.walk(t.Label, f)
	}
}
