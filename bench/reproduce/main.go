// Command reproduce repeats the experiments of two papers on the question classification data of Li & Roth
// (2002). It prints their tables in Markdown and writes plots to a directory.
//
//	reproduce [flags] pm10   Pighin & Moschitti 2010: tables 1 and 2, figures 2 and 3
//	reproduce [flags] si05   Suzuki & Isozaki 2005: table 2, question classification
//
// The experiments call fstore's packages, as any Go program can. Findings are kept in the output directory,
// so that a stopped run can continue and computes nothing twice.
//
// Start reading: questions.go has the data, pm10.go and si05.go have one experiment each, and package ledger
// keeps the findings between runs.
package main

import (
	"context"
	"flag"
	"fmt"
	"io"
	"os"
	"os/signal"
	"path/filepath"
	"runtime"
)

// experiments has a function for each experiment. The function prints the report.
var experiments = map[string]func(context.Context, *settings, io.Writer) error{
	"pm10": reproducePM10,
	"si05": reproduceSI05,
}

func main() {
	ctx, stop := signal.NotifyContext(context.Background(), os.Interrupt)
	err := run(ctx, os.Args[1:], os.Stdout)
	stop()
	if err != nil {
		fmt.Fprintln(os.Stderr, "reproduce:", err)
		os.Exit(1)
	}
}

// run runs the experiment that the arguments name.
func run(ctx context.Context, args []string, w io.Writer) error {
	f := flag.NewFlagSet("reproduce", flag.ContinueOnError)
	s := &settings{}
	f.StringVar(&s.data, "data", "", "the directory that has qc/train_5500.coarse.klp.gz and qc/TREC_10.coarse.klp.gz")
	f.StringVar(&s.out, "out", filepath.Join("bench", "out"), "the directory for stores, results and plots")
	f.IntVar(&s.workers, "workers", runtime.GOMAXPROCS(0), "goroutines")
	f.Uint64Var(&s.seed, "seed", 1, "of development questions and folds")
	f.IntVar(&s.tested, "folds", si05Folds, "of si05: how many of the ten folds are tested on")
	f.Float64Var(&s.price, "c", 1000, "of si05: the C of the machines")
	f.StringVar(&s.lambdas, "lambdas", "0.5", "of si05: the decays to choose from, as 0.1,0.3,0.5,0.7,0.9 in the paper")
	if err := f.Parse(args); err != nil {
		return err
	}
	experiment := experiments[f.Arg(0)]
	if experiment == nil || f.NArg() != 1 || s.data == "" {
		f.Usage()
		return fmt.Errorf("usage: reproduce -data DIR [flags] pm10|si05")
	}
	if err := os.MkdirAll(s.out, 0o777); err != nil {
		return err
	}
	return experiment(ctx, s, w)
}
