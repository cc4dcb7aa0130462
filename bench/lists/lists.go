// Package lists reads and writes K-best lists with their gold trees, in two files of CoNLL-U.
package lists

import (
	"context"
	"errors"
	"io"

	"fstore/decode/read"
	"fstore/index"
)

// Each calls f for each K-best list of a file, in order, with its gold tree. The list is valid only during
// the call. Each returns the first error of f or of reading.
func Each(ctx context.Context, kbest, gold string, f func(l *read.List, syms *index.Symbols) error) (err error) {
	syms := index.NewSymbols()
	in, err := read.OpenLists([]string{kbest}, read.InputOptions{Symbols: syms, Gold: gold, Context: ctx})
	if err != nil {
		return err
	}
	defer func() { err = errors.Join(err, in.Close()) }()
	var l read.List
	for {
		err := in.NextList(&l)
		if err == io.EOF {
			return nil
		}
		if err == nil {
			err = f(&l, syms)
		}
		if err != nil {
			return err
		}
	}
}

// Writer writes K-best lists: the candidates to one file, the gold trees to another.
type Writer struct{ KBest, Gold *TreeWriter }

// Create creates the two files as CreateTrees does.
func Create(kbest, gold string) (*Writer, error) {
	a, err := CreateTrees(kbest)
	if err != nil {
		return nil, err
	}
	b, err := CreateTrees(gold)
	if err != nil {
		return nil, errors.Join(err, a.Close())
	}
	return &Writer{a, b}, nil
}

// Add writes a list, which must have a gold tree.
func (w *Writer) Add(l *read.List, syms *index.Symbols) error {
	for _, t := range l.Candidates {
		if err := w.KBest.Add(t, syms); err != nil {
			return err
		}
	}
	return w.Gold.Add(l.Gold, syms)
}

// Close flushes and closes both files.
func (w *Writer) Close() error { return errors.Join(w.KBest.Close(), w.Gold.Close()) }
