package main

import (
	"context"
	"errors"
	"fmt"
	"os"
	"os/exec"
	"path/filepath"
	"strconv"

	"fstore/bench/pcfg"
	"fstore/decode/read"
	"fstore/index"
	"fstore/index/treescore"
)

// fragments are averaged perceptrons over stored fragments of any depth: alone, as the voted
// perceptrons are, and beside what else there is.
var fragments = map[string][]string{
	"fragments":                   {"--beta", "0"},
	"fragments, and all there is": nil,
}

// fragmentNames are their names, in the order of the table.
var fragmentNames = []string{"fragments", "fragments, and all there is"}

// fragments trains a perceptron with these flags, and sums what it chooses.
func (s *settings) fragments(ctx context.Context, x *split, flags []string) (sum treescore.Counts, err error) {
	dir, err := os.MkdirTemp("", "cd01")
	if err != nil {
		return sum, err
	}
	defer func() { err = errors.Join(err, os.RemoveAll(dir)) }()
	in := func(name string) string { return filepath.Join(dir, name) }
	if err := errors.Join(write(in("train.nbest"), in("train.mrg"), x.train, x.sample), write(in("test.nbest"), in("test.mrg"), x.tests, nil)); err != nil {
		return sum, err
	}
	for _, args := range [][]string{
		{"build", in("store"), in("train.nbest"), "--gold", in("train.mrg"), "--space", "stk", "--max-order", "4"},
		append([]string{"train", in("store"), "--name", "m", "--learner", "averaged-perceptron"}, flags...),
		{"predict", in("store"), in("test.nbest"), "--model", "m", "--trees", in("chosen.mrg"), "-o", in("chosen.tsv")},
	} {
		if out, err := exec.CommandContext(ctx, s.fstore, args...).CombinedOutput(); err != nil {
			return sum, fmt.Errorf("fstore %s: %w: %s", args[0], err, out)
		}
	}
	syms := index.NewSymbols()
	trees, err := read.Open([]string{in("chosen.mrg")}, read.InputOptions{Symbols: syms, Context: ctx})
	if err != nil {
		return sum, err
	}
	defer func() { err = errors.Join(err, trees.Close()) }()
	score := treescore.New(treescore.Options{})
	b := &index.Builder{Symbols: syms}
	var t index.Tree
	for i := range x.tests {
		if err := trees.Next(&t); err != nil {
			return sum, err
		}
		score.SetGold(indexed(b, x.tests[i].gold), syms)
		sum.Add(score.Count(&t, syms))
	}
	return sum, nil
}

// write writes lists and their gold trees; some are the candidates of each that are written; nil:
// all.
func write(kbest, gold string, lists []list, some [][]int) error {
	var text, trees []byte
	for i := range lists {
		x := &lists[i]
		var parses []pcfg.Parse
		if some == nil {
			parses = x.parses
		} else {
			for _, c := range some[i] {
				parses = append(parses, x.parses[c])
			}
		}
		text = fmt.Appendf(text, "%d s%d\n", len(parses), i)
		for _, p := range parses {
			text = append(strconv.AppendFloat(text, p.Log, 'g', -1, 64), '\n')
			text = append(p.Tree.Append(text), '\n')
		}
		text = append(text, '\n')
		trees = append(x.gold.Append(trees), '\n')
	}
	return errors.Join(os.WriteFile(kbest, text, 0o666), os.WriteFile(gold, trees, 0o666))
}
