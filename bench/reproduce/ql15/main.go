// Command ql15 repeats the experiment of Qian & Liu (2015), table 2, on K-best lists: it
// trains rerankers on some lists, chooses from others, and prints a table in Markdown of
// attachment scores, what they cost, and paired tests.
//
//	ql15 -data DIR [flags]
//
// Every step is a command of the fstore binary, which is printed as it runs, so that it can
// be repeated on other lists; what it cost is measured by the system. Every choice, β
// included, is made on the training lists.
//
// Where to start reading: systems.go has the rows of the table, process.go how a command
// runs, baselines.go what needs no learning.
package main

import (
	"context"
	"flag"
	"fmt"
	"os"
	"os/signal"
	"path/filepath"
	"runtime"
	"strings"
)

// settings are what the flags say.
type settings struct {
	bin, data, out string
	train, test    string // names of the lists below data, without .kbest.conllu.gz and .gold.conllu.gz
	space          string
	support        int
	minCount       int
	orders         int
	base           float64
	chunks         int
	systems        string
	workers        int
}

func main() {
	s := &settings{}
	f := flag.CommandLine
	f.StringVar(&s.data, "data", "", "the directory with the lists")
	f.StringVar(&s.bin, "fstore", filepath.Join("bin", "fstore"), "the binary")
	f.StringVar(&s.out, "out", filepath.Join("bench", "out", "ql15"), "the directory for stores and chosen trees")
	f.StringVar(&s.train, "train", "kbest/ewt-train-10best", "the lists to train on: NAME.kbest.conllu.gz and NAME.gold.conllu.gz below -data")
	f.StringVar(&s.test, "test", "kbest/ewt-dev-10best", "the lists to choose from")
	f.StringVar(&s.space, "options", "root-arcs=true,template=rel+h.upos+m.upos,template=h.upos+m.upos+dir+dist", "the options of the dep and poly spaces")
	f.IntVar(&s.support, "min-support", 2, "of the fragments of unselected templates")
	f.IntVar(&s.minCount, "min-count", 3, "C of the gradient miner")
	f.IntVar(&s.orders, "max-order", 3, "the largest order that is mined in the dep space")
	f.Float64Var(&s.base, "base", 1, "what the parser's score counts while fragments are mined")
	f.IntVar(&s.chunks, "chunks", 10, "of the kernel perceptrons")
	f.StringVar(&s.systems, "systems", "templates,dep", "the systems to train: "+strings.Join(systemNames(), ", "))
	f.IntVar(&s.workers, "workers", runtime.GOMAXPROCS(0), "goroutines")
	flag.Parse()
	ctx, stop := signal.NotifyContext(context.Background(), os.Interrupt)
	err := run(ctx, s)
	stop()
	if err != nil {
		fmt.Fprintln(os.Stderr, "ql15:", err)
		os.Exit(1)
	}
}

// run trains and tests the systems, and prints the table.
func run(ctx context.Context, s *settings) error {
	if s.data == "" {
		return fmt.Errorf("-data: the directory with the lists")
	}
	if err := os.MkdirAll(s.out, 0o777); err != nil {
		return err
	}
	table, err := baselines(ctx, s)
	if err != nil {
		return err
	}
	for name := range strings.SplitSeq(s.systems, ",") {
		system, err := systemNamed(name)
		if err != nil {
			return err
		}
		row, err := system.run(ctx, s)
		if err != nil {
			return err
		}
		table = append(table, row)
	}
	return report(ctx, s, table)
}

// lists are the files of lists with this name.
func (s *settings) lists(name string) (kbest, gold string) {
	path := filepath.Join(s.data, filepath.FromSlash(name))
	return path + ".kbest.conllu.gz", path + ".gold.conllu.gz"
}

// trees is the file with the trees that a system has chosen.
func (s *settings) trees(system string) string { return filepath.Join(s.out, system+".conllu") }
