// Command ql15 repeats the experiments of Qian & Liu (2015), tables 2 and 3, on K-best lists. It trains
// rerankers on some lists and lets them choose from others. It prints tables in Markdown: attachment scores,
// costs, and paired tests.
//
//	ql15 -data DIR [flags]
//
// Systems are made by commands of the fstore binary. Each command is printed as it runs, so that it can be
// repeated. The operating system measures its cost. All settings, β included, are chosen on the training
// lists. Findings are kept in the output directory, so that a stopped run can continue and computes nothing
// twice.
//
// Any lists can be used. The flags -train and -test name files NAME.kbest.conllu.gz and NAME.gold.conllu.gz
// below -data. The first is K-best CoNLL-U with "# candidate" and "# score". The second has the gold trees in
// the same order.
//
// Start reading: systems.go has the rows of the tables, plan.go reads which rows the flags ask for, tune.go
// trains systems, process.go runs a command, baselines.go has the systems that do not learn.
package main

import (
	"context"
	"errors"
	"flag"
	"fmt"
	"io"
	"os"
	"os/signal"
	"path/filepath"
	"runtime"
	"strings"
	"syscall"
)

func main() {
	ctx, stop := signal.NotifyContext(context.Background(), os.Interrupt, syscall.SIGTERM)
	err := run(ctx, os.Args[1:], os.Stdout)
	stop()
	if err != nil {
		fmt.Fprintln(os.Stderr, "ql15:", err)
		os.Exit(1)
	}
}

func parse(args []string) (*settings, error) {
	s := &settings{}
	f := flag.NewFlagSet("ql15", flag.ContinueOnError)
	f.StringVar(&s.data, "data", "", "the directory with the lists")
	f.StringVar(&s.bin, "fstore", filepath.Join("bin", "fstore"), "the binary")
	f.StringVar(&s.out, "out", filepath.Join("bench", "out", "ql15"), "the directory for stores, chosen trees and what was found")
	f.StringVar(&s.train, "train", "kbest/ewt-train-10best", "the lists to train on: NAME.kbest.conllu.gz and NAME.gold.conllu.gz below -data")
	f.StringVar(&s.test, "test", "kbest/ewt-dev-10best", "the lists to choose from")
	f.StringVar(&s.space, "options", "root-arcs=true,template=rel+h.upos+m.upos,template=h.upos+m.upos+dir+dist", "the options of the dep and poly spaces")
	f.IntVar(&s.support, "min-support", 2, "of the fragments of unselected templates")
	f.IntVar(&s.minCount, "min-count", 3, "C of table 2")
	f.StringVar(&s.counts, "counts", "", "table 3: the values of C, with the largest of -max-orders; none: no table")
	f.StringVar(&s.orders, "max-orders", "2,3", "the largest orders of mined dep fragments to choose from")
	f.IntVar(&s.polyOrder, "poly-order", 3, "the largest order of mined poly fragments: that of the degree, where it is smaller")
	f.IntVar(&s.epochs, "epochs", 10, "of averaged perceptrons, at most")
	f.StringVar(&s.lambdas, "lambdas", "0.4", "of the dep kernel, to choose from")
	f.Float64Var(&s.base, "base", 1, "what the parser's score counts while fragments are mined")
	f.IntVar(&s.iterations, "iterations", 1, "of mining, at most")
	f.StringVar(&s.mine, "mine", "--keep features", "more flags of fstore mine")
	f.StringVar(&s.memory, "memory", "1GiB", "of mining, and of training")
	f.IntVar(&s.folds, "folds", 3, "of the training lists, to choose by what is mined and learned outside of each")
	f.IntVar(&s.chunks, "chunks", 10, "of the kernel perceptrons")
	f.StringVar(&s.systems, "systems", "templates,dep,poly2,poly4,poly2-kernel,poly4-kernel,poly8-kernel,dep-kernel", "the rows of table 2 that are trained: "+strings.Join(systemNames(), ", "))
	f.IntVar(&s.workers, "workers", runtime.GOMAXPROCS(0), "goroutines")
	if err := f.Parse(args); err != nil {
		return nil, err
	}
	if s.data == "" || f.NArg() > 0 {
		f.Usage()
		return nil, fmt.Errorf("usage: ql15 -data DIR [flags]")
	}
	return s, nil
}

// run trains and tests the systems, and prints the tables.
func run(ctx context.Context, args []string, w io.Writer) error {
	s, err := parse(args)
	if err != nil {
		return err
	}
	if err := os.MkdirAll(s.out, 0o777); err != nil {
		return err
	}
	x, err := newExperiment(ctx, s)
	if err != nil {
		return err
	}
	return errors.Join(x.report(ctx, w), x.found.Close())
}
