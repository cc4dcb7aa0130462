package main

import (
	"context"
	"fmt"
	"io"
	"math"
	"math/rand/v2"
	"os"
	"sync"

	"golang.org/x/sync/errgroup"

	"fstore/bench/pcfg"
	"fstore/bench/reproduce/markdown"
	"fstore/index"
	"fstore/index/stk"
	"fstore/index/treescore"
	"fstore/mine/learn/svm"

	"fstore/index/tag"
)

// system is a column of numbers: the scores of what one way chooses, by split.
type system struct {
	table  string
	name   string
	choose func(ctx context.Context, s *split) (treescore.Counts, error)
	scores []float64
}

// decays are the values of λ of table 2.
var decays = []float64{0.1, 0.2, 0.3, 0.4, 0.5, 0.6, 0.7, 0.8, 0.9}

// depths are those of table 1.
const depths = 6

// systems are those of the tables: λ is 1 where the depth varies, as in the paper.
func systems() (all []*system) {
	kernel := func(table, name string, space index.Space, lambda float64) {
		all = append(all, &system{table: table, name: name, choose: func(ctx context.Context, s *split) (treescore.Counts, error) {
			return s.voted(ctx, svm.Kernel{Space: space, Lambda: lambda}, 1)
		}})
	}
	for depth := 1; depth <= depths; depth++ {
		kernel("depth", fmt.Sprint(depth), stk.Space{MaxDepth: depth}, 1)
	}
	for _, lambda := range decays {
		kernel("λ", fmt.Sprint(lambda), stk.Space{}, lambda)
	}
	for _, lambda := range []float64{0.2, 0.4, 0.6, 0.8, 1} {
		kernel("tag, λ", fmt.Sprint(lambda), tag.Space{}, lambda)
	}
	return all
}

// reproduce prints the tables.
func reproduce(ctx context.Context, s *settings, w io.Writer) error {
	trees, err := treebank(ctx, s.data)
	if err != nil {
		return err
	}
	if n := trainSentences + devSentences + testSentences; len(trees) < n {
		return fmt.Errorf("%d trees of at most %d words: expected %d", len(trees), mostWords, n)
	}
	dev := systems()
	var base, oracle, testBase, testOracle []float64
	test := map[string][]float64{} // by table: of what is best on the development sentences
	failed := 0
	for k := range s.splits {
		r := rand.New(rand.NewPCG(s.seed, uint64(k)))
		r.Shuffle(len(trees), func(a, b int) { trees[a], trees[b] = trees[b], trees[a] })
		train, devTrees, testTrees := trees[:trainSentences], trees[trainSentences:][:devSentences], trees[trainSentences+devSentences:][:testSentences]
		x, err := newSplit(ctx, train, devTrees, s.seed)
		if err != nil {
			return err
		}
		b, o, n := x.base()
		base, oracle, failed = append(base, b.LF1()), append(oracle, o.LF1()), failed+n
		fmt.Fprintf(os.Stderr, "split %d: base %.2f, oracle %.2f\n", k+1, 100*b.LF1(), 100*o.LF1())
		if err := s.each(ctx, dev, x); err != nil {
			return err
		}
		// The best of each table learns from the development sentences too.
		y, err := newSplit(ctx, trees[:trainSentences+devSentences], testTrees, s.seed)
		if err != nil {
			return err
		}
		b, o, n = y.base()
		testBase, testOracle, failed = append(testBase, b.LF1()), append(testOracle, o.LF1()), failed+n
		if err := s.best(ctx, dev, y, test); err != nil {
			return err
		}
		if s.fstore != "" {
			for name, flags := range fragments {
				c, err := s.fragments(ctx, y, flags)
				if err != nil {
					return err
				}
				test[name] = append(test[name], c.LF1())
			}
		}
	}
	fmt.Fprintf(w, "%d trees; %d splits; sentences without a tree: %d\n\n", len(trees), s.splits, failed)
	return report(w, dev, base, oracle, testBase, testOracle, test)
}

// each adds the score of each system on a split.
func (s *settings) each(ctx context.Context, all []*system, x *split) error {
	pool, ctx := errgroup.WithContext(ctx)
	pool.SetLimit(s.workers)
	for _, y := range all {
		pool.Go(func() error {
			c, err := y.choose(ctx, x)
			y.scores = append(y.scores, c.LF1())
			return err
		})
	}
	return pool.Wait()
}

// best adds the score, on a split, of what was best of each table on the one before.
func (s *settings) best(ctx context.Context, all []*system, x *split, test map[string][]float64) error {
	best := map[string]*system{}
	for _, y := range all {
		if b := best[y.table]; b == nil || last(y.scores) > last(b.scores) {
			best[y.table] = y
		}
	}
	var lock sync.Mutex
	pool, ctx := errgroup.WithContext(ctx)
	pool.SetLimit(s.workers)
	for table, y := range best {
		pool.Go(func() error {
			c, err := y.choose(ctx, x)
			lock.Lock()
			defer lock.Unlock()
			test[table] = append(test[table], c.LF1())
			return err
		})
	}
	return pool.Wait()
}

func last(all []float64) float64 { return all[len(all)-1] }

// meanAndError are the mean, and its standard error.
func meanAndError(all []float64) (mean, sem float64) {
	for _, x := range all {
		mean += x / float64(len(all))
	}
	for _, x := range all {
		sem += (x - mean) * (x - mean)
	}
	n := float64(len(all))
	return mean, math.Sqrt(sem / (n - 1) / n)
}

// row is a row of a table: the mean with its standard error, and the share of the base's error that
// is gone, with its own.
func row(name string, scores, base []float64) []string {
	gone := make([]float64, len(scores))
	for i, x := range scores {
		gone[i] = (x - base[i]) / (1 - base[i])
	}
	mean, sem := meanAndError(scores)
	better, betterSEM := meanAndError(gone)
	return []string{name, fmt.Sprintf("%.2f ± %.2f", 100*mean, 100*sem), fmt.Sprintf("%.1f ± %.1f", 100*better, 100*betterSEM)}
}

// report prints the tables.
func report(w io.Writer, dev []*system, base, oracle, testBase, testOracle []float64, test map[string][]float64) error {
	tables := map[string][][]string{}
	var order []string
	for _, y := range dev {
		if tables[y.table] == nil {
			order = append(order, y.table)
			tables[y.table] = [][]string{row("base", base, base), row("oracle", oracle, base)}
		}
		tables[y.table] = append(tables[y.table], row(y.name, y.scores, base))
	}
	for _, name := range order {
		if err := markdown.Table(w, []string{name, "F1", "improvement, %"}, tables[name]); err != nil {
			return err
		}
	}
	rows := [][]string{row("base", testBase, testBase), row("oracle", testOracle, testBase)}
	for _, name := range append(order, fragmentNames...) {
		if scores := test[name]; scores != nil {
			rows = append(rows, row(name, scores, testBase))
		}
	}
	return markdown.Table(w, []string{"test", "F1", "improvement, %"}, rows)
}

var _ = pcfg.New
