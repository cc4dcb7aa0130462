package decodetest

import (
	"sync/atomic"

	"fstore/index"
)

// Endless is a source of one tree, over and over, that counts how often it was read.
type Endless struct {
	Tree *index.Tree
	Read atomic.Int64
}

func (e *Endless) Next(t *index.Tree) error {
	e.Read.Add(1)
	t.Reset()
	t.Nodes = append(t.Nodes, e.Tree.Nodes...)
	return nil
}
