package main

import (
	"context"
	"fmt"
	"io"
	"os"

	"golang.org/x/sync/errgroup"

	"fstore/bench/reproduce/markdown"
)

// reproduce runs the experiments and prints the tables.
func reproduce(ctx context.Context, s *settings, w io.Writer) error {
	trees, err := treebank(ctx, s.data)
	if err != nil {
		return err
	}
	all, stored, failed := tables(s.splits), make([]pair, s.splits), make([]int, s.splits)
	pool, ctx := errgroup.WithContext(ctx)
	pool.SetLimit(s.workers)
	for k := range s.splits {
		pool.Go(func() error {
			x, err := newSplit(ctx, trees, s.seed, uint64(k))
			if err != nil {
				return err
			}
			failed[k] = x.failed
			for _, t := range all {
				if t.splits[k], err = t.compare(ctx, t.of(x)); err != nil {
					return err
				}
			}
			if s.fstore != "" {
				if stored[k], err = fragments(ctx, s.fstore, x); err != nil {
					return err
				}
			}
			fmt.Fprintf(os.Stderr, "split %d: base %.2f, oracle %.2f\n", k+1, 100*all[0].splits[k].testBase, 100*all[0].splits[k].testOracle)
			return nil
		})
	}
	if err := pool.Wait(); err != nil {
		return err
	}
	n := 0
	for _, x := range failed {
		n += x
	}
	train, dev := bounds(len(trees))
	if _, err := fmt.Fprintf(w, "%d trees: %d to train on, %d to choose on, %d to test on; %d splits; sentences without a tree: %d of %d.\n\n",
		len(trees), train, dev-train, len(trees)-dev, s.splits, n, s.splits*len(trees)); err != nil {
		return err
	}
	if s.fstore == "" {
		stored = nil
	}
	return report(w, all, stored)
}

// report prints all tables for the development sentences, and then one table for the test sentences.
func report(w io.Writer, all []*table, stored []pair) error {
	var test [][]string
	for i, t := range all {
		base := t.column(func(s *scores) float64 { return s.base })
		rows := [][]string{
			row("PCFG", nil, base, nil),
			row("oracle", base, t.column(func(s *scores) float64 { return s.oracle }), nil),
		}
		for k, y := range t.systems {
			rows = append(rows, row(y.name, base,
				t.column(func(s *scores) float64 { return s.systems[k].alone }), t.column(func(s *scores) float64 { return s.systems[k].best })))
		}
		if err := printTable(w, t.caption, t.head, rows); err != nil {
			return err
		}

		base = t.column(func(s *scores) float64 { return s.testBase })
		if i != 1 { // table 2 has the same lists as table 1
			of := ""
			if i > 0 {
				of = ", tags"
			}
			test = append(test, row("PCFG"+of, nil, base, nil),
				row("oracle"+of, base, t.column(func(s *scores) float64 { return s.testOracle }), nil))
		}
		test = append(test, row(t.head, base,
			t.column(func(s *scores) float64 { return s.test.alone }), t.column(func(s *scores) float64 { return s.test.best })))
		if i == 1 && stored != nil {
			var alone, best []float64
			for _, p := range stored {
				alone, best = append(alone, p.alone), append(best, p.best)
			}
			test = append(test, row("stored fragments", base, alone, best))
		}
	}
	return printTable(w, "Test sentences: each row by what is best on the development sentences.", "", test)
}

func printTable(w io.Writer, caption, head string, rows [][]string) error {
	if _, err := fmt.Fprintf(w, "%s\n\n", caption); err != nil {
		return err
	}
	return markdown.Table(w, []string{head, "alone", "errors gone, %", "with log P", "errors gone, %"}, rows)
}

// row returns the name, and two cells for each system: its mean score, and the share of the baseline's errors
// that are gone.
func row(name string, base, alone, best []float64) []string {
	all := []string{name}
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

// settings are the values of the flags.
type settings struct {
	data, fstore    string
	splits, workers int
	seed            uint64
}
