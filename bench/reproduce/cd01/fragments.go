package main

import (
	"context"
	"errors"
	"fmt"
	"os"
	"os/exec"
	"path/filepath"
	"strconv"

	"fstore/decode/read"
	"fstore/index"
	"fstore/index/treescore"
)

// fragments returns the test scores of averaged perceptrons over stored fragments, without and with the log
// probabilities. It runs the commands that a user of fstore would run.
func fragments(ctx context.Context, fstore string, x *split) (p pair, err error) {
	dir, err := os.MkdirTemp("", "cd01")
	if err != nil {
		return p, err
	}
	defer func() { err = errors.Join(err, os.RemoveAll(dir)) }()
	in := func(name string) string { return filepath.Join(dir, name) }
	if err := errors.Join(write(in("train"), x.trees.train), write(in("test"), x.trees.test)); err != nil {
		return p, err
	}
	for _, args := range [][]string{
		{"build", in("store"), in("train.nbest"), "--gold", in("train.mrg"), "--space", "stk", "--max-order", "3"},
		{"train", in("store"), "--name", "alone", "--learner", "averaged-perceptron", "--beta", "0"},
		{"train", in("store"), "--name", "best", "--learner", "averaged-perceptron"},
		{"predict", in("store"), in("test.nbest"), "--model", "alone", "--trees", in("alone.mrg"), "-o", in("alone.tsv")},
		{"predict", in("store"), in("test.nbest"), "--model", "best", "--trees", in("best.mrg"), "-o", in("best.tsv")},
	} {
		if out, err := exec.CommandContext(ctx, fstore, args...).CombinedOutput(); err != nil {
			return p, fmt.Errorf("fstore %s: %w: %s", args[0], err, out)
		}
	}
	for name, to := range map[string]*float64{"alone.mrg": &p.alone, "best.mrg": &p.best} {
		counts, err := scoreFile(ctx, in(name), x.trees.test)
		if err != nil {
			return p, err
		}
		*to = counts.LF1()
	}
	return p, nil
}

// scoreFile compares the trees of a file with the gold trees of lists.
func scoreFile(ctx context.Context, file string, lists []sentenceList) (sum treescore.Counts, err error) {
	syms := index.NewSymbols()
	trees, err := read.Open([]string{file}, read.InputOptions{Symbols: syms, Context: ctx})
	if err != nil {
		return sum, err
	}
	defer func() { err = errors.Join(err, trees.Close()) }()
	score := treescore.New(treescore.Options{})
	b := &index.Builder{Symbols: syms}
	var t index.Tree
	for i := range lists {
		if err := trees.Next(&t); err != nil {
			return sum, err
		}
		score.SetGold(indexed(b, lists[i].gold.Tree), syms)
		sum.Add(score.Count(&t, syms))
	}
	return sum, nil
}

// write writes lists to NAME.nbest, and their gold trees to NAME.mrg.
func write(name string, lists []sentenceList) error {
	var text, trees []byte
	for i := range lists {
		x := &lists[i]
		text = fmt.Appendf(text, "%d s%d\n", len(x.candidates), i)
		for _, c := range x.candidates {
			text = append(strconv.AppendFloat(text, c.Log, 'g', -1, 64), '\n')
			text = append(c.Tree.Append(text), '\n')
		}
		text = append(text, '\n')
		trees = append(x.gold.Tree.Append(trees), '\n')
	}
	return errors.Join(os.WriteFile(name+".nbest", text, 0o666), os.WriteFile(name+".mrg", trees, 0o666))
}
