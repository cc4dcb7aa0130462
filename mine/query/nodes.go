package query

import (
	"context"
	"encoding/binary"
	"errors"
	"fmt"
	"slices"

	"fstore/index"
	"fstore/mine/association"
)

// ErrNoNodes says that a space does not give labels for the nodes of its fragments.
var ErrNoNodes = errors.New("no labels for each node")

// Nodes has the number of tokens with each label that a node of a fragment can have. It is for one goroutine.
type Nodes struct {
	Space  index.Labelled
	Fields int // the number of fields of a label

	syms   *index.Symbols
	words  float64           // the number of words in the corpus
	seen   map[string]uint64 // by label: the number of tokens with the label
	labels []uint32
	key    []byte
	each   []float64
}

// EitherSide returns a message if > stands for either side of a head in the fragments of the space, else "".
func (t *Table) EitherSide() string {
	s, ok := t.Space.(index.Sided)
	switch {
	case !ok || s.Sides():
		return ""
	case s.SideFields():
		return "> is either side in the fragments of " + t.Info.ID + ": dir=left and dir=right tell it"
	}
	return "the fragments of " + t.Info.ID + " do not tell where a head stands among its dependents: > is either side"
}

// Nodes reads every sample and counts the labels of all tokens. It returns ErrNoNodes if the space does not
// label the nodes of its fragments (index.Labelled).
func (t *Table) Nodes(ctx context.Context) (*Nodes, error) {
	space, ok := t.Space.(index.Labelled)
	if !ok || len(space.LabelFields()) == 0 {
		return nil, fmt.Errorf("the fragments of %s have %w: those of dep have, with one template", t.Info.ID, ErrNoNodes)
	}
	n := &Nodes{
		Space: space, Fields: len(space.LabelFields()), syms: t.syms,
		words: float64(t.s.Meta().Words), seen: map[string]uint64{},
	}
	return n, t.s.Samples(0, t.s.Meta().Samples, func(id uint32, tree *index.Tree) error {
		if id%1024 == 0 && ctx.Err() != nil {
			return ctx.Err()
		}
		n.labels = space.AppendTokens(n.labels[:0], tree)
		for label := range slices.Chunk(n.labels, n.Fields) {
			n.seen[string(n.keyOf(label))]++
		}
		return nil
	})
}

// keyOf returns the key that a label has in the map `n.seen`. The key is valid until the next call.
func (n *Nodes) keyOf(label []uint32) []byte {
	n.key = n.key[:0]
	for _, id := range label {
		n.key = binary.AppendUvarint(n.key, uint64(id))
	}
	return n.key
}

// Labels returns the labels of c's nodes, in the order of c's text, and the index of the root. A label takes
// n.Fields elements: the id of a word for each field. The labels are valid until the next call.
func (n *Nodes) Labels(c index.Code) (labels []uint32, head int) {
	n.labels, head = n.Space.AppendLabels(n.labels[:0], c, n.syms)
	return n.labels, head
}

// Association returns the counts that say how strongly the nodes of c are associated. The result is valid
// until the next call.
func (n *Nodes) Association(c index.Code, occurrences uint64) association.Nodes {
	labels, _ := n.Labels(c)
	n.each = n.each[:0]
	for label := range slices.Chunk(labels, n.Fields) {
		n.each = append(n.each, float64(n.seen[string(n.keyOf(label))]))
	}
	return association.Nodes{Observed: float64(occurrences), Each: n.each, N: n.words}
}
