// Command cd01 repeats the experiments of Collins & Duffy (2001, §4) on another treebank. Voted perceptrons
// over tree kernels choose among the 100 best trees that a PCFG gives to a sentence. The command prints the
// paper's tables in Markdown. For comparison, it also trains averaged perceptrons over stored fragments with
// fstore.
//
// Start reading: split.go divides and parses the treebank, perceptron.go trains and asks the perceptrons,
// systems.go has the systems that are compared, report.go the tables.
package main

import (
	"context"
	"flag"
	"fmt"
	"io"
	"os"
	"os/signal"
	"runtime"
)

func main() {
	ctx, stop := signal.NotifyContext(context.Background(), os.Interrupt)
	err := run(ctx, os.Args[1:], os.Stdout)
	stop()
	if err != nil {
		fmt.Fprintln(os.Stderr, "cd01:", err)
		os.Exit(1)
	}
}

func run(ctx context.Context, args []string, w io.Writer) error {
	f := flag.NewFlagSet("cd01", flag.ContinueOnError)
	s := &settings{}
	f.StringVar(&s.data, "data", "", "the directory that has trees/gum-*.mrg.gz")
	f.StringVar(&s.fstore, "fstore", "", "the binary that learns over stored fragments; none: that is left out")
	f.IntVar(&s.splits, "splits", 10, "how often the treebank is divided")
	f.IntVar(&s.workers, "workers", runtime.GOMAXPROCS(0), "goroutines")
	f.Uint64Var(&s.seed, "seed", 1, "of divisions, and of the candidates that are learned from")
	if err := f.Parse(args); err != nil {
		return err
	}
	if f.NArg() > 0 || s.data == "" || s.splits < 2 {
		f.Usage()
		return fmt.Errorf("usage: cd01 -data DIR [flags], of two splits or more")
	}
	return reproduce(ctx, s, w)
}
