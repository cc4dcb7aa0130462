package main

import (
	"context"
	"errors"
	"fmt"
	"path/filepath"

	"fstore/bench/lists"
	"fstore/decode"
	"fstore/index"
)

// fold is a part of the training lists: names of files with the lists in it, and outside of
// it, see settings.lists.
type fold struct{ inside, outside string }

// run of lists, which are mostly of one document, that go to a fold together.
const foldRun = 50

// split writes the folds, once.
func (e *experiment) split(ctx context.Context) ([]fold, error) {
	if e.folds != nil {
		return e.folds, nil
	}
	folds, err := writeFolds(ctx, e.settings)
	if err == nil {
		e.folds = folds
	}
	return folds, err
}

// writeFolds writes the lists of each fold, and those outside of it: runs of lists go to the
// folds in turn.
func writeFolds(ctx context.Context, s *settings) (folds []fold, err error) {
	dir, err := filepath.Abs(s.out)
	if err != nil {
		return nil, err
	}
	var parts []*lists.Writer
	defer func() {
		for _, p := range parts {
			err = errors.Join(err, p.Close())
		}
	}()
	for k := range s.folds {
		f := fold{filepath.Join(dir, fmt.Sprintf("fold%d", k+1)), filepath.Join(dir, fmt.Sprintf("fold%d-outside", k+1))}
		folds = append(folds, f)
		for _, name := range []string{f.inside, f.outside} {
			p, err := lists.Create(s.lists(name))
			if err != nil {
				return nil, err
			}
			parts = append(parts, p)
		}
	}
	n := 0
	err = eachList(ctx, s, s.train, func(l *decode.List, syms *index.Symbols) error {
		in := n / foldRun % s.folds
		n++
		for k := range s.folds {
			to := parts[2*k+1]
			if k == in {
				to = parts[2*k]
			}
			if err := to.Add(l, syms); err != nil {
				return err
			}
		}
		return nil
	})
	return folds, err
}

// eachList calls f for the lists of a name, each with its gold tree.
func eachList(ctx context.Context, s *settings, name string, f func(l *decode.List, syms *index.Symbols) error) error {
	kbest, gold := s.lists(name)
	return lists.Each(ctx, kbest, gold, f)
}
