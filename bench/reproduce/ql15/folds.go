package main

import (
	"context"
	"errors"
	"fmt"
	"io"
	"os"
	"path/filepath"

	"fstore/bench/lists"
	"fstore/decode/read"
	"fstore/index"
)

// foldRun is how many successive lists go to the same fold. Such lists are mostly from one document.
const foldRun = 50

// foldFile returns the file that tells fstore the folds of the training lists.
func (s *settings) foldFile() string { return filepath.Join(s.out, "folds.tsv") }

func writeFolds(ctx context.Context, s *settings) (err error) {
	f, err := os.Create(s.foldFile())
	if err != nil {
		return err
	}
	defer func() { err = errors.Join(err, f.Close()) }()
	return dealFolds(ctx, s, f)
}

// dealFolds writes the fold of each training list to w. The fold changes after every foldRun lists.
func dealFolds(ctx context.Context, s *settings, w io.Writer) error {
	n := 0
	return eachList(ctx, s, s.train, func(l *read.List, _ *index.Symbols) error {
		fold := n / foldRun % s.folds
		n++
		_, err := fmt.Fprintf(w, "%s\t%d\n", l.Candidates[0].Name, fold+1)
		return err
	})
}

// eachList calls f for each list in the file of this name, with its gold tree.
func eachList(ctx context.Context, s *settings, name string, f func(l *read.List, syms *index.Symbols) error) error {
	kbest, gold := s.lists(name)
	return lists.Each(ctx, kbest, gold, f)
}
