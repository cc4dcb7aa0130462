package main

import (
	"bufio"
	"compress/gzip"
	"context"
	"errors"
	"fmt"
	"io"
	"os"
	"path/filepath"

	"fstore/decode"
	"fstore/decode/conllu"
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
	var parts []*part
	defer func() {
		for _, p := range parts {
			err = errors.Join(err, p.close())
		}
	}()
	for k := range s.folds {
		f := fold{filepath.Join(dir, fmt.Sprintf("fold%d", k+1)), filepath.Join(dir, fmt.Sprintf("fold%d-outside", k+1))}
		folds = append(folds, f)
		for _, name := range []string{f.inside, f.outside} {
			p, err := s.newPart(name)
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
			if err := to.add(l, syms); err != nil {
				return err
			}
		}
		return nil
	})
	return folds, err
}

// part is lists that are being written, with their gold trees.
type part struct{ kbest, gold *treeFile }

func (s *settings) newPart(name string) (*part, error) {
	kbest, gold := s.lists(name)
	a, err := createTrees(kbest)
	if err != nil {
		return nil, err
	}
	b, err := createTrees(gold)
	if err != nil {
		return nil, errors.Join(err, a.close())
	}
	return &part{a, b}, nil
}

func (p *part) add(l *decode.List, syms *index.Symbols) error {
	for _, t := range l.Candidates {
		if err := p.kbest.add(t, syms); err != nil {
			return err
		}
	}
	return p.gold.add(l.Gold, syms)
}

func (p *part) close() error { return errors.Join(p.kbest.close(), p.gold.close()) }

// treeFile is trees that are being written, compressed where its name says so.
type treeFile struct {
	file *os.File
	zip  *gzip.Writer
	w    *bufio.Writer
	text []byte
}

func createTrees(path string) (*treeFile, error) {
	f, err := os.Create(path)
	if err != nil {
		return nil, err
	}
	t := &treeFile{file: f, w: bufio.NewWriter(f)}
	if filepath.Ext(path) == ".gz" {
		t.zip, _ = gzip.NewWriterLevel(f, gzip.BestSpeed)
		t.w = bufio.NewWriter(t.zip)
	}
	return t, nil
}

func (f *treeFile) add(t *index.Tree, syms *index.Symbols) (err error) {
	if f.text, err = conllu.Append(f.text[:0], t, syms); err != nil {
		return err
	}
	_, err = f.w.Write(f.text)
	return err
}

func (f *treeFile) close() error {
	err := f.w.Flush()
	if f.zip != nil {
		err = errors.Join(err, f.zip.Close())
	}
	return errors.Join(err, f.file.Close())
}

// eachList calls f for the lists of a name, each with its gold tree.
func eachList(ctx context.Context, s *settings, name string, f func(l *decode.List, syms *index.Symbols) error) (err error) {
	kbest, gold := s.lists(name)
	syms := index.NewSymbols()
	in, err := decode.OpenLists([]string{kbest}, decode.InputOptions{Symbols: syms, Gold: gold, Context: ctx})
	if err != nil {
		return err
	}
	defer func() { err = errors.Join(err, in.Close()) }()
	var l decode.List
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
