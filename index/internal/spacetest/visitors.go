package spacetest

import (
	"bytes"
	"errors"

	"fstore/index"
)

// Everything is a visitor that wants all to be grown.
type Everything struct{}

// Visit implements index.Visitor.
func (Everything) Visit(b *index.Batch) error {
	for i := range b.Descend {
		b.Descend[i] = true
	}
	return nil
}

// Limited is a visitor with a budget, as builds have.
type Limited struct {
	Left  int
	Codes []index.Code // what was visited
}

// ErrLimit is the end of the budget.
var ErrLimit = errors.New("limit")

// Visit implements index.Visitor.
func (l *Limited) Visit(b *index.Batch) error {
	if l.Left -= b.Len(); l.Left < 0 {
		return ErrLimit
	}
	for i := range b.Len() {
		b.Descend[i] = true
		l.Codes = append(l.Codes, append(bytes.Clone(b.Parent), b.SuffixOf(i)...))
	}
	return nil
}
