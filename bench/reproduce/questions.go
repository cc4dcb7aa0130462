package main

import (
	"bufio"
	"context"
	"errors"
	"os"
	"path/filepath"
	"strings"

	"github.com/cockroachdb/pebble/v2/vfs"

	"fstore/cli/output"
	"fstore/decode/format"
	"fstore/decode/read"
	"fstore/index"
	"fstore/index/spaces"
	"fstore/mine/builder"
	"fstore/mine/learn/crossval"
	"fstore/mine/selection"
	"fstore/store"
)

// The data: 5,452 training and 500 test questions of six classes, in the format of KeLP.
const (
	trainingFile = "train_5500.coarse.klp.gz"
	testFile     = "TREC_10.coarse.klp.gz"
)

// questions is a store of training questions, and a file of test questions.
type questions struct {
	dir            string // the directory of the store
	training, test string // paths of files
	representation string
}

// find returns the path of a data file.
func (s *settings) find(name string) string {
	for _, dir := range []string{"qc", filepath.Join("data", "qc"), "."} {
		if path := filepath.Join(s.data, dir, name); exists(path) {
			return path
		}
	}
	return filepath.Join(s.data, "qc", name)
}

func exists(path string) bool {
	_, err := os.Stat(path)
	return err == nil
}

// developmentPart is 10 because one training question in ten is for development (PM10, §6).
const developmentPart = 10

// split writes a training file and a development file, and returns their names. Each class has the same share
// in both.
func (s *settings) split() (training, development string, err error) {
	training, development = filepath.Join(s.out, "training.klp"), filepath.Join(s.out, "development.klp")
	if exists(training) && exists(development) {
		return training, development, nil
	}
	lines, labels, err := readLines(s.find(trainingFile))
	if err != nil {
		return "", "", err
	}
	folds, err := crossval.Stratified(labels, developmentPart, s.seed)
	if err != nil {
		return "", "", err
	}
	var parts [2]strings.Builder
	for i, line := range lines {
		part := &parts[0]
		if folds[i] == 0 {
			part = &parts[1]
		}
		part.WriteString(line)
		part.WriteByte('\n')
	}
	return training, development, errors.Join(write(training, parts[0].String()), write(development, parts[1].String()))
}

// readLines returns the lines of a file, and the label at the beginning of each line.
func readLines(path string) (lines []string, labels [][]string, err error) {
	f, err := read.OpenFile(context.Background(), path, nil)
	if err != nil {
		return nil, nil, err
	}
	defer f.Close()
	in := bufio.NewScanner(f)
	in.Buffer(nil, format.MaxText)
	for in.Scan() {
		label, _, _ := strings.Cut(in.Text(), " ")
		lines, labels = append(lines, in.Text()), append(labels, []string{label})
	}
	return lines, labels, in.Err()
}

// write writes a file, whole or not at all.
func write(path, text string) error {
	out, err := output.Create(vfs.Default, path)
	if err != nil {
		return err
	}
	defer out.Abort()
	if _, err := out.Write([]byte(text)); err != nil {
		return err
	}
	return out.Commit()
}

// build makes the store if it does not exist.
func (q *questions) build(ctx context.Context, space string, workers int) error {
	if exists(q.dir) {
		return nil
	}
	r, err := spaces.Parse(space)
	if err != nil {
		return err
	}
	var in *read.Inputs
	_, err = builder.Run(ctx, q.dir, builder.Options{
		Spaces:  builder.Choice{Spaces: []spaces.Request{r}},
		Workers: workers,
		Source: func(syms *index.Symbols) (_ index.Source, err error) {
			in, err = q.open(q.training, syms)
			return in, err
		},
		Event: func() store.Event { return store.Event{Command: "reproduce"} },
	})
	if in != nil {
		err = errors.Join(err, in.Close())
	}
	return err
}

func (q *questions) open(file string, syms *index.Symbols) (*read.Inputs, error) {
	return read.Open([]string{file}, read.InputOptions{
		Symbols: syms, Format: "klp", Representation: q.representation,
		LabelOptions: read.LabelOptions{LabelFrom: []string{"line"}},
	})
}

// change lets f write to the store. If f fails, the store stays as it was.
func (q *questions) change(f func(*store.Writer) error) error {
	w, err := store.Begin(q.dir, store.WriteOptions{Mode: store.Append})
	if err != nil {
		return err
	}
	if err := f(w); err != nil {
		return errors.Join(err, w.Abort())
	}
	return w.Commit()
}

// selectFragments makes a selection and returns the number of its fragments.
func (q *questions) selectFragments(ctx context.Context, o selection.Options) (n uint64, err error) {
	err = q.change(func(w *store.Writer) error {
		done, err := selection.Run(ctx, w, o)
		if err == nil {
			n = done.Fragments
		}
		return err
	})
	return n, err
}

// with opens the store for reading and calls f.
func (q *questions) with(f func(*store.Store) error) error {
	s, err := store.Open(q.dir, store.Options{})
	if err != nil {
		return err
	}
	return errors.Join(f(s), s.Close())
}
