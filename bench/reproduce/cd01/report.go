package main

import (
	"context"
	"fmt"
	"io"
	"os"

	"fstore/bench/reproduce/markdown"
)

// reproduce prints the tables.
func reproduce(ctx context.Context, s *settings, w io.Writer) error {
	trees, err := treebank(ctx, s.data)
	if err != nil {
		return err
	}
	all, failed := tables(), 0
	stored := fragmentRows()
	var sizes [3]int
	for k := range s.splits {
		x, err := newSplit(ctx, trees, s.seed, uint64(k))
		if err != nil {
			return err
		}
		failed += x.failed
		sizes = [3]int{len(x.trees.train), len(x.trees.dev), len(x.trees.test)}
		if err := x.run(ctx, all, s.workers); err != nil {
			return err
		}
		for _, f := range stored {
			if s.fstore == "" {
				break
			}
			if err := f.run(ctx, s.fstore, x); err != nil {
				return err
			}
		}
		fmt.Fprintf(os.Stderr, "split %d: base %.2f, oracle %.2f\n", k+1, 100*last(all[0].testBase), 100*last(all[0].testOracle))
	}
	if _, err := fmt.Fprintf(w, "%d trees: %d to train on, %d to choose on, %d to test on; %d splits; sentences without a tree: %d of %d.\n\n",
		len(trees), sizes[0], sizes[1], sizes[2], s.splits, failed, s.splits*len(trees)); err != nil {
		return err
	}
	return report(w, all, stored)
}

// report prints a table each, of the development sentences, and one of the test sentences.
func report(w io.Writer, all []*table, stored []*fragments) error {
	for _, t := range all {
		rows := [][]string{
			append([]string{"PCFG"}, cells(t.base, nil, nil)...),
			append([]string{"oracle"}, cells(t.oracle, t.base, nil)...),
		}
		for _, y := range t.systems {
			rows = append(rows, append([]string{y.name}, cells(y.alone, t.base, y.best)...))
		}
		if err := print(w, t.caption, t.head, rows); err != nil {
			return err
		}
	}
	var rows [][]string
	for i, t := range all {
		what := ""
		if i == len(all)-1 {
			what = " of tags"
		}
		if i != 1 { // the same lists as those of the first table
			rows = append(rows,
				append([]string{"PCFG" + what}, cells(t.testBase, nil, nil)...),
				append([]string{"oracle" + what}, cells(t.testOracle, t.testBase, nil)...))
		}
		rows = append(rows, append([]string{t.head}, cells(t.testAlone, t.testBase, t.testBest)...))
		if i == 1 && len(stored[0].alone) > 0 {
			for _, f := range stored {
				rows = append(rows, append([]string{f.name}, cells(f.alone, t.testBase, f.best)...))
			}
		}
	}
	return print(w, "Test sentences: each row by what was best on the development sentences.", "", rows)
}

// print prints a table below its caption.
func print(w io.Writer, caption, head string, rows [][]string) error {
	if _, err := fmt.Fprintf(w, "%s\n\n", caption); err != nil {
		return err
	}
	return markdown.Table(w, []string{head, "alone", "errors gone, %", "with log P", "errors gone, %"}, rows)
}

// cells are scores with their standard errors, each followed by the share of the errors of base that
// are gone; nil has empty cells.
func cells(alone, base, best []float64) (all []string) {
	for _, scores := range [][]float64{alone, best} {
		if scores == nil {
			all = append(all, "", "")
			continue
		}
		mean, sem := meanAndError(scores)
		all = append(all, fmt.Sprintf("%.2f ± %.2f", 100*mean, 100*sem))
		if base == nil {
			all = append(all, "")
			continue
		}
		gone := make([]float64, len(scores))
		for i, x := range scores {
			gone[i] = (x - base[i]) / (1 - base[i])
		}
		mean, sem = meanAndError(gone)
		all = append(all, fmt.Sprintf("%.1f ± %.1f", 100*mean, 100*sem))
	}
	return all
}
